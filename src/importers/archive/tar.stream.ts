import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { packTar, unpackTar, type TarHeader } from 'modern-tar';
import { UnreadableDocument } from '../imported.js';
import { checkPath, checkSize, malformed, type ArchiveFile, type ArchiveLimits } from './archive-file.js';

/** Bytes that a tar may spend on one file beside its content: headers with long names, padding. */
const overhead = 4096;

/** Files of a tar, packed by gzip or not. @throws UnreadableDocument */
export async function readTar(bytes: Uint8Array, limits: ArchiveLimits): Promise<ArchiveFile[]> {
  try {
    const tar = isGzip(bytes) ? await unpack(bytes, limits) : bytes;
    let count = 0;
    let total = 0;
    const entries = await unpackTar(tar, {
      strict: true,
      filter: (header) => {
        if (!isFile(header)) return false;
        checkPath(pathOf(header));
        checkSize((count += 1), (total += header.size), limits);
        return true;
      },
    });
    return entries.map(({ header, data }) => ({ path: pathOf(header), bytes: data ?? new Uint8Array() }));
  } catch (fault) {
    if (fault instanceof UnreadableDocument) throw fault;
    throw malformed(fault instanceof Error ? fault.message : String(fault));
  }
}

/** A tar packed by gzip; the same files give the same bytes. */
export async function writeTar(files: readonly ArchiveFile[]): Promise<Uint8Array> {
  const tar = await packTar(
    files.map(({ path, bytes }) => ({
      header: { name: path, size: bytes.byteLength, mtime: new Date(0), mode: 0o644, type: 'file' },
      body: bytes,
    })),
  );
  return promisify(gzip)(tar);
}

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

async function unpack(bytes: Uint8Array, limits: ArchiveLimits): Promise<Uint8Array> {
  const most = limits.bytes + (limits.files + 2) * overhead;
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: most });
  } catch (fault) {
    const code: unknown = Reflect.get(Object(fault), 'code');
    if (code === 'ERR_BUFFER_TOO_LARGE') checkSize(limits.files + 1, 0, limits);
    throw fault;
  }
}

/** Folders are passed over; what is neither is refused. */
function isFile({ name, type = 'file' }: TarHeader): boolean {
  if (type === 'file') return true;
  if (type === 'directory' || type === 'pax-header' || type === 'pax-global-header') return false;
  throw malformed(`${JSON.stringify(name)} is a link or a device`);
}

/** `tar -C folder .` puts `./` in front. */
function pathOf({ name }: TarHeader): string {
  return name.replace(/^(?:\.\/)+/, '');
}
