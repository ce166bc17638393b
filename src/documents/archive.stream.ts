import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { crc32, gunzip, gzip } from 'node:zlib';
import { packTar, unpackTar, type TarHeader } from 'modern-tar';
import { fromBufferPromise, type Entry } from 'yauzl';
import { ZipFile } from 'yazl';
import { checkFiles, checkPath, checkSize, malformed, type ArchiveFile } from './archive-file.js';
import { UnreadableDocument } from './findings.js';
import { Pace } from '../kernel/pace.js';
import { isObject } from './json.js';
import { uploadLimits, type FolderLimits } from './limits.js';

/**
 * Unpacks a zip, tar or tar.gz, recognised by their first bytes, in memory and within limits; no file is written.
 * Refuses links, devices and passwords, and paths that lead out of the archive.
 *
 * @throws UnreadableDocument `malformed_archive`, `unsafe_path`, `document_too_expensive`
 */
export async function readArchive(bytes: Uint8Array, limits: FolderLimits): Promise<ArchiveFile[]> {
  if (!isArchive(bytes)) throw malformed('it is neither a zip nor a tar');
  try {
    const files = await (isZip(bytes) ? readZip(bytes, limits) : readTar(bytes, limits));
    checkFiles(files, limits);
    return files;
  } catch (fault) {
    if (fault instanceof UnreadableDocument) throw fault;
    const reason = fault instanceof Error ? fault.message : String(fault);
    const path = refusedPath.exec(reason)?.[1];
    if (path !== undefined) checkPath(path);
    throw malformed(reason);
  }
}

/**
 * Unpacks a document that is an archive (its bytes, or `{archive: base64, main?}`) to `{files: {path: text}, main?}`;
 * any other stays as it is.
 *
 * @throws UnreadableDocument `malformed_archive`, `unsafe_path`, `document_too_expensive`
 */
export async function unpacked(source: Uint8Array | string | object): Promise<Uint8Array | string | object> {
  if (source instanceof Uint8Array) return isArchive(source) ? { files: await textsOf(source) } : source;
  if (!isObject(source)) return source;
  const { archive, ...rest } = source;
  if (typeof archive !== 'string' || Object.keys(rest).some((name) => name !== 'main')) return source;
  const bytes = Buffer.from(archive, 'base64');
  if (isArchive(bytes)) return { ...rest, files: await textsOf(bytes) };
  throw new UnreadableDocument(
    'malformed_archive',
    '`archive` is no zip, tar or tar.gz in base64. Pack the folder again.',
    '/archive',
  );
}

/** Packs a tar.gz; the same files give the same bytes. */
export async function writeTar(files: readonly ArchiveFile[]): Promise<Uint8Array> {
  const tar = await packTar(
    files.map(({ path, bytes }) => ({
      header: { name: path, size: bytes.byteLength, mtime: new Date(0), mode: 0o644, type: 'file' },
      body: bytes,
    })),
  );
  return promisify(gzip)(tar);
}

/** Packs a zip; the same files give the same bytes. */
export async function writeZip(files: readonly ArchiveFile[]): Promise<Uint8Array> {
  const zip = new ZipFile();
  // The first moment that a zip can name.
  const mtime = new Date(1980, 0, 1);
  const pace = new Pace();
  for (const { path, bytes } of files) {
    zip.addBuffer(Buffer.from(bytes), path, { mtime });
    await pace.step();
  }
  zip.end();
  return buffer(zip.outputStream);
}

const isArchive = (bytes: Uint8Array): boolean => isZip(bytes) || isGzip(bytes) || isTar(bytes);
const isZip = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b;
const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;
const isTar = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(257, 262)).toString('latin1') === 'ustar';

async function textsOf(bytes: Uint8Array): Promise<Record<string, string>> {
  const files = await readArchive(bytes, uploadLimits);
  return Object.fromEntries(files.map(({ path, bytes }) => [path, new TextDecoder().decode(bytes)]));
}

async function readTar(bytes: Uint8Array, limits: FolderLimits): Promise<ArchiveFile[]> {
  const tar = isGzip(bytes) ? await unzipped(bytes, limits) : bytes;
  let [count, total] = [0, 0];
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
}

/** Bytes that a tar may spend on one file beside its content: headers with long names, padding. */
const overhead = 4096;

async function unzipped(bytes: Uint8Array, limits: FolderLimits): Promise<Uint8Array> {
  const maxOutputLength = limits.bytes + (limits.files + 2) * overhead;
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength });
  } catch (fault) {
    const code: unknown = Reflect.get(Object(fault), 'code');
    if (code === 'ERR_BUFFER_TOO_LARGE') checkSize(limits.files + 1, 0, limits);
    throw fault;
  }
}

/** Skips folders; refuses what is neither. */
function isFile({ name, type = 'file' }: TarHeader): boolean {
  if (type === 'file') return true;
  if (type === 'directory' || type === 'pax-header' || type === 'pax-global-header') return false;
  throw malformed(`${JSON.stringify(name)} is a link or a device`);
}

/** `tar -C folder .` puts `./` in front. */
function pathOf({ name }: TarHeader): string {
  return name.replace(/^(?:\.\/)+/, '');
}

/**
 * Sizes are added up as the directory states them, before anything is unpacked; the library refuses a file that turns
 * out larger than stated.
 */
async function readZip(bytes: Uint8Array, limits: FolderLimits): Promise<ArchiveFile[]> {
  const zip = await fromBufferPromise(Buffer.from(bytes), { lazyEntries: true, strictFileNames: true });
  const files: ArchiveFile[] = [];
  let total = 0;
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName.endsWith('/')) continue;
    refuseSpecial(entry);
    checkPath(entry.fileName);
    total += entry.uncompressedSize;
    checkSize(files.length + 1, total, limits);
    const bytes = await buffer(await zip.openReadStreamPromise(entry));
    if (crc32(bytes) !== entry.crc32)
      throw malformed(`${JSON.stringify(entry.fileName)} has not the checksum that is said`);
    files.push({ path: entry.fileName, bytes });
  }
  return files;
}

/** How the library for zips says that it does not take a path. */
const refusedPath = /^(?:invalid characters in fileName|absolute path|invalid relative path): (.*)$/s;

/** File type bits of a Unix mode, in the upper half of the attributes. */
const fileType = 0o170000;

function refuseSpecial(entry: Entry): void {
  if (entry.isEncrypted()) throw malformed(`${JSON.stringify(entry.fileName)} has a password`);
  const type = (entry.externalFileAttributes >>> 16) & fileType;
  if (type === 0 || type === 0o100000) return;
  throw malformed(`${JSON.stringify(entry.fileName)} is a link or a device`);
}
