import { v7 } from 'uuid';
import { Domain } from '../../../src/kernel/domain.js';
import type { DomainEvent, RecordedEvent } from '../../../src/kernel/event.js';
import {
  chainHash,
  GENESIS_HASH,
  newEvent,
  type NewEvent,
  type StoredEvent,
} from '../../../src/kernel/envelope.js';
import {
  append as appendTo,
  EventStore,
  insertStored,
  isStreamMoved,
  beginLog,
  lockHead,
} from '../../../src/kernel/event-store.js';
import type { Database } from '../../../src/kernel/sql.js';
import { eachDatabase } from '../databases.js';
import { accountSlice } from './account.slice.js';

const { types } = new Domain([accountSlice]);

const opened = (name: string): DomainEvent => ({ type: 'AccountOpenedEvent', data: { name, tags: [] } });
const noted = (note: string): DomainEvent => ({ type: 'AuditNotedEvent', data: { note } });
const renamed = (name: string): DomainEvent => ({ type: 'AccountRenamedEvent', data: { name } });

eachDatabase((open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });

  const storeOf = (hostId: string): EventStore => new EventStore(database.of(hostId), types);
  const append = (hostId: string, events: readonly NewEvent[]): Promise<readonly RecordedEvent[]> =>
    database
      .of(hostId)
      .transaction(async (tx) =>
        appendTo(tx, types, (await lockHead(tx, hostId)) ?? (await beginLog(tx, hostId)), events),
      );
  const make = (
    host: string,
    account: string,
    version: number,
    event: DomainEvent = opened('main'),
  ): NewEvent =>
    newEvent(types, event, {
      stream: { hostId: host, aggregateType: 'Account', aggregateId: account },
      version,
      actor: { user: 'ada' },
      correlationId: 'c1',
    });

  test('an empty log has position 0 and 64 zeros', async () => {
    expect(await storeOf(v7()).head(v7())).toEqual({ position: 0, time: '', hash: GENESIS_HASH });
  });

  test('positions have no gaps, times do not run backwards, and each hash follows from the one before', async () => {
    const [host, one, two] = [v7(), v7(), v7()];
    const batches = [[make(host, one, 1), make(host, two, 1)], [make(host, one, 2, renamed('b'))]];
    let last = { position: 0, time: '', hash: GENESIS_HASH };
    for (const batch of batches) {
      const appended = await append(host, batch);
      for (const [index, event] of appended.entries()) {
        expect(event.position).toBe(last.position + 1);
        expect(event.time >= last.time).toBe(true);
        expect(event.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
        expect(event.hash).toBe(chainHash(last.hash, event.position, event.time, batch[index]?.digest ?? ''));
        last = event;
      }
    }
    expect(await storeOf(host).head(host)).toEqual({ position: 3, time: last.time, hash: last.hash });
  });

  test('what is read is what append gave', async () => {
    const [host, account] = [v7(), v7()];
    const appended = await append(host, [
      make(host, account, 1, opened('Zoë "\\u0000" \u{1F600}')),
      make(host, account, 2, renamed('b')),
    ]);
    expect(await storeOf(host).readLog(host, 0, 10)).toEqual(appended);
    expect(await storeOf(host).readLog(host, 1, 10)).toEqual(appended.slice(1));
    expect(await storeOf(host).readLog(host, 0, 1)).toEqual(appended.slice(0, 1));
    const stream = { hostId: host, aggregateType: 'Account', aggregateId: account };
    expect(await storeOf(host).readStreams([stream, { ...stream, aggregateId: v7() }])).toEqual(appended);
  });

  test('a fold is given the last of what says all of a thing, and the log keeps the others', async () => {
    const [hostId, aggregateId] = [v7(), v7()];
    const said = [opened('main'), noted('a'), noted('b'), noted('a'), renamed('c')];
    await append(
      hostId,
      said.map((event, at) => make(hostId, aggregateId, at + 1, event)),
    );
    const stream = { hostId, aggregateType: 'Account', aggregateId };
    const versions = async (reading: 'readStates' | 'readStreams') =>
      (await storeOf(hostId)[reading]([stream])).map(({ aggregateversion }) => aggregateversion);
    expect(await versions('readStates')).toEqual([1, 3, 4, 5]);
    expect(await versions('readStreams')).toEqual([1, 2, 3, 4, 5]);
    const erase = 'UPDATE event_store_t SET data = NULL WHERE host_id = $1 AND aggregate_version = 4';
    await database.asOwner.query(erase, [hostId]);
    // What was erased says nothing any more.
    expect(await versions('readStates')).toEqual([1, 2, 3, 4, 5]);
  });

  test('what is stored once more is given to folds as before, whatever this program knows of it', async () => {
    const [hostId, restored, aggregateId] = [v7(), v7(), v7()];
    const said = [opened('main'), noted('a'), renamed('b'), noted('a')];
    const events = said.map((event, at) => make(hostId, aggregateId, at + 1, event));
    await append(hostId, events);
    const rows = await database
      .of(hostId)
      .query<StoredEvent>('SELECT * FROM event_store_t WHERE host_id = $1 ORDER BY position', [hostId]);
    const stored = rows.map((row) => ({ ...row, host_id: restored, id: v7() }));
    const gone = stored.map((row, at) => (at === 2 ? { ...row, event_type: 'AccountPaintedEvent' } : row));
    await database.of(restored).transaction((tx) => insertStored(tx, types, gone));
    const read = await database
      .of(restored)
      .query<StoredEvent>('SELECT * FROM read_states($1, $2, $3)', [[restored], ['Account'], [aggregateId]]);
    expect(read.map(({ aggregate_version: version }) => version)).toEqual([1, 3, 4]);
  });

  test('a version that is taken is refused, and so are the events beside it', async () => {
    const [host, account, other] = [v7(), v7(), v7()];
    await append(host, [make(host, account, 1)]);
    const batch = [make(host, other, 1), make(host, account, 1)];
    const refusal: unknown = await append(host, batch).catch((error: unknown) => error);
    expect(isStreamMoved(refusal)).toBe(true);
    expect((await storeOf(host).head(host)).position).toBe(1);
    expect(await storeOf(host).readLog(host, 0, 10)).toHaveLength(1);
  });

  test('hosts do not see each other', async () => {
    const [one, two, account] = [v7(), v7(), v7()];
    await append(one, [make(one, account, 1)]);
    const [first] = await append(two, [make(two, account, 1)]);
    expect(first?.position).toBe(1);
    for (const hostId of [one, two]) {
      const stream = { hostId, aggregateType: 'Account', aggregateId: account };
      expect((await storeOf(hostId).readStreams([stream])).map(({ host }) => host)).toEqual([hostId]);
    }
  });

  test('of racing appends to one stream one wins', async () => {
    const [host, account] = [v7(), v7()];
    const racing = Array.from({ length: 20 }, () => append(host, [make(host, account, 1)]));
    const settled = await Promise.allSettled(racing);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await storeOf(host).head(host)).position).toBe(1);
  });

  test('an older shape is upcast when it is read, and its stored bytes stay', async () => {
    const [hostId, aggregateId] = [v7(), v7()];
    const store = storeOf(hostId);
    const stream = { hostId, aggregateType: 'Account', aggregateId };
    const metadata = { stream, version: 1, actor: { user: 'ada' }, correlationId: 'c' };
    await append(hostId, [newEvent(types, opened('a'), metadata)]);
    await database.asOwner.query(
      `UPDATE event_store_t SET schema_version = 1, data = '{"name":"a"}' WHERE host_id = $1`,
      [hostId],
    );
    const [event] = await store.readStreams([stream]);
    expect(event?.data).toEqual({ name: 'a', tags: [] });
    expect(event?.dataschema).toBe('urn:portal-catalog:event:AccountOpenedEvent:1');
    const stored = 'SELECT data FROM event_store_t WHERE host_id = $1';
    expect(await database.asOwner.query(stored, [hostId])).toEqual([{ data: '{"name":"a"}' }]);
  });
});
