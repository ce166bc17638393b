import { isArchive, readArchive } from '../archive/archive.stream.js';
import { UnreadableDocument } from '../imported.js';
import { importLimits } from '../import-limits.js';
import { isObject } from '../json-reading.js';
import { mostFiles } from './uploaded-files.js';

const limits = { files: mostFiles, bytes: importLimits.bytes };

/**
 * A document that is an archive (its bytes, or `{archive: base64, main?}`) as `{files: {path: text}, main?}`; any other
 * as it is. Unpacked in memory, within limits that hold whatever the archive claims.
 *
 * @throws UnreadableDocument `malformed_archive`, `unsafe_path`, `document_too_expensive`
 */
export async function unpacked(source: Uint8Array | string | object): Promise<Uint8Array | string | object> {
  if (source instanceof Uint8Array) return isArchive(source) ? { files: await filesOf(source) } : source;
  if (!isObject(source)) return source;
  const { archive, ...rest } = source;
  if (typeof archive !== 'string' || Object.keys(rest).some((name) => name !== 'main')) return source;
  const bytes = Buffer.from(archive, 'base64');
  if (isArchive(bytes)) return { ...rest, files: await filesOf(bytes) };
  throw new UnreadableDocument(
    'malformed_archive',
    '`archive` is no zip, tar or tar.gz in base64. Pack the folder again.',
    '/archive',
  );
}

async function filesOf(bytes: Uint8Array): Promise<Record<string, string>> {
  const files = await readArchive(bytes, limits);
  return Object.fromEntries(files.map(({ path, bytes }) => [path, new TextDecoder().decode(bytes)]));
}
