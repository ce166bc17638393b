import { randomUUID } from 'node:crypto';
import { HeadWatcher } from '../../../src/kernel/heads.js';
import type { Database } from '../../../src/kernel/sql.js';
import type { OpenDatabase } from '../../../src/platform/database/open-database.js';
import { searchDocuments } from '../../../src/search/documents/search-documents.follower.js';
import { HostIndexes } from '../../../src/search/host-search/host-indexes.service.js';
import { until } from '../../until.js';
import { eachDatabase } from '../databases.js';
import { Tables } from '../effective-catalog/tables.js';
import { reworded } from '../overheard.js';

/** Indexes over a database that answers no question about changes at times: searches are answered by the database then. */
eachDatabase((open) => {
  let database: OpenDatabase;
  let heads: HeadWatcher;
  let indexes: HostIndexes;
  let failing = false;
  let held = Promise.resolve();
  let asked = 0;
  beforeAll(async () => {
    database = await open();
    heads = new HeadWatcher(database);
    const failed = reworded(database, (text) => {
      if (!text.includes('search_change_t')) return text;
      asked += 1;
      return failing ? 'SELECT 1 / 0' : text;
    });
    const slow: Database = {
      ...failed,
      of: (hostId) => ({
        ...failed.of(hostId),
        async query(...call) {
          const holding = held;
          const rows = await failed.of(hostId).query<never>(...call);
          await holding;
          return rows;
        },
      }),
    };
    indexes = new HostIndexes(slow, heads, { searchIndexBytes: 10_000_000 });
  });
  beforeEach(() => (failing = false));
  afterAll(async () => {
    await indexes.beforeApplicationShutdown();
    heads.onModuleDestroy();
  });

  const aHost = async (): Promise<string> => {
    const hostId = randomUUID();
    const tables = new Tables(database.asOwner, hostId);
    await tables.add('host_head_t', {});
    await tables.add('checkpoint_t', { follower: searchDocuments });
    return hostId;
  };

  test('one that can’t follow is dropped', async () => {
    const hostId = await aHost();
    await until(
      () => indexes.of(hostId),
      (index) => index !== undefined,
    );
    await database.asOwner.query('UPDATE host_head_t SET position = 1 WHERE host_id = $1', [hostId]);
    heads.committed({ hostId, position: 1, events: [] }, Infinity);
    failing = true;
    await until(
      () => indexes.of(hostId),
      (index) => index === undefined,
    );
  });

  test('one that follows for long is not waited for, and is there when it has caught up', async () => {
    const hostId = await aHost();
    await until(
      () => indexes.of(hostId),
      (index) => index !== undefined,
    );
    for (const table of ['host_head_t', 'checkpoint_t'])
      await database.asOwner.query(`UPDATE ${table} SET position = 1 WHERE host_id = $1`, [hostId]);
    heads.committed({ hostId, position: 1, events: [] }, Infinity);
    let answer = (): void => undefined;
    held = new Promise<void>((resolve) => (answer = resolve));
    expect(await indexes.of(hostId)).toBeUndefined();
    answer();
    const index = await until(
      () => indexes.of(hostId),
      (found) => found !== undefined,
    );
    expect(index.position).toBe(1);
  });

  test('one that was made while a former one still follows is not taken for it', async () => {
    const hostId = await aHost();
    const goOnTo = async (position: number) => {
      for (const table of ['host_head_t', 'checkpoint_t'])
        await database.asOwner.query(`UPDATE ${table} SET position = $2 WHERE host_id = $1`, [
          hostId,
          position,
        ]);
      heads.committed({ hostId, position, events: [] }, Infinity);
    };
    const made = () =>
      until(
        () => indexes.of(hostId),
        (index) => index !== undefined,
      );
    await made();
    await goOnTo(1);
    let answer = (): void => undefined;
    held = new Promise<void>((resolve) => (answer = resolve));
    const before = asked;
    const former = indexes.of(hostId);
    await until(
      () => asked,
      (count) => count > before,
    );
    held = Promise.resolve();
    indexes.drop(hostId);
    await made();
    await goOnTo(2);
    const later = indexes.of(hostId);
    answer();
    expect((await later)?.position).toBe(2);
    expect(await former).toBeUndefined();
  });

  test('is made, and follows, behind those who don’t wait for it', async () => {
    const hostId = await aHost();
    expect(indexes.peek(hostId)).toBeUndefined();
    const goneOnTo = (wanted: number) =>
      until(
        () => {
          indexes.advance(hostId);
          return indexes.peek(hostId);
        },
        (index) => index?.position === wanted,
      );
    await goneOnTo(0);
    await database.asOwner.query('UPDATE checkpoint_t SET position = 1 WHERE host_id = $1', [hostId]);
    await goneOnTo(1);
  });

  test('one that can’t be made is not tried again at once', async () => {
    const hostId = await aHost();
    failing = true;
    expect(indexes.mayHave(hostId)).toBe(true);
    await until(
      () => indexes.of(hostId).then(() => indexes.mayHave(hostId)),
      (mayHave) => !mayHave,
    );
    const before = asked;
    expect(await indexes.of(hostId)).toBeUndefined();
    expect(asked).toBe(before);
  });
});
