import type { ArchiveFile } from './archive-file.js';
import { UnreadableDocument } from './findings.js';
import { below } from './json.js';
import { malformedSkill, readSkillMd, type SkillMd } from './skill-md.js';

/** The folder of a skill: its SKILL.md, and what lies beside it. */
export interface SkillFolder {
  readonly skill: SkillMd;
  /** What the folder is called, where it was sent with its name. */
  readonly name: string | undefined;
  /** Paths are below the folder; without SKILL.md, by path. */
  readonly files: readonly ArchiveFile[];
}

const main = 'SKILL.md';

/** Files that a refusal names. */
const MAX_NAMED = 20;

/** Whether it is the text of a skill. Some write it in small letters; it is exported in capitals. */
export const isSkillMd = (path: string): boolean => /(?:^|\/)SKILL\.md$/i.test(path);

/**
 * Reads a folder as it is sent: SKILL.md at its top, or in the one folder that holds everything. Another SKILL.md further down is a file
 * like any other.
 *
 * @throws UnreadableDocument `malformed_skill`, with each SKILL.md where there are several, and what its frontmatter is refused for
 */
export function readSkillFolder(all: readonly ArchiveFile[]): SkillFolder {
  // Packing programs leave files of their own behind.
  const files = all.filter(({ path }) => !/(^|\/)(__MACOSX\/|\.DS_Store$)/.test(path));
  const folder = theFolder(files.map(({ path }) => path));
  const inside = files.map(({ path, bytes }) => ({ path: path.slice(folder.length), bytes }));
  const text =
    inside.find(({ path }) => path === main) ??
    inside.find(({ path }) => path.toLowerCase() === main.toLowerCase());
  if (text === undefined) throw malformedSkill('Put it at the top of the folder.');
  const skill = readSkillMd(decoded(text.bytes));
  const others = inside.filter((file) => file !== text).sort((a, b) => (a.path < b.path ? -1 : 1));
  return { skill, name: folder.split('/').at(-2), files: others };
}

/** The one folder that has a SKILL.md and everything else below it, with a slash at its end; empty where that is the top. */
function theFolder(paths: readonly string[]): string {
  const mains = paths.filter(isSkillMd);
  const folders = mains.map((path) => path.slice(0, -main.length));
  const isWithin = (path: string): boolean =>
    folders.some((folder) => path.startsWith(folder) && path.length > folder.length + main.length);
  const tops = mains.filter((path) => !isWithin(path));
  const [first, ...more] = tops;
  if (first === undefined) {
    throw malformedSkill(
      `None of what was sent is called so: ${named(paths)}. Put it at the top of the folder.`,
    );
  }
  if (more.length > 0) throw severalSkills(tops);
  const folder = first.slice(0, -main.length);
  if (folder.split('/').length > 2)
    throw malformedSkill(`${first} lies too deep. Send the folder ${folder} by itself.`);
  const outside = paths.filter((path) => !path.startsWith(folder));
  if (outside.length === 0) return folder;
  throw malformedSkill(
    `Beside the folder ${folder} lies ${named(outside)}. Put it into the folder, or leave it out: one folder is sent at a time.`,
  );
}

function severalSkills(paths: readonly string[]): UnreadableDocument {
  const { code, detail } = malformedSkill(
    `What was sent has ${String(paths.length)} skills: ${named(paths)}. Send the folder of each by itself.`,
  );
  const faults = paths.slice(0, MAX_NAMED).map((path) => ({
    pointer: below('', path),
    detail: `is a skill of its own: send the folder ${path.slice(0, -main.length)} by itself`,
  }));
  return new UnreadableDocument(code, detail, below('', paths[0] ?? ''), faults);
}

function named(paths: readonly string[]): string {
  const listed = paths.slice(0, MAX_NAMED).join(', ');
  return paths.length > MAX_NAMED ? `${listed} and ${String(paths.length - MAX_NAMED)} more` : listed;
}

function decoded(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Refused below.
  }
  throw malformedSkill('It must be UTF-8 text without NUL.');
}
