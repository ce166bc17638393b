import { firstVersion, writeHead } from '../../documents/skill-md.js';
import type { SkillDocument } from './skill-document.schemas.js';
import type { StoredFolder } from './skill-folder.events.js';

/** A skill with all that it refers to by name, and the folder that it came in. */
export interface ExportedSkill {
  readonly document: SkillDocument;
  /**
   * The tools that its SKILL.md names: those that its frontmatter names and that nobody has taken away, then its other
   * active ones. A frontmatter that names none goes on naming none.
   */
  readonly tools: readonly string[];
  readonly folder: StoredFolder | null;
}

/** The frontmatter of its SKILL.md as it is now. */
export function headOf({ document, tools, folder }: ExportedSkill): string {
  const { name, description = '', version = firstVersion } = document;
  return writeHead({ name, description, version, tools }, folder?.head ?? null);
}
