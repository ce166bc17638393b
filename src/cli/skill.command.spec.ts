import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filesOf, writeFiles } from './skill.command.js';

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

describe('a folder that is sent', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sent-folder-'));
    await mkdir(join(directory, 'bills/references'), { recursive: true });
    await writeFile(join(directory, 'bills/SKILL.md'), 'skill');
    await writeFile(join(directory, 'bills/references/a.md'), 'a');
    await writeFile(join(directory, 'outside.md'), 'outside');
  });
  afterEach(() => rm(directory, { recursive: true }));

  const sent = async (): Promise<string[]> =>
    (await filesOf(join(directory, 'bills'))).map(
      ({ path, bytes }) => `${path}: ${Buffer.from(bytes).toString()}`,
    );

  it('has its name, and what links within it lead to', async () => {
    await symlink('references/a.md', join(directory, 'bills/README.md'));
    expect(await sent()).toEqual(['bills/README.md: a', 'bills/SKILL.md: skill', 'bills/references/a.md: a']);
  });

  it.each(['../outside.md', 'nowhere.md', 'references'])(
    'is not sent where a link leads to no file of it: %s',
    async (target) => {
      await symlink(target, join(directory, 'bills/README.md'));
      await expect(sent()).rejects.toThrow('README.md: a link to no file of the folder');
    },
  );
});
