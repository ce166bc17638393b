import { encode } from 'gpt-tokenizer';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { anthropicTools } from '../packages/agent-client/adapters.js';
import { settingsOf } from '../packages/agent-client/agent-options.js';
import type { CatalogDocument } from '../packages/agent-client/catalog-document.js';
import { CatalogSource } from '../packages/agent-client/catalog-source.js';
import { promptFacts, type PromptFacts } from '../packages/agent-client/prompt-facts.js';
import { searchableCatalog, type SearchableCatalog } from '../packages/agent-client/searchable-catalog.js';
import type { LiveTools } from '../packages/agent-client/gateway.js';
import { sample } from '../src/sample/sample-ids.js';
import { hostId, makeBenchAgent, registered } from './catalog-of-tools.js';
import { alternately, median, milliseconds, progress, report } from './harness.js';
import { plainBm25 } from './plain-bm25.js';
import { asking, startService, withDatabase, type Ask, type Service } from './programs.js';
import { promptOf, textsOf } from './search-texts.js';

const prompts = Array.from({ length: 300 }, (_, turn) => promptOf(turn));
const settings = settingsOf({
  catalog: { url: 'http://localhost', token: '' },
  gateway: { url: 'http://localhost' },
});

/**
 * What the agent's side costs, with a catalog of 1,000 tools: time of a selection, memory, and what a refresh takes that
 * brings one changed tool; and the tokens that a model is given, with and without a selection.
 */
export async function benchAgentClient(url?: string): Promise<void> {
  if (url === undefined) await bench();
  else await withDatabase(url, bench);
  await ofTheSample();
}

async function bench(url?: string): Promise<void> {
  const service = await startService(url);
  try {
    const ask = asking(service.address, hostId, await service.token(hostId));
    progress('agent-client: making 100 skills of 10 tools');
    const { agentDefId } = await makeBenchAgent(ask, 100, textsOf);
    const thousand = await catalogOf(service, agentDefId, registered.serviceId);
    selections(thousand);
    memory(thousand);
    await refreshes(service, ask, agentDefId);
    tokens('1,000 tools', thousand, prompts);
  } finally {
    await service.stop();
  }
}

/** It is there on the embedded database alone. */
async function ofTheSample(): Promise<void> {
  const service = await startService(undefined, { SAMPLE_DATA: 'on' });
  try {
    const household = await catalogOf(service, sample.agentDefId, sample.agentServiceId);
    tokens('the sample catalog', household, await examplesOf(service, household));
  } finally {
    await service.stop();
  }
}

async function catalogOf(service: Service, agentDefId: string, serviceId: string): Promise<CatalogDocument> {
  const document = await sourceFor(service, await service.token(hostId)).load({
    ...{ hostId, agentDefId, serviceId, envTag: 'dev' },
  });
  if (document === undefined) throw new Error('The service gave no catalog.');
  return document;
}

function sourceFor({ address }: Service, token: string, counted: typeof fetch = fetch): CatalogSource {
  return new CatalogSource({ catalog: { url: address.href, token, timeoutMs: 30_000 }, fetch: counted });
}

/** A gateway that lists all of it. */
function listOf({ tools }: SearchableCatalog): LiveTools {
  return new Map(
    tools.map(({ tool: { name, inputSchema } }) => [
      name,
      { name, inputSchema: { ...inputSchema, type: 'object' as const } },
    ]),
  );
}

function chosen(catalog: SearchableCatalog, live: LiveTools, prompt: string): PromptFacts {
  const current = { state: 'fresh', catalog } as const;
  return promptFacts({ current, live, serverScores: new Map() }, prompt, {}, settings);
}

/** Filter, ranking, intersection and instructions, beside plain BM25 over an index of the same texts. */
function selections(document: CatalogDocument): void {
  const catalog = searchableCatalog(document);
  const live = listOf(catalog);
  const plain = plainBm25(
    catalog.tools.map(({ tool }) => ({ id: tool.toolId, ...tool, schema: tool.inputSchema })),
  );
  const timed = (work: (prompt: string) => unknown): number[] =>
    [...prompts, ...prompts].map((prompt) => {
      const started = performance.now();
      work(prompt);
      return performance.now() - started;
    });
  // The first round of each only warms up.
  const own = timed((prompt) => chosen(catalog, live, prompt)).slice(prompts.length);
  const other = timed(plain).slice(prompts.length);
  const at = (times: readonly number[], share: number): number =>
    [...times].sort((a, b) => a - b)[Math.floor(times.length * share)] ?? 0;
  for (const [name, share] of [
    ['p50', 0.5],
    ['p99', 0.99],
  ] as const) {
    const figures = { figure: at(own, share), baseline: at(other, share) };
    report({
      bench: `agent client, selection over 1,000 tools, ${name}, beside plain BM25`,
      unit: 'ms',
      ...figures,
    });
  }
}

