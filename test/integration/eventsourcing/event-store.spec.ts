import { v7 } from 'uuid';
import { Domain } from '../../../src/eventsourcing/domain.js';
import type { DomainEvent } from '../../../src/eventsourcing/event.js';
import {
  GENESIS_HASH,
  StreamMoved,
  type EventStore,
  type NewEvent,
} from '../../../src/eventsourcing/event-store.js';
import { InMemoryEventStore } from '../../../src/eventsourcing/in-memory-event-store.js';
import { chainHash, newEvent } from '../../../src/eventsourcing/new-event.js';
import { PostgresEventStore } from '../../../src/eventsourcing/postgres-event-store.js';
import { eachDatabase } from '../databases.js';
import { accountSlice } from './account.slice.js';

const { types } = new Domain([accountSlice]);

/** What every event store promises. */
function contract(open: () => Promise<(hostId: string) => EventStore>): void {
  let storeOf: (hostId: string) => EventStore;
  beforeAll(async () => {
    storeOf = await open();
  });

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
      const appended = await storeOf(host).append(host, batch);
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
    const appended = await storeOf(host).append(host, [
      make(host, account, 1, opened('Zoë "\\u0000" \u{1F600}')),
      make(host, account, 2, renamed('b')),
    ]);
    expect(await storeOf(host).readLog(host, 0, 10)).toEqual(appended);
    expect(await storeOf(host).readLog(host, 1, 10)).toEqual(appended.slice(1));
    expect(await storeOf(host).readLog(host, 0, 1)).toEqual(appended.slice(0, 1));
    const stream = { hostId: host, aggregateType: 'Account', aggregateId: account };
    expect(await storeOf(host).readStreams([stream, { ...stream, aggregateId: v7() }])).toEqual(appended);
  });

  test('a version that is taken, and one that leaves a gap, are refused whole', async () => {
    const [host, account, other] = [v7(), v7(), v7()];
    await storeOf(host).append(host, [make(host, account, 1)]);
    for (const version of [1, 3]) {
      const batch = [make(host, other, 1), make(host, account, version)];
      await expect(storeOf(host).append(host, batch)).rejects.toThrow(StreamMoved);
    }
    expect((await storeOf(host).head(host)).position).toBe(1);
    expect(await storeOf(host).readLog(host, 0, 10)).toHaveLength(1);
  });

  test('hosts do not see each other', async () => {
    const [one, two, account] = [v7(), v7(), v7()];
    await storeOf(one).append(one, [make(one, account, 1)]);
    const [first] = await storeOf(two).append(two, [make(two, account, 1)]);
    expect(first?.position).toBe(1);
    for (const hostId of [one, two]) {
      const stream = { hostId, aggregateType: 'Account', aggregateId: account };
      expect((await storeOf(hostId).readStreams([stream])).map(({ host }) => host)).toEqual([hostId]);
    }
  });

  test('of racing appends to one stream one wins', async () => {
    const [host, account] = [v7(), v7()];
    const racing = Array.from({ length: 20 }, () => storeOf(host).append(host, [make(host, account, 1)]));
    const settled = await Promise.allSettled(racing);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await storeOf(host).head(host)).position).toBe(1);
  });
}

const opened = (name: string): DomainEvent => ({ type: 'AccountOpenedEvent', data: { name, tags: [] } });
const renamed = (name: string): DomainEvent => ({ type: 'AccountRenamedEvent', data: { name } });

describe('in memory', () => {
  const memory = new InMemoryEventStore(types);
  contract(() => Promise.resolve(() => memory));

  test('a clock that runs backwards does not show', async () => {
    const times = [2000, 1000];
    const store = new InMemoryEventStore(types, () => times.shift() ?? 0);
    const host = v7();
    const stream = { hostId: host, aggregateType: 'Account', aggregateId: v7() };
    const at = async (version: number) => {
      const actor = { user: 'ada' };
      const event = newEvent(types, opened('a'), { stream, version, actor, correlationId: 'c' });
      return (await store.append(host, [event]))[0]?.time;
    };
    expect(await at(1)).toBe(await at(2));
  });
});

eachDatabase((open) => {
  contract(async () => {
    const database = await open();
    return (hostId) => new PostgresEventStore(database.of(hostId), types);
  });

  test('an older shape is upcast when it is read, and its stored bytes stay', async () => {
    const database = await open();
    const [hostId, aggregateId] = [v7(), v7()];
    const store = new PostgresEventStore(database.of(hostId), types);
    const stream = { hostId, aggregateType: 'Account', aggregateId };
    const circumstances = { stream, version: 1, actor: { user: 'ada' }, correlationId: 'c' };
    await store.append(hostId, [newEvent(types, opened('a'), circumstances)]);
    await database.asOwner.query(`UPDATE event_store_t SET schema_version = 1, data = '{"name":"a"}'`);
    const [event] = await store.readStreams([stream]);
    expect(event?.data).toEqual({ name: 'a', tags: [] });
    expect(event?.dataschema).toBe('urn:portal-catalog:event:AccountOpenedEvent:1');
    expect(await database.asOwner.query('SELECT data FROM event_store_t')).toEqual([
      { data: '{"name":"a"}' },
    ]);
  });
});
