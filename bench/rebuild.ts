import { setTimeout as sleep } from 'node:timers/promises';
import { v7 } from 'uuid';
import { CommandEngine } from '../src/eventsourcing/command-engine.js';
import { Domain } from '../src/eventsourcing/domain.js';
import { Rebuild } from '../src/eventsourcing/rebuild.js';
import type { Database } from '../src/eventsourcing/sql.js';
import type { Measured } from './harness.js';
import { makeNoteTables, noteSlice, noteTables, WriteNote } from './note.slice.js';

const BATCH = 500;

/** Events a second that a rebuild takes in while somebody reads, against inserting the same rows in batches by hand. */
export async function benchRebuild(database: Database, events: number): Promise<Measured> {
  await makeNoteTables(database);
  const domain = new Domain([noteSlice]);
  const engine = new CommandEngine(database, domain, { committed: () => undefined });
  const hosts = Array.from({ length: 4 }, () => v7());
  for (let written = 0; written < events; written += BATCH)
    await writeNotes(engine, hosts[(written / BATCH) % 4] ?? '');
  const baseline = await insertByHand(database, events);
  const rebuild = new Rebuild(database, domain, () => Promise.resolve([{ text: noteTables }]));
  const reading = new AbortController();
  const reads = readOn(database, hosts, reading.signal);
  const { events: taken, seconds } = await rebuild.run().finally(() => {
    reading.abort();
  });
  await reads;
  const bench = `rebuild, ${database.embedded ? 'embedded' : 'PostgreSQL'}`;
  return { bench, figure: taken / seconds, unit: 'events/s', baseline };
}

async function writeNotes(engine: CommandEngine, hostId: string): Promise<void> {
  const commands = Array.from(
    { length: BATCH },
    (_, index) => new WriteNote(hostId, v7(), { name: `Note ${String(index)}`, text: 'x'.repeat(300) }),
  );
  await engine.execute({
    mode: 'optimistic',
    context: { hostId, actor: { user: 'ada' }, correlationId: 'c' },
    plan: () => commands,
    reply: (_, at) => ({ status: 201, headers: {}, body: String(at) }),
  });
}

/** Reads fifty notes of a host every 10 ms. */
async function readOn(database: Database, hosts: readonly string[], signal: AbortSignal): Promise<void> {
  for (let turn = 0; !signal.aborted; turn += 1) {
    const hostId = hosts[turn % hosts.length] ?? '';
    const page = 'SELECT * FROM note_t WHERE host_id = $1 LIMIT 50';
    await database.of(hostId).query(page, [hostId], 'read_on');
    await sleep(10);
  }
}

/** Rows a second. */
async function insertByHand(database: Database, rows: number): Promise<number> {
  await database.asOwner.query('CREATE TABLE public.by_hand_t (LIKE note_t INCLUDING ALL)');
  const started = performance.now();
  for (let inserted = 0; inserted < rows; inserted += BATCH) {
    const ids = Array.from({ length: BATCH }, () => v7());
    await database.asOwner.query(
      'INSERT INTO public.by_hand_t SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[])',
      [ids, ids, ids.map((_, index) => `Note ${String(index)}`)],
      'by_hand',
    );
  }
  return rows / ((performance.now() - started) / 1000);
}
