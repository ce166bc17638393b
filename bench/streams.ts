import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { v7 } from 'uuid';
import { openDatabase, type OpenDatabase } from '../src/platform/database/open-database.js';
import { progress, quantile, report } from './harness.js';
import { asking, startService, withDatabase, type Ask, type Service } from './programs.js';
import { agents, makeScaleHost, registered, type ScaleHost } from './scale-world.js';

const changes = 10;
const patience = 10_000;
const query = new URLSearchParams(registered).toString();

/**
 * 1,000 agents, each with a stream of its catalog's changes: how long after a change the last of those whom it concerns
 * has heard of it, against the change itself, that nobody else hears anything, and what memory a stream takes, against
 * an open connection that has read its catalog.
 */
export async function benchStreams(url?: string): Promise<void> {
  if (url === undefined) {
    progress('streams: left out, it needs DATABASE_URL');
    return;
  }
  await withDatabase(url, async (own) => {
    const service = await startService(own);
    const database = await openDatabase({ url: own, directory: '' });
    try {
      await bench(service, database);
    } finally {
      await database.close();
      await service.stop();
    }
  });
}

async function bench(service: Service, database: OpenDatabase): Promise<void> {
  const hostId = v7();
  const token = await service.token(hostId);
  const ask = asking(service.address, hostId, token);
  const host = await makeScaleHost(database, hostId, ask, { tools: 1000, toolsEach: 10, skillsEach: 2 });
  const headers = { authorization: `Bearer ${token}` };
  const connections = new Agent({ keepAlive: true });
  const open = async (agentDefId: string, path: string): Promise<IncomingMessage> => {
    const url = new URL(`/v1/hosts/${hostId}/agents/${agentDefId}/${path}?${query}`, service.address);
    const [answer] = (await once(get(url, { agent: connections, headers }), 'response')) as [IncomingMessage];
    if (answer.statusCode !== 200) throw new Error(`${path} is answered with ${String(answer.statusCode)}.`);
    return answer;
  };
  try {
    progress(`streams: opening ${String(agents)}`);
    const empty = await memory(service);
    // All at once, so that each has a connection of its own, which stays.
    const reads = await Promise.all(host.agentDefIds.map((id) => open(id, 'effective-catalog')));
    await Promise.all(reads.map((answer) => once(answer.resume(), 'end')));
    const connected = await memory(service);
    const streams = await Promise.all(host.agentDefIds.map((id) => open(id, 'effective-catalog/events')));
    const streaming = await memory(service);
    const heard = new Heard(streams);
    const baseline = (connected - empty) / agents;
    report({ bench: 'memory of a stream', figure: (streaming - connected) / agents, unit: 'kB', baseline });
    await measureChanges(database, ask, host, heard);
  } finally {
    connections.destroy();
  }
}

/** Which streams have said something since the last change, and when. */
class Heard {
  times = new Map<number, number>();

  constructor(streams: readonly IncomingMessage[]) {
    streams.forEach((stream, number) => {
      stream.on('data', (chunk: Buffer) => {
        if (chunk.includes('event: ')) this.times.set(number, performance.now());
      });
    });
  }

  async until(count: number): Promise<void> {
    const end = performance.now() + patience;
    while (this.times.size < count && performance.now() < end) await sleep(1);
  }
}

async function measureChanges(
  database: OpenDatabase,
  ask: Ask,
  { hostId, toolId, agentDefIds }: ScaleHost,
  heard: Heard,
): Promise<void> {
  const rows = await database.asOwner.query<{ id: string }>(
    `SELECT a.agent_def_id AS id FROM agent_skill_t a JOIN skill_tool_t l USING (host_id, skill_id)
     WHERE a.host_id = $1 AND l.tool_id = $2`,
    [hostId, toolId],
  );
  const concerned = new Set(rows.map(({ id }) => id));
  const [taken, latest]: [number[], number[]] = [[], []];
  for (let change = 0; change < changes; change += 1) {
    heard.times = new Map();
    const sent = performance.now();
    await ask('PATCH', `/tools/${toolId}`, { description: `Finds one thing, ${String(change)}.` });
    const committed = performance.now();
    await heard.until(concerned.size);
    // Long enough for one that should have said nothing.
    await sleep(500);
    const wrong = [...heard.times.keys()].filter((number) => !concerned.has(agentDefIds[number] ?? ''));
    if (wrong.length > 0 || heard.times.size !== concerned.size)
      throw new Error(
        `${String(heard.times.size)} streams heard of it, ${String(wrong.length)} of them for nothing.`,
      );
    taken.push(committed - sent);
    latest.push(Math.max(...heard.times.values()) - committed);
  }
  const bench = `change heard by ${String(concerned.size)} of ${String(agents)} streams, the last of them`;
  for (const [name, share] of [
    ['p50', 0.5],
    ['slowest', 1],
  ] as const)
    report({
      bench: `${bench}, ${name}`,
      figure: quantile(latest, share),
      unit: 'ms',
      baseline: quantile(taken, share),
    });
}

/** Resident memory of the service in kB. */
async function memory({ address }: Service): Promise<number> {
  await sleep(2000);
  const text = await (await fetch(new URL('/metrics', address))).text();
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1] ?? 'NaN') / 1000;
}
