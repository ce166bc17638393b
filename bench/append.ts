import pg from 'pg';
import { v7 } from 'uuid';
import { CommandEngine } from '../src/kernel/command-engine.js';
import { Domain } from '../src/kernel/domain.js';
import { newEvent } from '../src/kernel/envelope.js';
import { append as appendTo, beginLog, lockHead } from '../src/kernel/event-store.js';
import { openDatabase, type OpenDatabase } from '../src/platform/database/open-database.js';
import type { Measured } from './harness.js';
import { makeNoteTables, noteSlice, WriteNote, type Note } from './note.slice.js';
import { withDatabase } from './programs.js';

/** What an append costs over inserting the same row by hand, and what the whole way of a command costs. */

const DATA: Note = { name: 'How to open an account', text: 'x'.repeat(600) };

/** Runs the benches on a database of its own on the server of `url`. */
export function benchAppend(url: string, seconds = 4): Promise<readonly Measured[]> {
  return withDatabase(url, (own) => bench(own, seconds));
}

/** Rows a second that so many connections insert by hand, each with `begin; insert; commit`. */
export async function rawWrites(url: string, connections: number, seconds: number): Promise<number> {
  const database = await openDatabase({ url, directory: '' });
  await database.asOwner.query('CREATE TABLE IF NOT EXISTS public.raw_t (LIKE event_store_t INCLUDING ALL)');
  await database.close();
  return withClients(url, connections, (clients) =>
    writesPerSecond((index) => rawInsert(clients, index), seconds, connections),
  );
}

async function bench(url: string, seconds: number): Promise<readonly Measured[]> {
  const database = await openDatabase({ url, directory: '' });
  await makeNoteTables(database);
  const figures: Measured[] = [];
  const measure = (work: (index: number) => Promise<void>) => writesPerSecond(work, seconds, 16);
  try {
    for (const hosts of [1, 16]) {
      const hostIds = Array.from({ length: hosts }, () => v7());
      const hostOf = (index: number): string => hostIds[index % hosts] ?? '';
      const baseline = await rawWrites(url, hosts, seconds);
      const store = await measure((index) => append(database, hostOf(index)));
      figures.push({ bench: `append, ${String(hosts)} hosts`, figure: store, unit: 'writes/s', baseline });
      const engine = new CommandEngine(database, new Domain([noteSlice]), { committed: () => undefined });
      const whole = await measure((index) => command(engine, hostOf(index)));
      figures.push({ bench: `command, ${String(hosts)} hosts`, figure: whole, unit: 'writes/s', baseline });
    }
  } finally {
    await database.close();
  }
  return figures;
}

/** Lines of work side by side, on each one write after the other, for so many seconds after others: how many a second. */
export async function writesPerSecond(
  work: (line: number) => Promise<void>,
  seconds: number,
  lines: number,
  warmUp = 1,
): Promise<number> {
  let done = 0;
  let until = performance.now() + warmUp * 1000;
  const line = async (index: number): Promise<void> => {
    while (performance.now() < until) {
      await work(index);
      done += 1;
    }
  };
  const all = (): Promise<unknown> => Promise.all(Array.from({ length: lines }, (_, index) => line(index)));
  await all();
  done = 0;
  const start = performance.now();
  until = start + seconds * 1000;
  await all();
  return done / ((performance.now() - start) / 1000);
}

async function rawInsert(clients: readonly pg.Client[], index: number): Promise<void> {
  const client = clients[index];
  if (client === undefined) throw new Error('There are fewer clients than lines of work.');
  const at = (position += 1);
  await client.query('BEGIN');
  await client.query({
    name: 'raw',
    text: `INSERT INTO public.raw_t VALUES ($1, $2, $3, 'NoteWrittenEvent', 1, 'Note', $4, 1, 'ada', NULL,
      'urn:portal-catalog', 'c', NULL, now(), $5, $6, $6)`,
    values: [RAW_HOST, at, v7(), v7(), JSON.stringify(DATA), '0'.repeat(64)],
  });
  await client.query('COMMIT');
}

let position = 0;
const RAW_HOST = v7();

const { types } = new Domain([noteSlice]);

async function append(database: OpenDatabase, hostId: string): Promise<void> {
  const stream = { hostId, aggregateType: 'Note', aggregateId: v7() };
  const event = newEvent(
    types,
    { type: 'NoteWrittenEvent', data: DATA },
    { stream, version: 1, actor: { user: 'ada' }, correlationId: 'c' },
  );
  await database
    .of(hostId)
    .transaction(async (tx) =>
      appendTo(tx, types, (await lockHead(tx, hostId)) ?? (await beginLog(tx, hostId)), [event]),
    );
}

async function command(engine: CommandEngine, hostId: string): Promise<void> {
  await engine.execute({
    context: { hostId, actor: { user: 'ada' }, correlationId: 'c' },
    commands: () => [new WriteNote(hostId, v7(), DATA)],
    result: () => undefined,
  });
}

async function withClients<T>(
  url: string,
  count: number,
  work: (clients: readonly pg.Client[]) => Promise<T>,
): Promise<T> {
  const clients = Array.from({ length: count }, () => new pg.Client(url));
  await Promise.all(clients.map((client) => client.connect()));
  try {
    return await work(clients);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}
