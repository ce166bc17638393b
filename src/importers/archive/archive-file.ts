import { UnreadableDocument } from '../imported.js';

/** One file of an archive, or of a folder that is sent. */
export interface ArchiveFile {
  /** Relative, with slashes, without `.` and `..`. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** What an archive may cost, unpacked. */
export interface ArchiveLimits {
  readonly files: number;
  /** Of all files together. */
  readonly bytes: number;
}

const longestPath = 255;
const odd = /[\\:*?"<>|\p{Cc}\p{Surrogate}]/u;

/**
 * Refuses a path that leads out of its folder, or that some file system takes for another one.
 *
 * @throws UnreadableDocument `unsafe_path`
 */
export function checkPath(path: string): void {
  const steps = path.split('/');
  const leads = steps.some((step) => step === '' || step === '.' || step === '..');
  if (!leads && !odd.test(path) && path.length <= longestPath) return;
  const shown = JSON.stringify(Array.from(path).slice(0, 80).join(''));
  throw new UnreadableDocument(
    'unsafe_path',
    `The path ${shown} leads out of the folder, or is no plain path. Name each file below the folder, with slashes.`,
  );
}

/** @throws UnreadableDocument `unsafe_path`, `document_too_expensive`, and `malformed_archive` where a path comes twice */
export function checkFiles(files: readonly ArchiveFile[], limits: ArchiveLimits): void {
  const seen = new Set<string>();
  for (const { path } of files) {
    checkPath(path);
    const folded = path.toLowerCase();
    if (seen.has(folded)) throw malformed(`it holds ${JSON.stringify(path)} twice, case aside`);
    seen.add(folded);
  }
  checkSize(
    files.length,
    files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0),
    limits,
  );
}

export function checkSize(files: number, bytes: number, limits: ArchiveLimits): void {
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
