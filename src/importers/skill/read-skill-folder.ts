import type { ArchiveFile } from '../archive/archive-file.js';
import { malformedSkill, readSkillMd, type SkillMd } from './read-skill-md.js';

/** The folder of a skill (agentskills.io): its SKILL.md, and what lies beside it. */
export interface SkillFolder {
  readonly skill: SkillMd;
  /** Paths are below the folder; without SKILL.md, by path. */
  readonly files: readonly ArchiveFile[];
}

const main = 'SKILL.md';

/**
 * A folder as it is sent: SKILL.md at its top, or in the one folder that holds everything.
 *
 * @throws UnreadableDocument `malformed_skill`, and what its frontmatter is refused for
 */
export function readSkillFolder(all: readonly ArchiveFile[]): SkillFolder {
  const files = all.filter(({ path }) => !isLitter(path));
  const prefix = prefixOf(files);
  const inside = files.map(({ path, bytes }) => ({ path: path.slice(prefix.length), bytes }));
  const text = inside.find(({ path }) => path === main);
  if (text === undefined || !files.every(({ path }) => path.startsWith(prefix))) {
    throw malformedSkill('Put SKILL.md at the top of the folder, and send one folder at a time.');
  }
  const skill = readSkillMd(decoded(text.bytes));
  const others = inside.filter(({ path }) => path !== main);
  return { skill, files: others.sort((a, b) => (a.path < b.path ? -1 : 1)) };
}

function decoded(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Told below.
  }
  throw malformedSkill('It must be UTF-8 text without NUL.');
}

function prefixOf(files: readonly ArchiveFile[]): string {
  if (files.some(({ path }) => path === main)) return '';
  const path = files.find(({ path }) => /^[^/]+\/SKILL\.md$/.test(path))?.path;
  return path === undefined ? '' : path.slice(0, -main.length);
}

/** What packing programs leave behind. */
function isLitter(path: string): boolean {
  return /(^|\/)(__MACOSX\/|\.DS_Store$)/.test(path);
}
