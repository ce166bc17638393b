import { setTimeout as sleep } from 'node:timers/promises';
import { v7 } from 'uuid';
import { CommandEngine } from '../src/kernel/command-engine.js';
import { Domain } from '../src/kernel/domain.js';
import { readMigrations } from '../src/kernel/migrations.js';
import { Rebuild, type RebuildReport } from '../src/kernel/rebuild.js';
import type { Database } from '../src/kernel/sql.js';
import { milliseconds, type Measured } from './harness.js';
import { makeNoteTables, noteSlice, noteTables, WriteNote } from './note.slice.js';

const BATCH = 500;
/** Milliseconds that a read or a write may wait while a rebuild goes on (docs/contract.md, section 3). */
const LONGEST_WAIT = { embedded: 1_000, server: 250 } as const;
/** Milliseconds that the reader in the way of a rebuild holds the tables. */
const HELD = 2_000;

/**
 * The longest waits while a rebuild goes on, against those that the contract allows; then events a second that one takes
 * in while somebody reads, against inserting the same rows in batches by hand.
 */
export async function benchRebuild(database: Database, events: number): Promise<Measured[]> {
  await makeNoteTables(database);
  const domain = new Domain([noteSlice]);
  const engine = new CommandEngine(database, domain, { committed: () => undefined });
  const hosts = Array.from({ length: 4 }, () => v7());
  for (let written = 0; written < events; written += BATCH)
    await writeNotes(engine, hosts[(written / BATCH) % 4] ?? '', BATCH);
  const waits = await longestWaits({ database, domain, engine, hosts });
  const baseline = await insertByHand(database, events);
  const rebuild = new Rebuild(database, domain, () => Promise.resolve([{ text: noteTables }]));
  const [{ events: taken, seconds }] = await beside(rebuild, [reader(database, hosts)]);
  const rate = { bench: named('rebuild', database), figure: taken / seconds, unit: 'events/s', baseline };
  return [...waits, rate];
}

interface Ground {
  readonly database: Database;
  readonly domain: Domain;
  readonly engine: CommandEngine;
  readonly hosts: readonly string[];
}

/** Two write and two read; on a PostgreSQL another one reads and stays in its transaction. All tables are made anew. */
async function longestWaits({ database, domain, engine, hosts }: Ground): Promise<Measured[]> {
  const rebuild = new Rebuild(database, domain, async () => [
    ...(await readMigrations('catalog')),
    { text: noteTables },
  ]);
  const holder = () =>
    database.asOwner.transaction(async (tx) => {
      await tx.query('SELECT count(*) FROM note_t');
      await sleep(HELD);
    });
  const writer = () => writeNotes(engine, hosts[0] ?? '', 1);
  const read = reader(database, hosts);
  const others = [writer, writer, read, read, ...(database.embedded ? [] : [holder])];
  const [, [first, second, third, fourth]] = await beside(rebuild, others);
  return Object.entries({ write: [first, second], read: [third, fourth] }).map(([what, longest]) => ({
    bench: named(`longest ${what} during a rebuild`, database),
    figure: Math.max(...longest.map(Number)),
    unit: 'ms',
    baseline: LONGEST_WAIT[database.embedded ? 'embedded' : 'server'],
  }));
}

/** Rebuilds while others go on, each one again 10 ms after it is done. @returns also the longest that each of them took */
async function beside(
  rebuild: Rebuild,
  others: readonly (() => Promise<unknown>)[],
): Promise<readonly [RebuildReport, readonly number[]]> {
  let busy = true;
  const again = async (other: () => Promise<unknown>): Promise<number> => {
    let longest = 0;
    while (busy) {
      longest = Math.max(longest, await milliseconds(other));
      await sleep(10);
    }
    return longest;
  };
  const rebuilt = rebuild.run().finally(() => (busy = false));
  return Promise.all([rebuilt, Promise.all(others.map(again))]);
}

const named = (what: string, { embedded }: Database): string =>
  `${what}, ${embedded ? 'embedded' : 'PostgreSQL'}`;

async function writeNotes(engine: CommandEngine, hostId: string, count: number): Promise<void> {
  const commands = Array.from(
    { length: count },
    (_, index) => new WriteNote(hostId, v7(), { name: `Note ${String(index)}`, text: 'x'.repeat(300) }),
  );
  await engine.execute({
    context: { hostId, actor: { user: 'ada' }, correlationId: 'c' },
    commands: () => commands,
    result: () => undefined,
  });
}

/** Reads fifty notes, each time of another host. */
function reader(database: Database, hosts: readonly string[]): () => Promise<unknown> {
  let turn = 0;
  return () => {
    const hostId = hosts[(turn += 1) % hosts.length] ?? '';
    const page = 'SELECT * FROM note_t WHERE host_id = $1 LIMIT 50';
    return database.of(hostId).query(page, [hostId], 'read_on');
  };
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
