import { mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ArchiveFile } from '../documents/archive-file.js';
import { CliFault, exitCodes } from './cli-fault.js';

/** Writes files below a directory, all or none: one that is there already is not overwritten, and what was written before it goes. */
export async function writeFiles(directory: string, files: readonly ArchiveFile[]): Promise<void> {
  const made: string[] = [];
  for (const { path, bytes } of files) {
    const file = directory === '.' ? path : join(directory, path);
    try {
      const folder = await mkdir(dirname(file), { recursive: true });
      if (folder !== undefined) made.push(folder);
      const handle = await open(file, 'wx');
      made.push(file);
      await handle.writeFile(bytes).finally(() => handle.close());
    } catch (error) {
      for (const each of made.reverse()) await rm(each, { recursive: true, force: true });
      const reason = error instanceof Error ? error.message : String(error);
      throw new CliFault(exitCodes.usage, `${file} can't be written: ${reason}. Nothing was written.`);
    }
  }
}
