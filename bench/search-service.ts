/** `npm run bench search-service`: searches over HTTP, right after large imports and many at once. */
import pg from 'pg';
import { milliseconds, progress, quantile, report } from './harness.js';
import { asking, startService, withDatabase, type Service } from './programs.js';
import { madeUpTexts, textsOfSets, type SearchTexts } from './search-texts.js';
import { hostId } from './search-world.js';

/** Tools of one import. */
const IMPORTED = 2_000;
/** Tools after which the first search is timed, and those of the whole host. */
const [EARLY, ALL] = [4_000, 10_000];
/** Milliseconds that the first search after an import may take. */
const FIRST = 200;
const SEARCHES = 2_000;

/** @param url a PostgreSQL; without it the embedded database serves */
export async function benchSearchService(url: string | undefined): Promise<void> {
  const folder = process.env['RETRIEVAL'] || undefined;
  const texts = folder === undefined ? madeUpTexts : await textsOfSets(folder);
  if (url === undefined) await onService(undefined, texts);
  else await withDatabase(url, (own) => onService(own, texts));
}

async function onService(url: string | undefined, texts: SearchTexts): Promise<void> {
  const service = await startService(url);
  try {
    if (url !== undefined) await withoutAutovacuum(url);
    const asked: Asked = { service, token: await service.token(hostId), texts };
    await importTools(asked, { from: 0, to: EARLY });
    await reportFirst(asked);
    await importTools(asked, { from: EARLY, to: ALL });
    for (const together of [32, 200]) await reportMany(asked, { together, at: 'documents still follow' });
    await untilAllIsFound(asked);
    for (const together of [1, 32, 200]) await reportMany(asked, { together, at: 'all is found' });
  } finally {
    await service.stop();
  }
}

interface Asked {
  readonly service: Service;
  readonly token: string;
  readonly texts: SearchTexts;
}

/** What the planner knows of the tables is then what the service itself has had analyzed. */
async function withoutAutovacuum(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`DO $$ DECLARE each regclass; BEGIN
    FOR each IN SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                 WHERE c.relkind = 'r' AND n.nspname IN ('catalog', 'public') LOOP
      EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = off)', each);
    END LOOP; END $$`);
  await client.end();
}

/** Imports and publishes made-up APIs, one after another. */
async function importTools(
  { service, token, texts }: Asked,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  const ask = asking(service.address, hostId, token);
  for (let first = from; first < to; first += IMPORTED) {
    const took = await milliseconds(() =>
      ask('POST', '/imports', {
        api: { apiId: `bench${String(first)}` },
        version: { apiVersion: '1', serviceId: `service${String(first)}`, envTag: 'dev' },
        document: documentOf(texts, first),
        publish: true,
      }),
    );
    progress(`  ${String(first + IMPORTED)} tools, the last ${String(IMPORTED)} in ${took.toFixed(0)} ms`);
  }
}

function documentOf(texts: SearchTexts, first: number): object {
  const paths = Array.from({ length: IMPORTED }, (_, at) => {
    const { name, description, schema } = texts.toolAt(first + at);
    const operation = {
      operationId: `${name.replace(/\W+/g, '_')}_${String(first + at)}`,
      ...{ summary: description.slice(0, 200), description },
      ...(schema !== undefined &&
        Object.keys(schema).length > 0 && {
          requestBody: { content: { 'application/json': { schema } } },
        }),
      responses: { 200: { description: 'Done.' } },
    };
    return [`/operation${String(first + at)}`, { post: operation }] as const;
  });
  return {
    openapi: '3.1.0',
    info: { title: `Bench ${String(first)}`, version: '1' },
    servers: [{ url: 'https://example.com' }],
    paths: Object.fromEntries(paths),
  };
}

/** The first searches after the import, one after another. */
async function reportFirst(asked: Asked): Promise<void> {
  const times: number[] = [];
  for (let turn = 0; turn < 6; turn += 1) times.push((await search(asked, turn)).took);
  const [first = NaN, ...further] = times;
  const after = `after an import of ${String(EARLY)} tools`;
  report({ bench: `first search ${after}`, figure: first, unit: 'ms', baseline: FIRST });
  report({
    bench: `the slowest of five more searches`,
    figure: Math.max(...further),
    unit: 'ms',
    baseline: FIRST,
  });
}

/** So many at once, beside the same number of plain requests: how many were answered, and how soon. */
async function reportMany(
  asked: Asked,
  { together, at }: { readonly together: number; readonly at: string },
): Promise<void> {
  const health = new URL('/v1/health', asked.service.address);
  const plain = async (): Promise<Answered> => {
    let status = 0;
    const took = await milliseconds(async () => {
      const response = await fetch(health);
      ({ status } = response);
      await response.arrayBuffer();
    });
    return { took, status, isWhole: true };
  };
  const bare = await many(together, plain);
  const own = await many(together, (turn) => search(asked, turn));
  const bench = `searches, ${at}, ${String(together)} at once`;
  const answered = own.answers.filter(({ status }) => status === 200).length;
  report({ bench: `${bench}: answered with 200`, figure: answered, unit: 'searches', baseline: SEARCHES });
  const timesOf = ({ answers }: Many): number[] => answers.map(({ took }) => took);
  for (const [name, share] of [
    ['p50', 0.5],
    ['p99', 0.99],
  ] as const) {
    const [figure, baseline] = [own, bare].map((each) => quantile(timesOf(each), share));
    report({ bench: `${bench}: ${name}`, figure: figure ?? NaN, unit: 'ms', baseline: baseline ?? NaN });
  }
  report({ bench, figure: own.aSecond, unit: 'searches/s', baseline: bare.aSecond });
}

interface Answered {
  /** Milliseconds. */
  readonly took: number;
  readonly status: number;
  /** False where documents that are written are not found yet. */
  readonly isWhole: boolean;
}

interface Many {
  readonly answers: readonly Answered[];
  readonly aSecond: number;
}

async function many(together: number, ask: (turn: number) => Promise<Answered>): Promise<Many> {
  const answers: Answered[] = [];
  let next = 0;
  const asker = async (): Promise<void> => {
    while (next < SEARCHES) answers.push(await ask(next++));
  };
  const took = await milliseconds(() => Promise.all(Array.from({ length: together }, asker)));
  return { answers, aSecond: (SEARCHES * 1000) / took };
}

async function search({ service, token, texts }: Asked, turn: number): Promise<Answered> {
  let answer = { status: 0, isWhole: false };
  const took = await milliseconds(async () => {
    const response = await fetch(new URL(`/v1/hosts/${hostId}/search`, service.address), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: texts.promptAt(turn), kinds: ['tool'] }),
    });
    const { degraded } = (await response.json()) as { readonly degraded?: readonly string[] };
    answer = { status: response.status, isWhole: response.ok && degraded === undefined };
  });
  return { took, ...answer };
}

/** Searches now and then until nothing is missing from what is found. */
async function untilAllIsFound(asked: Asked): Promise<void> {
  const took = await milliseconds(async () => {
    while (!(await search(asked, 0)).isWhole) await new Promise((resolve) => setTimeout(resolve, 200));
  });
  progress(`  all is found after ${(took / 1000).toFixed(0)} s more`);
}
