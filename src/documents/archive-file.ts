import { UnreadableDocument } from './findings.js';
import type { FolderLimits } from './limits.js';

/** One file of an archive, or of a folder that is sent. */
export interface ArchiveFile {
  /** Relative, with slashes, without `.` and `..`. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

const MAX_PATH = 255;
/** Matches characters that some file system can't hold in a name, and marks of direction and invisible ones, which disguise it. */
const odd = /[\\:*?"<>|\p{Cc}\p{Surrogate}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;
/** Names that Windows keeps for devices, whatever they end with. */
const device = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3]) *(?:\.|$)/i;

/**
 * Refuses a path that leads out of its folder, or that some file system takes for another one or can't hold.
 *
 * @throws UnreadableDocument `unsafe_path`
 */
export function checkPath(path: string): void {
  const fault = faultOf(path);
  if (fault === undefined) return;
  throw new UnreadableDocument(
    'unsafe_path',
    `The path ${shown(path)} ${fault}. Name each file below the folder, with slashes, by a name that every disk can hold.`,
  );
}

function faultOf(path: string): string | undefined {
  const steps = path.split('/');
  if (steps.some((step) => step === '' || step === '.' || step === '..')) return 'leads out of the folder';
  if (odd.test(path)) return 'holds a character that no path should';
  if (path.length > MAX_PATH) return `is longer than ${String(MAX_PATH)} characters`;
  if (steps.some((step) => /[. ]$/.test(step)))
    return 'has a name that ends in a dot or a blank, which Windows drops';
  if (steps.some((step) => device.test(step))) return 'has the name of a device of Windows';
  return undefined;
}

function shown(path: string): string {
  const plain = path.replace(/[\p{Cc}\p{Cf}\p{Surrogate}]/gu, '\ufffd');
  return JSON.stringify(Array.from(plain).slice(0, 80).join(''));
}

/**
 * Refuses files that one disk can't hold beside each other.
 *
 * @throws UnreadableDocument `unsafe_path`, `document_too_expensive`, and `malformed_archive` where a path comes twice, or is
 *   a folder as well
 */
export function checkFiles(files: readonly ArchiveFile[], limits: FolderLimits): void {
  const seen = new Set<string>();
  for (const { path } of files) {
    checkPath(path);
    const folded = foldedPath(path);
    if (seen.has(folded)) throw malformed(`it holds ${shown(path)} twice, case and accents' spelling aside`);
    seen.add(folded);
  }
  for (const { path } of files) {
    const above = foldersAbove(foldedPath(path)).find((folder) => seen.has(folder));
    if (above !== undefined) throw malformed(`${shown(above)} is a file, and the folder of ${shown(path)}`);
  }
  checkSize(
    files.length,
    files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0),
    limits,
  );
}

/** Folds a path as a file system does that knows no case, and writes an accent in one way. */
function foldedPath(path: string): string {
  return path.normalize('NFC').toLowerCase().normalize('NFC');
}

function foldersAbove(path: string): string[] {
  const steps = path.split('/');
  return steps.slice(1).map((_, at) => steps.slice(0, at + 1).join('/'));
}

export function checkSize(files: number, bytes: number, limits: FolderLimits): void {
  if (files <= limits.files && bytes <= limits.bytes) return;
  throw new UnreadableDocument(
    'document_too_expensive',
    `The folder has more than ${String(limits.files)} files or ${String(limits.bytes / 1024)} KiB. Leave out what is not needed.`,
  );
}

export function malformed(reason: string): UnreadableDocument {
  return new UnreadableDocument(
    'malformed_archive',
    `The archive can't be read: ${reason}. Pack it again as zip, tar or tar.gz, without links and passwords.`,
  );
}
