import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { milliseconds, progress, report } from './harness.js';
import { parseAndUpgrade } from './parse-and-upgrade.js';
import { startService, withDatabase, type Program } from './programs.js';

const description = 'node_modules/@octokit/openapi/generated/api.github.com.json';
const hostId = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e31';

/**
 * GitHub's REST description, imported and published, then imported again, against parsing and upgrading it alone; and
 * how long others wait meanwhile, against the same without an import.
 */
export async function benchImport(url?: string): Promise<void> {
  if (url === undefined) await bench();
  else await withDatabase(url, bench);
}

async function bench(url?: string): Promise<void> {
  const service = await startService(url);
  try {
    const scope = 'catalog:read catalog:write catalog:admin';
    await measure(service, await service.token(hostId, { sid: 'github', scope }));
  } finally {
    await service.stop();
  }
}

async function measure(server: Program, token: string): Promise<void> {
  const document = await readFile(description);
  const baseline = await milliseconds(() => {
    parseAndUpgrade(document);
  });
  const send = sender(server, token);
  const body = JSON.stringify({
    api: { apiId: 'github' },
    version: { apiVersion: '1', serviceId: 'github', envTag: 'dev' },
    document: document.toString(),
    publish: true,
  });
  await makeAgent(send);
  const [whileImporting, quiet] = [allWaits(), allWaits()];
  await during(sleep(3000), send, quiet);
  const first = await milliseconds(() => during(send('POST', 'imports', body), send, whileImporting));
  const second = await milliseconds(() => send('POST', 'imports', body));
  progress(`import: peak of the service ${String(await residentMegabytes(server))} MB RSS`);
  report({ bench: 'import and publish GitHub', figure: first, unit: 'ms', baseline });
  report({ bench: 'import GitHub again', figure: second, unit: 'ms', baseline: first });
  for (const what of ['health', 'catalog', 'skill'] as const) {
    const [figure, alone] = [whileImporting[what].p99(), quiet[what].p99()];
    report({ bench: `${what} p99 while importing`, figure, unit: 'ms', baseline: alone });
  }
}

type Send = (method: string, path: string, body?: string) => Promise<string>;

/** `path` below the host, or from the root where it begins with a slash. */
function sender(server: Program, token: string): Send {
  return async (method, path, body) => {
    const url = new URL(path.startsWith('/') ? path : `/v1/hosts/${hostId}/${path}`, server.address);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
    const text = await answer.text();
    if (!answer.ok)
      throw new Error(`${method} ${path} answered ${String(answer.status)}: ${text.slice(0, 500)}`);
    return text;
  };
}

/** An agent whose catalog is read meanwhile. */
async function makeAgent(send: Send): Promise<void> {
  const version = { apiVersion: '1', serviceId: 'github', envTag: 'dev', apiType: 'agent' };
  await send('POST', 'apis', JSON.stringify({ apiId: 'agent', apiName: 'Agent' }));
  const made = await send('POST', 'apis/agent/versions', JSON.stringify(version));
  agentDefId = (JSON.parse(made) as { id: string }).id;
  await send('PUT', `agents/${agentDefId}`, '{}');
}

let agentDefId = '';

interface Waits {
  add(milliseconds: number): void;
  p99(): number;
}

function waits(): Waits {
  const all: number[] = [];
  return {
    add: (milliseconds) => all.push(milliseconds),
    p99: () => all.sort((a, b) => a - b)[Math.ceil(all.length * 0.99) - 1] ?? 0,
  };
}

const allWaits = () => ({ health: waits(), catalog: waits(), skill: waits() });

/** Until the work ends, one at a time of each: the health and a catalog every 10 ms, a new skill every 20 ms. */
async function during(
  work: Promise<unknown>,
  send: Send,
  { health, catalog, skill }: ReturnType<typeof allWaits>,
): Promise<void> {
  let busy = true;
  const ended = work.finally(() => (busy = false));
  const ask = async (path: string, answers: Waits): Promise<void> => {
    while (busy) {
      answers.add(await milliseconds(() => send('GET', path)));
      await sleep(10);
    }
  };
  const effective = `agents/${agentDefId}/effective-catalog?serviceId=github&envTag=dev`;
  const create = async (): Promise<void> => {
    while (busy) {
      created += 1;
      const body = JSON.stringify({ name: `skill ${String(created)}`, contentMarkdown: 'x' });
      skill.add(await milliseconds(() => send('POST', 'skills', body)));
      await sleep(20);
    }
  };
  await Promise.all([ended, ask('/health/live', health), ask(effective, catalog), create()]);
}

let created = 0;

/** From the service's own metrics. */
async function residentMegabytes(server: Program): Promise<number> {
  const text = await (await fetch(new URL('/metrics', server.address))).text();
  const bytes = /^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1] ?? 'NaN';
  return Math.round(Number(bytes) / 1e6);
}
