import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { milliseconds, report } from './harness.js';
import { benchImportCorpus } from './import-corpus.js';
import { withService, type Service } from './import-service.js';
import { parseAndUpgrade } from './parse-and-upgrade.js';

const description = 'node_modules/@octokit/openapi/generated/api.github.com.json';

/**
 * GitHub's REST description, imported and published, then imported again, against parsing and upgrading it alone; and
 * how long others wait meanwhile, against the same without an import. Then the corpus, where there is one.
 */
export async function benchImport(url?: string): Promise<void> {
  await withService('github', url, measure);
  await benchImportCorpus(url);
}

async function measure({ send, peakMegabytes }: Service): Promise<void> {
  const document = await readFile(description);
  const baseline = await milliseconds(() => {
    parseAndUpgrade(document);
  });
  const body = JSON.stringify({
    api: { apiId: 'github' },
    version: { apiVersion: '1', serviceId: 'github', envTag: 'dev' },
    document: document.toString(),
    publish: true,
  });
  await makeAgent(send);
  const [whileImporting, quiet] = [allWaits(), allWaits()];
  await during(sleep(3000), send, quiet);
  const idle = peakMegabytes();
  const first = await milliseconds(() => during(send('POST', 'imports', body), send, whileImporting));
  const second = await milliseconds(() => send('POST', 'imports', body));
  report({ bench: 'import and publish GitHub', figure: first, unit: 'ms', baseline });
  report({
    bench: 'most memory of service and workers while importing',
    figure: peakMegabytes(),
    unit: 'MB',
    baseline: idle,
  });
  report({ bench: 'import GitHub again', figure: second, unit: 'ms', baseline: first });
  for (const what of ['health', 'catalog', 'skill'] as const) {
    const [figure, alone] = [whileImporting[what].p99(), quiet[what].p99()];
    report({ bench: `${what} p99 while importing`, figure, unit: 'ms', baseline: alone });
  }
}

type Send = Service['send'];

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
