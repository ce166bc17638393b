import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeFiles } from './skill.command.js';

describe('files of a folder', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'write-files-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  const files = ['a.md', 'in/here/b.md', 'c.md'].map((path) => ({ path, bytes: Buffer.from(path) }));

  it('are written, folders included', async () => {
    await writeFiles(directory, files);
    expect(await readFile(join(directory, 'in/here/b.md'), 'utf8')).toBe('in/here/b.md');
  });

  it('are written all or none: what was there stays as it was', async () => {
    await writeFile(join(directory, 'c.md'), 'mine');
    await expect(writeFiles(directory, files)).rejects.toThrow('Nothing was written');
    expect(await readdir(directory)).toEqual(['c.md']);
    expect(await readFile(join(directory, 'c.md'), 'utf8')).toBe('mine');
  });
});
