import { checkFiles, malformed, type ArchiveFile, type ArchiveLimits } from './archive-file.js';
import { isGzip, readTar } from './tar.stream.js';
import { readZip } from './zip.stream.js';

/**
 * Unpacks a zip, tar or tar.gz, told apart by their first bytes, in memory and within limits; no file is written.
 * Links, devices and passwords are refused, and paths that lead out of the archive.
 *
 * @throws UnreadableDocument `malformed_archive`, `unsafe_path`, `document_too_expensive`
 */
export async function readArchive(bytes: Uint8Array, limits: ArchiveLimits): Promise<ArchiveFile[]> {
  const files = await reader(bytes)(bytes, limits);
  checkFiles(files, limits);
  return files;
}

/** Told by the first bytes; whether it can be read is another question. */
export function isArchive(bytes: Uint8Array): boolean {
  return isZip(bytes) || isGzip(bytes) || isTar(bytes);
}

function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b;
}

function isTar(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(257, 262)).toString('latin1') === 'ustar';
}

function reader(bytes: Uint8Array): typeof readZip {
  if (isZip(bytes)) return readZip;
  if (isGzip(bytes) || isTar(bytes)) return readTar;
  throw malformed('it is neither a zip nor a tar');
}