/** The catalog ready to be searched, beside the same document parsed and nothing more. */
function memory(document: CatalogDocument): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const text = JSON.stringify(document);
  const kept: unknown[] = [];
  const megabytes = (make: () => unknown): number => {
    collect();
    const before = process.memoryUsage().heapUsed;
    kept.push(make());
    collect();
    return (process.memoryUsage().heapUsed - before) / 1024 / 1024;
  };
  const baseline = megabytes(() => JSON.parse(text) as unknown);
  const figure = megabytes(() => searchableCatalog(JSON.parse(text) as CatalogDocument));
  report({
    bench: 'agent client, memory of 1,000 tools, beside the document alone',
    unit: 'MB',
    figure,
    baseline,
  });
}

/** After each change of one tool: by patch from the catalog at hand, and the whole catalog. */
async function refreshes(service: Service, ask: Ask, agentDefId: string): Promise<void> {
  const claims = {
    sub: 'agent',
    sid: registered.serviceId,
    scope: 'catalog:agent',
    agent_def_id: agentDefId,
  };
  const token = await service.token(hostId, claims);
  let seen = 0;
  const counted: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const bytes = await response.arrayBuffer();
    seen = bytes.byteLength;
    return new Response(bytes, response);
  };
  const source = sourceFor(service, token, counted);
  const identity = { hostId, agentDefId, ...registered };
  let atHand = await source.load(identity);
  const toolId = atHand?.skills[0]?.tools[0]?.toolId ?? '';
  let change = 0;
  const refresh = async (isPatch: boolean): Promise<readonly [number, number]> => {
    await ask('PATCH', `/tools/${toolId}`, { description: `Description ${String((change += 1))}.` });
    const time = await milliseconds(
      async () => (atHand = await source.load(identity, isPatch ? atHand : undefined)),
    );
    return [time, seen];
  };
  const bytes = { patch: [] as number[], full: [] as number[] };
  const times = await alternately(
    15,
    async () => {
      const [time, size] = await refresh(true);
      bytes.patch.push(size);
      return time;
    },
    async () => {
      const [time, size] = await refresh(false);
      bytes.full.push(size);
      return time;
    },
  );
  const bench = 'agent client, refresh after a change of one of 1,000 tools, beside the whole catalog';
  report({ bench: `${bench}: time`, unit: 'ms', ...times });
  report({
    bench: `${bench}: size`,
    unit: 'kB',
    figure: median(bytes.patch) / 1000,
    baseline: median(bytes.full) / 1000,
  });
}

/** What people say, of the tools that the agent is given. */
async function examplesOf(service: Service, { agentDefId, serviceId }: CatalogDocument): Promise<string[]> {
  const ask = asking(service.address, hostId, await service.token(hostId));
  const path = `/agents/${agentDefId}/effective-catalog?serviceId=${serviceId}&envTag=dev&examples=true`;
  const { skills } = await ask<{ skills: { tools: { examplePrompts: string[] }[] }[] }>('GET', path);
  return skills.flatMap(({ tools }) => tools.flatMap(({ examplePrompts }) => examplePrompts));
}

/** Tools and instructions of a prompt, beside all tools and all instructions of the same catalog. */
function tokens(of: string, document: CatalogDocument, asked: readonly string[]): void {
  const catalog = searchableCatalog(document);
  const live = listOf(catalog);
  const sizeOf = (tools: readonly object[], instructions: string): number =>
    encode(JSON.stringify(tools)).length + encode(instructions).length;
  const sizes = asked.slice(0, 50).map((prompt) => {
    const { tools, instructions } = chosen(catalog, live, prompt).facts;
    return sizeOf(anthropicTools(tools), instructions);
  });
  const all = catalog.tools.map(({ tool: { name, description, inputSchema } }) => ({
    ...{ name, description },
    input_schema: inputSchema,
  }));
  const baseline = sizeOf(all, document.skills.map(({ contentMarkdown }) => contentMarkdown).join('\n\n'));
  const bench = `agent client, given to the model for a prompt, ${of}, beside all of it`;
  report({ bench, unit: 'tokens', figure: median(sizes), baseline });
}
