import { v7 } from 'uuid';
import { makeCatalog, type CatalogQuestion } from '../src/effective-catalog/effective-catalog.queries.js';
import { momentOf, PastCatalogs } from '../src/effective-catalog/past.lookup.js';
import { readRows } from '../src/effective-catalog/rows.queries.js';
import type { Database } from '../src/kernel/sql.js';
import { openDatabase, type OpenDatabase } from '../src/platform/database/open-database.js';
import { SlowReads } from '../src/platform/work/slow-reads.js';
import { alternately, median, milliseconds, progress, quantile, report } from './harness.js';
import { asking, startService, withDatabase, type Ask, type Service } from './programs.js';
import { agents, makeScaleHost, registered, type ScaleHost } from './scale-world.js';

const sizes = [10, 1_000, 100_000];
const coldReads = 200;
const warmReads = 400;
const changes = 20;
/** Agents of each kind whose version is looked at. */
const compared = 40;
const pastReads = 10;

/**
 * 1,000 agents with 20 skills of 50 tools each: what a change of one tool takes and which versions it moves, and what
 * reads take in hosts of 10, 1,000 and 100,000 tools. Baselines: the reads of the smaller host, times by how much the
 * agent's own catalog is larger; the cold read for reads of the past.
 */
export async function benchCatalogScale(url?: string): Promise<void> {
  if (url === undefined) {
    progress('catalog-scale: left out, it needs DATABASE_URL');
    return;
  }
  await withDatabase(url, async (own) => {
    const service = await startService(own);
    const database = await openDatabase({ url: own, directory: '' });
    try {
      let before: Reads | undefined;
      for (const tools of sizes) before = await benchHost({ service, database, url: own }, tools, before);
    } finally {
      await database.close();
      await service.stop();
    }
  });
}

interface Running {
  readonly service: Service;
  readonly database: OpenDatabase;
  readonly url: string;
}

async function benchHost(running: Running, tools: number, before: Reads | undefined): Promise<Reads> {
  const { service, database } = running;
  const hostId = v7();
  const token = await service.token(hostId);
  const ask = asking(service.address, hostId, token);
  progress(`catalog-scale: ${String(tools)} tools`);
  const host = await makeScaleHost(database, hostId, ask, { tools, toolsEach: 50, skillsEach: 20 });
  const reads = await measureReads(service.address, token, host);
  reportReads(host, reads, before ?? reads);
  await measureChange(database, ask, host);
  await measurePast(running, host);
  return reads;
}

/** Milliseconds of each read, and how many tools were read. */
interface Reads {
  readonly cold: readonly number[];
  readonly warm: readonly number[];
  readonly inCatalog: number;
}

async function measureReads(
  address: URL,
  token: string,
  { hostId, agentDefIds, inCatalog }: ScaleHost,
): Promise<Reads> {
  const query = new URLSearchParams(registered).toString();
  const read = (agent: string): Promise<number> =>
    milliseconds(async () => {
      const path = `/v1/hosts/${hostId}/agents/${agent}/effective-catalog?${query}`;
      const answer = await fetch(new URL(path, address), { headers: { authorization: `Bearer ${token}` } });
      if (!answer.ok) throw new Error(`The catalog is answered with ${String(answer.status)}.`);
      await answer.arrayBuffer();
    });
  const [first = ''] = agentDefIds;
  // The first ones prepare statements and warm the code up.
  for (const agent of agentDefIds.slice(-20)) await read(agent);
  const reads = { cold: [] as number[], warm: [] as number[], inCatalog };
  for (const agent of agentDefIds.slice(0, coldReads)) reads.cold.push(await read(agent));
  // Apart, so that it is not measured what the service clears away after putting another catalog together.
  for (let turn = 0; turn < warmReads; turn += 1) reads.warm.push(await read(first));
  return reads;
}

function reportReads({ tools, inCatalog }: ScaleHost, reads: Reads, before: Reads): void {
  const growth = inCatalog / before.inCatalog;
  const bench = `catalog of ${String(inCatalog)} of ${String(tools)} tools`;
  for (const kind of ['cold', 'warm'] as const) {
    for (const [name, share] of [
      ['p50', 0.5],
      ['p99', 0.99],
    ] as const) {
      const [figure, baseline] = [quantile(reads[kind], share), quantile(before[kind], share) * growth];
      report({ bench: `${bench}, ${kind}, ${name}`, figure, unit: 'ms', baseline });
    }
  }
}

