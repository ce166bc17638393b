import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seedEmbedded } from '../database-templates.js';
import { DatabaseUnfit } from '../../../src/kernel/errors.js';
import type pg from 'pg';
import { isSoak } from '../../soak.js';
import { DirectoryInUse, DirectoryLock } from '../../../src/platform/database/embedded-directory.js';
import { openDatabase } from '../../../src/platform/database/open-database.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'embedded-'));
});
afterEach(async () => {
  await rm(directory, { recursive: true, force: true });
});

test('what was written is there after a restart; meanwhile nobody else gets in', async () => {
  await seedEmbedded(directory);
  const first = await openDatabase({ directory });
  await first.asOwner.query('CREATE TABLE kept (id int); INSERT INTO kept VALUES (7)');
  await expect(openDatabase({ directory })).rejects.toThrow(DirectoryInUse);
  await first.close();
  const second = await openDatabase({ directory });
  expect(await second.asOwner.query('SELECT id FROM kept')).toEqual([{ id: 7 }]);
  await second.close();
  expect((await readdir(directory)).filter((name) => name.startsWith('lock'))).toEqual([]);
});

test('a connection that is given up ends the database, and the next one opens it anew with all that was written', async () => {
  await seedEmbedded(directory);
  const database = await openDatabase({ directory });
  await database.asOwner.query('CREATE TABLE kept (id int); INSERT INTO kept VALUES (7)');
  const client = await database.connections.connect();
  // It is told of as an event, too.
  client.on('error', () => undefined);
  const unanswered = client.query('SELECT pg_sleep(60)').catch((error: unknown) => error);
  (client as pg.Client).connection.stream.destroy(new Error('given up'));
  expect(await unanswered).toMatchObject({ message: 'given up' });
  client.release();
  expect(await database.asOwner.query('SELECT id FROM kept')).toEqual([{ id: 7 }]);
  await database.close();
});

/** A process that holds the lock as we do: it listens on the socket that the link names. */
async function holder(): Promise<ChildProcess> {
  const script = join(directory, 'holder.mjs');
  await writeFile(
    script,
    `import { createServer } from 'node:net';
     import { symlinkSync } from 'node:fs';
     createServer().listen(${JSON.stringify(join(directory, 'lock-other'))}, () => {
       symlinkSync('lock-other', ${JSON.stringify(join(directory, 'lock'))});
       process.send('held');
     });`,
  );
  const child = fork(script, { execArgv: [], env: {} });
  await once(child, 'message');
  return child;
}

test('another process that lives keeps its directory; one that was killed does not', async () => {
  const child = await holder();
  await expect(DirectoryLock.take(directory)).rejects.toThrow(
    'Another process works on the embedded database',
  );
  child.kill('SIGKILL');
  await once(child, 'exit');
  const lock = await DirectoryLock.take(directory);
  await expect(DirectoryLock.take(directory)).rejects.toThrow(DirectoryInUse);
  await lock.release();
  await (await DirectoryLock.take(directory)).release();
});

test('of many that find a stale lock at once one takes it', async () => {
  const child = await holder();
  child.kill('SIGKILL');
  await once(child, 'exit');
  const racing = await Promise.allSettled(Array.from({ length: 10 }, () => DirectoryLock.take(directory)));
  const won = racing.filter((one) => one.status === 'fulfilled');
  expect(won).toHaveLength(1);
  await won[0]?.value.release();
});

test('a directory with a long name can be locked', async () => {
  const long = join(directory, 'd'.repeat(150));
  const lock = await DirectoryLock.take(long);
  await expect(DirectoryLock.take(long)).rejects.toThrow(DirectoryInUse);
  await lock.release();
});

describe('a directory that is not whole', () => {
  const inside = (...names: string[]): string => join(directory, 'postgres', ...names);
  const damages: readonly (readonly [string, string, () => Promise<unknown>])[] = [
    ['without PG_VERSION', 'PG_VERSION is missing', () => rm(inside('PG_VERSION'))],
    ['with an empty PG_VERSION', 'PG_VERSION is empty', () => writeFile(inside('PG_VERSION'), '')],
    [
      'with an empty pg_control',
      'global/pg_control is empty',
      () => writeFile(inside('global', 'pg_control'), ''),
    ],
    ['without pg_wal', 'pg_wal is missing', () => rm(inside('pg_wal'), { recursive: true })],
    ['without base', 'base is missing', () => rm(inside('base'), { recursive: true })],
    [
      'with a pg_control of nonsense',
      'could not be opened',
      () => writeFile(inside('global', 'pg_control'), Buffer.alloc(8192, 7)),
    ],
  ];

  // Each opens an engine twice, and says what is wrong by the same two ways.
  test.each(isSoak ? damages : [...damages.slice(0, 1), ...damages.slice(-1)])(
    '%s is refused in a sentence, and nothing is made over it',
    async (_, sentence, damage) => {
      await seedEmbedded(directory);
      await damage();
      const before = await readdir(inside(), { recursive: true });
      for (let attempt = 0; attempt < 2; attempt += 1) {
        const error: unknown = await openDatabase({ directory }).catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(DatabaseUnfit);
        expect(String(error)).toContain(sentence);
        expect(String(error)).toContain('DATA_DIR');
      }
      expect(await readdir(inside(), { recursive: true })).toEqual(before);
    },
  );

  test('that can’t be read is refused in a sentence', async () => {
    await writeFile(inside(), 'a file');
    const error: unknown = await openDatabase({ directory }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DatabaseUnfit);
    expect(String(error)).toMatch(/can't be used: .*ENOTDIR.*read and write/);
  });

  test('that is empty is filled', async () => {
    await mkdir(inside(), { recursive: true });
    const database = await openDatabase({ directory });
    expect(await database.asOwner.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await database.close();
  });
});
