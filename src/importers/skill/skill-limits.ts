import { importLimits, type ImportLimits } from '../import-limits.js';

/** What the folder of a skill may hold. It is kept in the log as it is. */
export const folderLimits = { files: 512, bytes: 4 * 1024 * 1024 };

/** What a structured skill document may cost: it is read where it arrives, in some 50 ms. */
export const skillDocumentLimits: ImportLimits = {
  ...importLimits,
  bytes: 1024 * 1024,
  depth: 40,
  nodes: 40_000,
};

/** What may stand between the fences of a SKILL.md. */
export const frontmatterLimits: ImportLimits = {
  ...importLimits,
  bytes: 32 * 1024,
  depth: 20,
  nodes: 2_000,
};
