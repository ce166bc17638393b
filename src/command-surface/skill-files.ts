/** Skills of an agent's catalog as files for the skills extension, prompts and resources. Pure. */
import { folderName } from '../documents/skill-md.js';
import { writeSkillMd } from '../documents/write-skill-md.js';
import type { DisclosedCatalog } from '../effective-catalog/effective-catalogs.lookup.js';

type Skill = DisclosedCatalog['content']['skills'][number];

export interface SkillFile {
  readonly skillId: string;
  /** As the skills format has it: small letters, digits and hyphens; with the id before it, it tells skills apart. */
  readonly slug: string;
  /** `<skillId>/<slug>`: what stands between `skill://` and `/SKILL.md`. */
  readonly path: string;
  readonly uri: string;
  readonly description: string;
  /** SKILL.md: front matter and instructions. */
  readonly text: string;
  readonly instructions: string;
}

const longestDescription = 1024;

export function skillFileOf(skill: Skill): SkillFile {
  const { skillId, name, version, tools, contentMarkdown } = skill;
  const slug = folderName(name);
  const path = `${skillId}/${slug}`;
  const description = (skill.description.trim() || name).slice(0, longestDescription);
  const words = { name, description, version, tools: tools.map((tool) => tool.name), body: contentMarkdown };
  return {
    ...{ skillId, slug, path, description },
    uri: `skill://${path}/SKILL.md`,
    text: writeSkillMd(words, null),
    instructions: contentMarkdown,
  };
}
