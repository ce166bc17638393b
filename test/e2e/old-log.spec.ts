import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { slices } from '../../src/app.module.js';
import { canonicalJson } from '../../src/kernel/canonical-json.js';
import { Domain } from '../../src/kernel/domain.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { EventStore } from '../../src/kernel/event-store.js';
import { linesOf } from '../../src/kernel/lines.js';
import { endLine } from '../../src/kernel/log-file.js';
import { restoreLog } from '../../src/kernel/log-restore.js';
import { LogVerifier } from '../../src/kernel/log-verifier.js';
import type { Projection } from '../../src/kernel/slice.js';
import { Rebuild } from '../../src/kernel/rebuild.js';
import { DATABASE, type Database } from '../../src/kernel/sql.js';
import { sample } from '../../src/sample/sample-ids.js';
import { toolDecider } from '../../src/tools/model/tool.decider.js';
import type { ToolEvent } from '../../src/tools/model/tool.events.js';
import { eachOwnServer } from './own-server.js';

/** The host of the log. */
const { hostId } = sample;

type Row = Readonly<Record<string, unknown>>;

const fixture = (name: string): Promise<string> => readFile(`test/fixtures/log-1/${name}`, 'utf8');

/** A log as `portal-catalog export` wrote it at version 0.1.0, with events of every type that there was. */
const readLog = async (): Promise<RecordedEvent[]> =>
  (await fixture('log.jsonl'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordedEvent);

eachOwnServer((server) => {
  const database = (): Database => server().app.get<Database>(DATABASE);
  const ask = async <Body = Row>(method: string, path: string, call: { readonly body?: unknown } = {}) => {
    const token = await server().token({ host: hostId });
    return server().api<Body>(method, `//v1/hosts/${hostId}${path}`, { ...call, token });
  };

  beforeAll(async () => {
    const last = (await readLog()).at(-1);
    if (last === undefined) throw new Error('The old log is empty.');
    const { position, time, hash } = last;
    const lines = [await fixture('log.jsonl'), endLine({ host: hostId, position, time, hash, rows: null })];
    await restoreLog(database(), server().app.get(Domain), {
      lines: () => linesOf(Readable.from(lines.map((text) => Buffer.from(text))), 1_000_000),
      anchors: [],
      onProgress: () => undefined,
    });
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
      expect((await ask('GET', path)).body).toEqual(catalog);
    }
  });

  /** `ToolPublishedEvent` is at version 2 since: version 1 left `change` out where nothing waited. */
  describe('an event of version 1 of a type that is at version 2', () => {
    const versionOf = ({ dataschema }: RecordedEvent) => dataschema.split(':').at(-1);
    let old: RecordedEvent;
    beforeAll(async () => {
      const published = (await readLog()).filter(({ type }) => type === 'ToolPublishedEvent');
      const [first] = published;
      if (first === undefined) throw new Error('The old log holds no tool.');
      old = first;
      expect(published.filter((event) => versionOf(event) !== '1' || 'change' in event.data)).toEqual([]);
    });
    const today = () => ({ ...old.data, change: null });

    it('has its new shape in a page of the log, in the history of its record and in the stream', async () => {
      const after = String(old.position - 1);
      type Page = { readonly items: readonly RecordedEvent[] };
      const page = await ask<Page>('GET', `/events?after=${after}&limit=1`);
      expect(page.body.items).toEqual([{ ...old, data: today() }]);
      const history = await ask<Page>('GET', `/streams/Tool/${old.aggregateid}`);
      expect(history.body.items[0]).toEqual({ ...old, data: today() });
      const headers = { authorization: `Bearer ${await server().token({ host: hostId })}` };
      const url = `${server().address}/v1/hosts/${hostId}/events/stream?after=${after}`;
      const { body } = await fetch(url, { headers });
      expect(await firstEvent(body as ReadableStream<Uint8Array>)).toEqual({ ...old, data: today() });
    });

    it('has its new shape for projections on a rebuild, and for the decider of its record', async () => {
      const seen: RecordedEvent[] = [];
      const probe: Projection = {
        name: 'probe',
        tables: [],
        handles: ['ToolPublishedEvent'],
        apply: (_tx, events) => void seen.push(...events),
      };
      const probing = { name: 'probe', events: [], aggregates: [], projections: [probe] };
      await new Rebuild(database(), new Domain([...slices, probing])).run();
      expect(seen.find(({ position }) => position === old.position)?.data).toEqual(today());
      const domain = server().app.get(Domain);
      const stream = { hostId, aggregateType: 'Tool', aggregateId: old.aggregateid };
      const [read] = await new EventStore(database().of(hostId), domain.types).readStreams([stream]);
      expect(toolDecider.evolve(toolDecider.initial, read as ToolEvent & RecordedEvent)).toMatchObject({
        ...{ status: 'active', change: null },
      });
    });

    it('stays as it was written, so that its hash holds, and the next event of its record follows it', async () => {
      const body = { examplePrompts: ['what an old tool is asked'] };
      expect((await ask('PATCH', `/tools/${old.aggregateid}`, { body })).status).toBe(200);
      const [stored] = await database()
        .of(hostId)
        .query('SELECT data, schema_version FROM event_store_t WHERE host_id = $1 AND position = $2', [
          hostId,
          old.position,
        ]);
      expect(stored).toEqual({ data: canonicalJson(old.data), schema_version: 1 });
      const [verdict] = await new LogVerifier(database()).verify({ hostId });
      expect([verdict?.fault, verdict?.events]).toEqual([undefined, (await readLog()).length + 1]);
    });
  });

  it('keeps a link from before there were versions to its major, once a higher one is approved', async () => {
    const [link] = await database()
      .of(hostId)
      .query<Record<'skill_id' | 'tool_id' | 'version', string>>(
        `SELECT l.skill_id, l.tool_id, t.version FROM skill_tool_t l
         JOIN tool_t t ON t.host_id = l.host_id AND t.tool_id = l.tool_id AND t.active AND t.approved
         WHERE l.host_id = $1 AND l.active ORDER BY l.skill_id, l.tool_id LIMIT 1`,
        [hostId],
      );
    const path = `/skills/${link?.skill_id ?? ''}/tools/${link?.tool_id ?? ''}`;
    expect((await ask('GET', path)).body).toMatchObject({ range: null });
    const major = Number(link?.version.split('.')[0]);
    const version = `${String(major + 1)}.0.0`;
    const versions = `/tools/${link?.tool_id ?? ''}/versions`;
    const inputSchema = { type: 'object', properties: { other: { type: 'string' } }, required: ['other'] };
    const body = { version, description: 'Does something else.', inputSchema };
    expect((await ask('POST', versions, { body })).status).toBe(201);
    await ask('POST', `${versions}/${version}/submit`);
    const { body: report } = await ask('GET', `${versions}/${version}/report`);
    expect(report).toMatchObject({ impact: { skills: [] } });
    const override = { override: { reason: 'Looked at by hand.' } };
    const approved = { body: { digest: report['digest'], ...override } };
    expect((await ask('POST', `${versions}/${version}/approve`, approved)).status).toBe(200);
    expect((await ask('GET', path)).body).toMatchObject({ range: `^${String(major)}`, active: true });
  });
});

/** The first event of a stream of server-sent events. */
async function firstEvent(body: ReadableStream<Uint8Array>): Promise<unknown> {
  const reader = body.getReader();
  let text = '';
  for (;;) {
    const [, data] = /^data: (.*)\n/m.exec(text) ?? [];
    if (data !== undefined) {
      await reader.cancel();
      return JSON.parse(data);
    }
    const { done, value } = await reader.read();
    if (done) throw new Error(`The stream ended: ${text}`);
    text += Buffer.from(value).toString();
  }
}

const pick = (row: Row, columns: readonly string[]): Row =>
  Object.fromEntries(columns.map((column) => [column, row[column]]));

const sorted = (rows: readonly Row[]): readonly Row[] =>
  [...rows].sort((a, b) => (canonicalJson(a) < canonicalJson(b) ? -1 : 1));
