import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ArchiveFile } from '../importers/archive/archive-file.js';
import { CliFault, exitCodes } from './cli-fault.js';

/** Writes files below a directory, and stops at one that is there already: it is not overwritten. */
export async function writeFiles(directory: string, files: readonly ArchiveFile[]): Promise<void> {
  for (const { path, bytes } of files) {
    const file = directory === '.' ? path : join(directory, path);
    try {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, bytes, { flag: 'wx' });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new CliFault(exitCodes.usage, `${file} can't be written: ${reason}`);
    }
  }
}
