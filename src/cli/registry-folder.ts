import { Command } from 'commander';
import { constants, type Dirent } from 'node:fs';
import { type FileHandle, lstat, open, readdir, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import {
  acceptedFile,
  evalFolder,
  type FileFault,
  type FileText,
  readRegistry,
  type RegistryFolder,
  specFolder,
} from '../registry/shared.js';
import { CliFault, exitCodes, withoutControls } from './output.js';

/** Files of one registry, bytes of one of them, which is no spec beyond that, and of all together. */
const MAX_FILES = 50_000;
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_TOTAL = 256 * 1024 * 1024;

/** A command on a registry's folder. */
export function folderCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .argument('[folder]', 'folder that holds tools/specs', '.')
    .option('--json', 'print JSON');
}

/** Reads a registry's folder. Throws CliFault where it is none, or can't be read. */
export async function registryOf(folder: string): Promise<RegistryFolder> {
  const parts = [specFolder, evalFolder];
  for (const part of parts) await refuseLinked(folder, part);
  const [specs = [], configs = []] = await Promise.all(parts.map((part) => entriesOf(folder, part)));
  const accepted = await lstat(join(folder, acceptedFile)).catch(() => undefined);
  const isPlain = accepted?.isFile() === true;
  const odd = [
    ...oddEntries(folder, [...specs, ...configs]),
    ...(accepted && !isPlain ? [acceptedFile] : []),
  ];
  const paths = [
    ...yamlFiles(folder, specs),
    ...yamlFiles(folder, configs),
    ...(isPlain ? [acceptedFile] : []),
  ];
  if (yamlFiles(folder, specs).length === 0 && odd.length === 0) {
    throw new CliFault(
      exitCodes.usage,
      `${folder} has no specs: they are files ${specFolder}/<name>/v<major>_<minor>_<patch>.yaml. Name the folder that holds ${specFolder}.`,
    );
  }
  if (paths.length > MAX_FILES)
    throw new CliFault(exitCodes.usage, `${folder} has more than ${String(MAX_FILES)} files.`);
  const { files, faults } = await readFiles(folder, paths);
  const registry = readRegistry(files);
  return { ...registry, faults: [...odd.slice(0, MAX_ODD).map(oddFault), ...faults, ...registry.faults] };
}

/** Reads the files; what can't be read is a fault of its own, and the others are read on. */
async function readFiles(
  folder: string,
  paths: readonly string[],
): Promise<{ readonly files: readonly FileText[]; readonly faults: readonly FileFault[] }> {
  const files: FileText[] = [];
  const faults: FileFault[] = [];
  let total = 0;
  for (const path of paths) {
    const bytes = await bytesOf(join(folder, path));
    total += typeof bytes === 'string' ? 0 : bytes.length;
    if (total > MAX_TOTAL)
      throw new CliFault(exitCodes.usage, `${folder} has more than ${String(MAX_TOTAL)} bytes of files.`);
    const text = typeof bytes === 'string' ? undefined : textIn(bytes);
    if (text !== undefined) files.push({ path, text });
    else if (bytes === notAFile) faults.push(oddFault(path));
    else faults.push(unread(path, typeof bytes === 'string' ? bytes : 'is no UTF-8. Write it as UTF-8.'));
  }
  return { files, faults };
}

function unread(file: string, detail: string): FileFault {
  return { file, line: 1, pointer: '', rule: 'unreadable', detail };
}

const notAFile = 'is a link, a pipe or a device. Put the file itself into the folder.';

/** Links and pipes that are named. */
const MAX_ODD = 100;

/** What a link leads to is no part of the folder, and a pipe or a device may never end: neither is opened. */
function oddFault(file: string): FileFault {
  return { file, line: 1, pointer: '', rule: 'not_a_file', detail: notAFile };
}

/** Paths in the folder, with slashes, of what is neither a file nor a folder. */
function oddEntries(folder: string, entries: readonly Dirent[]): readonly string[] {
  return entries.filter((entry) => !entry.isFile() && !entry.isDirectory()).map(pathWithin(folder));
}

function yamlFiles(folder: string, entries: readonly Dirent[]): readonly string[] {
  return entries.filter((entry) => entry.isFile() && /\.ya?ml$/i.test(entry.name)).map(pathWithin(folder));
}

/** Paths of the YAML files below a part of the folder, with slashes; nothing where there is no such part. */
export async function registryFiles(folder: string, part: string): Promise<readonly string[]> {
  return yamlFiles(folder, await entriesOf(folder, part));
}

/** Refuses a part that is elsewhere: what lies there is not this registry's. */
async function refuseLinked(folder: string, part: string): Promise<void> {
  const [whole, own] = await Promise.all(
    [folder, join(folder, part)].map((path) => realpath(path).catch(() => '')),
  );
  if (whole === '' || own === '' || own === join(whole ?? '', part)) return;
  throw unreadable(join(folder, part), new Error('it is a link, or lies behind one. Name the folder itself'));
}

const pathWithin =
  (folder: string) =>
  (entry: Dirent): string =>
    relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/');

async function entriesOf(folder: string, part: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(join(folder, part), { recursive: true, withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw unreadable(join(folder, part), error);
  }
}

/**
 * The bytes of a file, or why there are none. It may have become a link or a pipe since it was listed, or grow while it is read:
 * it is opened as what it is now, and read no further than a spec may go.
 */
async function bytesOf(file: string): Promise<Buffer | string> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const found = await handle.stat();
    const { size } = found;
    if (!found.isFile()) return notAFile;
    const buffer = Buffer.alloc(Math.min(size, MAX_BYTES) + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < buffer.length; length += read)
      read = (await handle.read(buffer, length, buffer.length - length)).bytesRead;
    if (length > MAX_BYTES) return `has more than ${String(MAX_BYTES)} bytes, and a spec no more than that.`;
    if (length > size) return 'was written while it was read. Read it again.';
    return buffer.subarray(0, length);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ELOOP' ? notAFile : `can’t be read: ${message}`;
  } finally {
    await handle?.close();
  }
}

/** A mark of byte order stays, as all else does. */
function textIn(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function unreadable(file: string, error: unknown): CliFault {
  const reason = error instanceof Error ? error.message : String(error);
  return new CliFault(exitCodes.usage, `${file} can't be read: ${reason}`);
}

/** `file:line`, as editors and terminals make links of it. */
export function faultLine({ file, line, pointer, rule, detail }: FileFault): string {
  const place = `${file}:${String(line)} ${rule} ${pointer === '' ? '' : `${pointer} `}${detail}`;
  return withoutControls(place.replaceAll(/[\t\n]/g, ' '));
}