/** A change of one tool, and that it moves the version of agents that have it, and of no other. */
async function measureChange(database: OpenDatabase, ask: Ask, host: ScaleHost): Promise<void> {
  const { having, others } = await agentsOf(database, host);
  const watched = [...having.slice(0, compared), ...others.slice(0, compared)];
  const before = await versionsOf(database, host, watched);
  const taken: number[] = [];
  for (let change = 0; change < changes; change += 1) {
    const body = { description: `Finds one thing, ${String(change)}.` };
    taken.push(await milliseconds(() => ask('PATCH', `/tools/${host.toolId}`, body)));
  }
  const after = await versionsOf(database, host, watched);
  const wrong = watched.filter((_, n) => (before[n] !== after[n]) !== n < Math.min(compared, having.length));
  if (wrong.length > 0)
    throw new Error(`The versions of ${wrong.join(', ')} moved without reason, or stayed.`);
  const bench = `change of a tool that ${String(having.length)} of ${String(agents)} agents have, among ${String(host.tools)}, slowest`;
  report({ bench, figure: Math.max(...taken), unit: 'ms', baseline: median(taken) });
}

async function agentsOf(
  database: OpenDatabase,
  { hostId, toolId, agentDefIds }: ScaleHost,
): Promise<{ readonly having: readonly string[]; readonly others: readonly string[] }> {
  const rows = await database.asOwner.query<{ id: string }>(
    `SELECT a.agent_def_id AS id FROM agent_skill_t a JOIN skill_tool_t l USING (host_id, skill_id)
     WHERE a.host_id = $1 AND l.tool_id = $2`,
    [hostId, toolId],
  );
  const having = new Set(rows.map(({ id }) => id));
  return { having: [...having], others: agentDefIds.filter((id) => !having.has(id)) };
}

async function versionsOf(
  database: OpenDatabase,
  host: ScaleHost,
  agentDefIds: readonly string[],
): Promise<readonly (number | null)[]> {
  const versions: (number | null)[] = [];
  for (const id of agentDefIds)
    versions.push((await readRows(database.of(host.hostId), questionOf(host, id))).version);
  return versions;
}

/** The first read of a new connection: now, and as of before the last change of every tool. */
async function measurePast({ database, url }: Running, host: ScaleHost): Promise<void> {
  const question = questionOf(host, host.agentDefIds[0] ?? '');
  const earlier = await changeEverything(database, host);
  // An instance that runs: it has put its statement of the past together, and only the connection is new.
  let connection: Database = database;
  const past = new PastCatalogs(
    {
      embedded: database.embedded,
      isBusy: () => database.isBusy(),
      of: (hostId) => connection.of(hostId),
      acrossHosts: database.acrossHosts,
      asOwner: database.asOwner,
      session: () => database.session(),
    },
    new SlowReads(8),
  );
  await past.read(question, momentOf(String(earlier.position)));
  const fresh = async (work: (database: OpenDatabase) => Promise<unknown>): Promise<number> => {
    const own = await openDatabase({ url, directory: '', poolSize: 1 });
    return milliseconds(() => work(own)).finally(() => own.close());
  };
  const cold = (own: OpenDatabase): Promise<unknown> => makeCatalog(own.of(host.hostId), question);
  for (const [name, asOf] of Object.entries(earlier)) {
    const measured = await alternately(
      pastReads,
      () =>
        fresh((own) => {
          connection = own;
          return past.read(question, momentOf(String(asOf)));
        }),
      () => fresh(cold),
    );
    const { inCatalog, tools } = host;
    const bench = `as of a ${name}, fresh connection, ${String(inCatalog)} of ${String(tools)} tools`;
    report({ bench, unit: 'ms', ...measured });
  }
}

/** Every tool, endpoint and link gets another row; gives a moment before that. */
async function changeEverything(
  database: OpenDatabase,
  { hostId, toolId }: ScaleHost,
): Promise<{ readonly position: number; readonly time: string }> {
  const [head] = await database.asOwner.query<{ position: number; time: string }>(
    `SELECT e.position, e.time FROM host_head_t h JOIN event_store_t e USING (host_id)
     WHERE h.host_id = $1 AND e.position = h.position - 1`,
    [hostId],
  );
  if (head === undefined) throw new Error(`The log of ${toolId} is empty.`);
  for (const table of ['tool_t', 'api_endpoint_t', 'skill_tool_t'])
    await database.asOwner.query(`UPDATE ${table} SET position = $2 WHERE host_id = $1 AND position < $2`, [
      hostId,
      head.position + 1,
    ]);
  await database.asOwner.query('VACUUM ANALYZE');
  return { position: head.position, time: head.time };
}

function questionOf({ hostId }: ScaleHost, agentDefId: string): CatalogQuestion {
  const { serviceId, envTag } = registered;
  return {
    hostId,
    agentDefId,
    services: [serviceId],
    environments: [envTag],
    withheld: false,
    examples: false,
  };
}
