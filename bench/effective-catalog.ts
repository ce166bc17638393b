import { writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { canonicalJson, sha256Hex } from '../src/kernel/canonical-json.js';
import { documentOf } from '../src/effective-catalog/document.js';
import { contextOf, judge } from '../src/effective-catalog/disclosure/judgement.js';
import { offersOf } from '../src/effective-catalog/disclosure/offers.js';
import { readRows } from '../src/effective-catalog/rows.queries.js';
import { openDatabase } from '../src/platform/database/open-database.js';
import { hostId, makeBenchAgent, registered, type BenchAgent } from './catalog-of-tools.js';
import { alternately, median, milliseconds, progress, report } from './harness.js';
import { answersPerSecond, type Load } from './load.js';
import {
  asking,
  startProgram,
  startService,
  withDatabase,
  type Ask,
  type Program,
  type Service,
} from './programs.js';

const connections = 32;
const turns = 7;
const window = 1500;
const coldReads = 40;

/**
 * The catalog of 20 skills with 10 tools each: as it is polled, against bare node:http with the same bytes; and the
 * first read after a change, against the same statement through pg on an open connection.
 *
 * @param url a PostgreSQL; without it the embedded database serves, and there is no second part
 */
export async function benchEffectiveCatalog(url?: string): Promise<void> {
  if (url === undefined) {
    await bench();
    progress('effective-catalog: no figures of the first read after a change, they need DATABASE_URL');
  } else {
    await withDatabase(url, bench);
  }
}

async function bench(url?: string): Promise<void> {
  const service = await startService(url);
  try {
    const ask = asking(service.address, hostId, await service.token(hostId));
    progress('effective-catalog: making 20 skills of 10 tools');
    const agent = await makeBenchAgent(ask);
    const claims = { sub: 'agent', sid: registered.serviceId, scope: 'catalog:agent' };
    const token = await service.token(hostId, { ...claims, agent_def_id: agent.agentDefId });
    await polled(service, agent, token);
    if (url !== undefined) await afterChange({ server: service, agent, token, ask, url });
  } finally {
    await service.stop();
  }
}

/** 200 and 304 of a catalog that does not change. */
async function polled(server: Service, { path }: BenchAgent, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(new URL(path, server.address), { headers });
  const etag = answer.headers.get('etag') ?? '';
  const file = join(server.directory, 'catalog.json');
  await writeFile(file, Buffer.from(await answer.arrayBuffer()));
  const bare = await startProgram('bare.server.js', [file, etag]);
  try {
    for (const status of [200, 304]) {
      progress(`effective-catalog: ${String(status)}, ${String(turns)} turns`);
      const asked = status === 304 ? { ...headers, 'if-none-match': etag } : headers;
      const load = ({ address }: Program): Load => ({
        url: new URL(path, address),
        headers: asked,
        connections,
        status,
      });
      const measured = await alternately(
        turns,
        () => answersPerSecond(load(server), window),
        () => answersPerSecond(load(bare), window),
      );
      report({
        bench: `effective catalog, ${String(status)}, ${String(connections)} connections`,
        unit: 'req/s',
        ...measured,
      });
    }
  } finally {
    await bare.stop();
  }
}

interface Changing {
  readonly server: Program;
  readonly agent: BenchAgent;
  readonly token: string;
  readonly ask: Ask;
  readonly url: string;
}

/** The first read after a change; canonical JSON and hash of the same rows apart. */
async function afterChange({ server, agent, token, ask, url }: Changing): Promise<void> {
  progress(`effective-catalog: first read after a change, ${String(coldReads)} times`);
  const database = await openDatabase({ url, directory: '', poolSize: 1 });
  const keepAlive = new Agent({ keepAlive: true, maxSockets: 1 });
  const { serviceId, envTag } = registered;
  const registration = {
    hostId,
    agentDefId: agent.agentDefId,
    services: [serviceId],
    environments: [envTag],
  };
  const canonical: number[] = [];
  let change = 0;
  try {
    const measured = await alternately(
      coldReads,
      async () => {
        await ask('PATCH', `/skills/${agent.skillId}`, { description: `Change ${String(change++)}` });
        return milliseconds(() => get(new URL(agent.path, server.address), token, keepAlive));
      },
      async () => {
        const started = performance.now();
        const { rows } = await readRows(database.of(hostId), registration);
        const taken = performance.now() - started;
        if (rows === undefined) throw new Error('The agent is gone.');
        const judged = judge(offersOf(rows), contextOf(rows, {}));
        const { content } = documentOf(rows, judged, { withheld: false, examples: false });
        canonical.push(await milliseconds(() => sha256Hex(canonicalJson(content))));
        return taken;
      },
    );
    const apart = median(canonical);
    const bench = 'effective catalog, first read after a change';
    const unit = 'ms';
    report({ bench: `${bench}, all of it`, unit, ...measured });
    report({
      bench: `${bench}, its canonical JSON and hash`,
      unit,
      figure: apart,
      baseline: measured.baseline,
    });
    report({
      bench: `${bench}, without them`,
      unit,
      figure: measured.figure - apart,
      baseline: measured.baseline,
    });
  } finally {
    keepAlive.destroy();
    await database.close();
  }
}

function get(url: URL, token: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      if (response.statusCode !== 200)
        reject(new Error(`The catalog is answered with ${String(response.statusCode)}.`));
      response.resume().once('end', resolve).once('error', reject);
    });
    sent.once('error', reject).end();
  });
}
