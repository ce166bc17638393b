import { readdir, readFile, stat } from 'node:fs/promises';
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
import { CliFault, exitCodes } from './output.js';

/** Files of one registry, and bytes of one of them: more is no spec. */
const MAX_FILES = 50_000;
const MAX_BYTES = 2 * 1024 * 1024;

/** Reads a registry's folder. Throws CliFault where it is none, or can't be read. */
export async function registryOf(folder: string): Promise<RegistryFolder> {
  const lists = await Promise.all([specFolder, evalFolder].map((part) => registryFiles(folder, part)));
  if (lists[0]?.length === 0) {
    throw new CliFault(
      exitCodes.usage,
      `${folder} has no specs: they are files ${specFolder}/<name>/v<major>_<minor>_<patch>.yaml. Name the folder that holds ${specFolder}.`,
    );
  }
  const paths = [...lists.flat(), ...((await exists(join(folder, acceptedFile))) ? [acceptedFile] : [])];
  if (paths.length > MAX_FILES)
    throw new CliFault(exitCodes.usage, `${folder} has more than ${String(MAX_FILES)} files.`);
  const files: FileText[] = [];
  for (const path of paths) files.push({ path, text: await textOf(join(folder, path)) });
  return readRegistry(files);
}

const exists = (file: string): Promise<boolean> =>
  stat(file).then(
    (found) => found.isFile(),
    () => false,
  );

/** Paths of the YAML files below a part of the folder, with slashes; nothing where there is no such part. */
export async function registryFiles(folder: string, part: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(join(folder, part), { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && /\.ya?ml$/i.test(entry.name))
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw unreadable(join(folder, part), error);
  }
}

async function textOf(file: string): Promise<string> {
  try {
    const { size } = await stat(file);
    if (size > MAX_BYTES)
      throw new Error(`it has ${String(size)} bytes, and a spec ${String(MAX_BYTES)} at most`);
    // A mark of byte order stays, as all else does.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(file));
  } catch (error) {
    throw unreadable(file, error);
  }
}

function unreadable(file: string, error: unknown): CliFault {
  const reason = error instanceof Error ? error.message : String(error);
  return new CliFault(exitCodes.usage, `${file} can't be read: ${reason}`);
}

/** `file:line`, as editors and terminals make links of it. */
export function faultLine({ file, line, pointer, rule, detail }: FileFault): string {
  return `${file}:${String(line)} ${rule} ${pointer === '' ? '' : `${pointer} `}${detail}`;
}
