import { buffer } from 'node:stream/consumers';
import { fromBufferPromise, type Entry } from 'yauzl';
import { ZipFile } from 'yazl';
import { UnreadableDocument } from '../imported.js';
import { checkPath, checkSize, malformed, type ArchiveFile, type ArchiveLimits } from './archive-file.js';

/**
 * Files of a zip. Sizes are added up as the directory states them, before anything is unpacked; a file that turns out
 * larger than stated is refused. @throws UnreadableDocument
 */
export async function readZip(bytes: Uint8Array, limits: ArchiveLimits): Promise<ArchiveFile[]> {
  try {
    const zip = await fromBufferPromise(Buffer.from(bytes), { lazyEntries: true, strictFileNames: true });
    const files: ArchiveFile[] = [];
    let total = 0;
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith('/')) continue;
      refuseSpecial(entry);
      checkPath(entry.fileName);
      total += entry.uncompressedSize;
      checkSize(files.length + 1, total, limits);
      const content = await zip.openReadStreamPromise(entry);
      files.push({ path: entry.fileName, bytes: await buffer(content) });
    }
    return files;
  } catch (fault) {
    if (fault instanceof UnreadableDocument) throw fault;
    const reason = fault instanceof Error ? fault.message : String(fault);
    const path = refusedPath.exec(reason)?.[1];
    if (path !== undefined) checkPath(path);
    throw malformed(reason);
  }
}

/** How the library says that it does not take a path. */
const refusedPath = /^(?:invalid characters in fileName|absolute path|invalid relative path): (.*)$/s;

export async function writeZip(files: readonly ArchiveFile[]): Promise<Uint8Array> {
  const zip = new ZipFile();
  for (const { path, bytes } of files) zip.addBuffer(Buffer.from(bytes), path, { mtime: epoch });
  zip.end();
  return buffer(zip.outputStream);
}

/** The same files give the same bytes. The first moment that a zip can name. */
const epoch = new Date(1980, 0, 1);

/** File type bits of a Unix mode, in the upper half of the attributes. */
const fileType = 0o170000;

function refuseSpecial(entry: Entry): void {
  if (entry.isEncrypted()) throw malformed(`${JSON.stringify(entry.fileName)} has a password`);
  const type = (entry.externalFileAttributes >>> 16) & fileType;
  if (type === 0 || type === 0o100000) return;
  throw malformed(`${JSON.stringify(entry.fileName)} is a link or a device`);
}
