import type { WarningSink } from './findings.js';
import { below } from './json.js';
import { descriptionOf, folderName, isFolderName, type SkillMd, textOf } from './skill-md.js';

/** Characters of a description, by the standard of agent skills (agentskills.io, specification). */
const MAX_DESCRIPTION = 1_024;

/** Warns of what in a SKILL.md other programs would not read, not choose, or refuse by the standard of agent skills. */
export function warnOfStandard(skill: SkillMd, folder: string | undefined, warnings: WarningSink): void {
  const warn = (code: string, key: string, detail: string): void => {
    warnings.warn(code, below('', 'SKILL.md', key), detail);
  };
  const name = textOf(skill.fields['name']);
  const shown = name?.slice(0, 100) ?? '';
  if (name === undefined)
    warn('name_nonstandard', 'name', `SKILL.md has no name, and the standard asks for one.`);
  else if (!isFolderName(name))
    warn(
      'name_nonstandard',
      'name',
      `The name "${shown}" is not what the standard of agent skills takes: 1 to 64 of a-z, 0-9 and single hyphens between. Agents may not load it; exported it is "${folderName(name)}".`,
    );
  if (name !== undefined && folder !== undefined && folder !== name)
    warn(
      'folder_name_differs',
      'name',
      `The folder is called "${folder.slice(0, 100)}" and the skill "${shown}": the standard asks for one name, and agents may not load it. Exported, the folder is "${folderName(name)}".`,
    );
  const description = descriptionOf(skill.fields);
  if (description === '')
    warn(
      'description_missing',
      'description',
      'SKILL.md has no description: agents choose a skill by it. Say what it is for and when to use it.',
    );
  if (Array.from(description).length > MAX_DESCRIPTION)
    warn(
      'description_too_long',
      'description',
      `The description has ${String(Array.from(description).length)} characters, and the standard of agent skills takes ${String(MAX_DESCRIPTION)}: agents may not load it, or cut it off.`,
    );
  for (const key of skill.quoted)
    warn(
      'frontmatter_mended',
      key,
      `The value of "${key}" is no YAML and was read as the text that it is; not every program does. Put it in quotes.`,
    );
}
