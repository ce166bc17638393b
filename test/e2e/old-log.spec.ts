import { readFile } from 'node:fs/promises';
import { slices } from '../../src/app.module.js';
import { canonicalJson } from '../../src/eventsourcing/canonical-json.js';
import type { RecordedEvent } from '../../src/eventsourcing/event.js';
import { LogVerifier } from '../../src/eventsourcing/log-verifier.js';
import { Rebuild } from '../../src/eventsourcing/rebuild.js';
import { DATABASE, type Database } from '../../src/eventsourcing/sql.js';
import { eachServer, hostId } from './server.js';

type Row = Readonly<Record<string, unknown>>;

const fixture = (name: string): Promise<string> => readFile(`test/fixtures/log-1/${name}`, 'utf8');

/** A log as `portal-catalog export` wrote it at version 0.1.0, with events of every type that there was. */
const readLog = async (): Promise<RecordedEvent[]> =>
  (await fixture('log.jsonl'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordedEvent);

eachServer((server) => {
  const database = (): Database => server().app.get<Database>(DATABASE);

  beforeAll(async () => {
    await insertLog(database(), await readLog());
    await server().app.get(Rebuild).run();
  });

  it('holds every type of event that version 0.1.0 knew', async () => {
    const types = new Set((await readLog()).map(({ type }) => type));
    const known = slices.flatMap(({ events }) => events.map(({ type }) => type));
    expect([...types].filter((type) => !known.includes(type))).toEqual([]);
    expect(types.size).toBe(66);
  });

  it('is whole: each hash follows from the one before', async () => {
    const [verdict] = await new LogVerifier(database()).verify({ hostId });
    expect(verdict?.fault).toBeUndefined();
    expect(verdict?.events).toBe((await readLog()).length);
  });

  it('gives the rows that it gave then', async () => {
    const tables = JSON.parse(await fixture('rows.json')) as Readonly<Record<string, readonly Row[]>>;
    for (const [table, rows] of Object.entries(tables)) {
      const found = await database().asOwner.query<{ row: Row }>(`SELECT to_jsonb(t) AS row FROM ${table} t`);
      const columns = Object.keys(rows[0] ?? {});
      expect([table, sorted(found.map(({ row }) => pick(row, columns)))]).toEqual([table, sorted(rows)]);
    }
  });

  /** Changes with the form of the catalog alone, and then on purpose: every agent fetches a new hash. */
  it('gives agents the catalogs that the same events give today', async () => {
    const catalogs = JSON.parse(await fixture('catalogs.json')) as Readonly<Record<string, Row>>;
    for (const [path, catalog] of Object.entries(catalogs)) {
      expect((await server().api('GET', path)).body).toEqual(catalog);
    }
  });
});

/** Puts events where an append would have put them, with the positions, times and hashes that they have. */
async function insertLog(database: Database, events: readonly RecordedEvent[]): Promise<void> {
  const rows = events.map((event) => ({
    ...{ host_id: event.host, position: event.position, id: event.id, event_type: event.type },
    schema_version: Number(/:(\d+)$/.exec(event.dataschema)?.[1]),
    ...{ aggregate_type: event.aggregatetype, aggregate_id: event.aggregateid },
    ...{ aggregate_version: event.aggregateversion, user_id: event.user, client_id: event.clientid ?? null },
    ...{ source: event.source, correlation_id: event.correlationid, causation_id: event.causationid ?? null },
    ...{ time: event.time, data: canonicalJson(event.data), data_digest: event.datadigest, hash: event.hash },
  }));
  await database.asOwner.query(
    'INSERT INTO event_store_t SELECT * FROM jsonb_populate_recordset(NULL::event_store_t, $1::jsonb)',
    [JSON.stringify(rows)],
  );
  await database.asOwner.query(
    `INSERT INTO host_head_t (host_id, position, time, hash)
     SELECT host_id, position, time, hash FROM event_store_t ORDER BY position DESC LIMIT 1`,
  );
}

const pick = (row: Row, columns: readonly string[]): Row =>
  Object.fromEntries(columns.map((column) => [column, row[column]]));

const sorted = (rows: readonly Row[]): readonly Row[] =>
  [...rows].sort((a, b) => (canonicalJson(a) < canonicalJson(b) ? -1 : 1));
