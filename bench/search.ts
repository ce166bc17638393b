import type { Database } from '../src/kernel/sql.js';
import { Conditions } from '../src/platform/database/conditions.js';
import type { OpenDatabase } from '../src/platform/database/open-database.js';
import { countStatement, fewRows, nearStatement } from '../src/search/embeddings/embeddings.statement.js';
import type { HostIndex } from '../src/search/host-search/host-index.lookup.js';
import type { HostIndexes } from '../src/search/host-search/host-indexes.service.js';
import { builtInProvider } from '../src/search/embeddings/built-in.provider.js';
import { median, milliseconds, progress, quantile, report } from './harness.js';
import { hostilePrompts, type SearchTexts } from './search-texts.js';
import MiniSearch from 'minisearch';
import { hostId, indexesOver, searchOver, SearchWorld } from './search-world.js';

const vectorIndex = 'search_embedding_near_ix';
/** Searches whose times are taken. */
const SEARCHES = 1_000;
const model = builtInProvider.profile.model;

/** Searches at 1 and 32 at once, index, and recall of the index against exact search. */
export async function benchSearch(
  database: OpenDatabase,
  sizes: readonly number[],
  texts: SearchTexts,
): Promise<void> {
  const world = new SearchWorld(database, texts);
  for (const size of sizes) {
    await database.asOwner.query(`DROP INDEX IF EXISTS ${vectorIndex}`);
    const loading = await milliseconds(() => world.growTo(size));
    const building = await milliseconds(() =>
      database.asOwner.query(
        `CREATE INDEX ${vectorIndex} ON search_embedding_t USING hnsw (embedding vector_cosine_ops) WHERE walked`,
      ),
    );
    await database.asOwner.query('VACUUM ANALYZE search_document_t');
    await database.asOwner.query('VACUUM ANALYZE search_embedding_t');
    const at = `search, ${size} tools`;
    report({
      bench: `${at}: vector index built`,
      figure: building / 1000,
      unit: 's',
      baseline: loading / 1000,
    });
    await reportSize(database, at);
    const indexes = await reportIndex(database, size, loading);
    await reportTimes(database, at, { indexes, texts });
    await reportLibrary(size, at, searchOver(database, indexes), texts);
    await reportHostile(database, at, indexes);
    await reportRecall(database, at, texts);
  }
}

async function reportSize(database: Database, at: string): Promise<void> {
  const [sizes] = await database.asOwner.query<{ vectors: number; words: number }>(
    `SELECT pg_relation_size($1)::float8 AS vectors, pg_relation_size('search_document_terms_ix')::float8 AS words`,
    [vectorIndex],
  );
  const megabytes = (bytes = 0): number => bytes / 1024 / 1024;
  const [figure, baseline] = [megabytes(sizes?.vectors), megabytes(sizes?.words)];
  report({ bench: `${at}: vector index beside word index`, figure, unit: 'MB', baseline });
}

/** The index of words in memory: how soon it is made, beside the rows, and how much it takes, beside that of the database. */
async function reportIndex(database: Database, size: number, loading: number): Promise<HostIndexes> {
  const indexes = indexesOver(database);
  let index: HostIndex | undefined;
  const making = await milliseconds(async () => {
    while (index === undefined) index = await indexes.of(hostId);
  });
  const [words] = await database.asOwner.query<{ bytes: number }>(
    `SELECT pg_relation_size('search_document_terms_ix')::float8 AS bytes`,
  );
  const at = `search, ${String(size)} tools`;
  report({
    bench: `${at}: index in memory made`,
    figure: making / 1000,
    unit: 's',
    baseline: loading / 1000,
  });
  const [figure, baseline] = [(index?.bytes ?? 0) / size, (words?.bytes ?? 0) / size];
  report({ bench: `${at}: index in memory beside word index`, figure, unit: 'B a tool', baseline });
  return indexes;
}

/** What is searched. */
interface Searched {
  readonly indexes: HostIndexes;
  readonly texts: SearchTexts;
}

type Search = (prompt: string) => Promise<unknown>;

/** Beside the plain full-text search of PostgreSQL over the same texts. */
async function reportTimes(database: OpenDatabase, at: string, { indexes, texts }: Searched): Promise<void> {
  const search = searchOver(database, indexes);
  const plain = (prompt: string): Promise<unknown> =>
    database.asOwner.query(
      `SELECT entity_id FROM bench_plain_t, to_tsquery('english', $1) q WHERE text @@ q
       ORDER BY ts_rank(text, q) DESC LIMIT 10`,
      [prompt.split(/\W+/).filter(Boolean).join(' | ')],
    );
  for (const together of [1, 32]) {
    const own = await timesOf(search, { together, texts, count: SEARCHES });
    const other = await timesOf(plain, { together, texts, count: SEARCHES / 10 });
    for (const [name, share] of [
      ['p50', 0.5],
      ['p99', 0.99],
    ] as const) {
      const bench = `${at}: ${name}, ${together} at once, beside ts_rank`;
      report({
        bench,
        figure: quantile(own.times, share),
        unit: 'ms',
        baseline: quantile(other.times, share),
      });
    }
    const bench = `${at}: ${together} at once, beside ts_rank`;
    report({ bench, figure: own.aSecond, unit: 'searches/s', baseline: other.aSecond });
  }
}

/** Milliseconds of each of some hundred searches, and how many were answered in a second. */
async function timesOf(
  search: (prompt: string) => Promise<unknown>,
  {
    together,
    texts,
    count,
  }: { readonly together: number; readonly texts: SearchTexts; readonly count: number },
): Promise<{ readonly times: readonly number[]; readonly aSecond: number }> {
  const times: number[] = [];
  let next = 0;
  const asker = async (): Promise<void> => {
    while (next < count) {
      const prompt = texts.promptAt(next++);
      times.push(await milliseconds(() => search(prompt)));
    }
  };
  const round = () => milliseconds(() => Promise.all(Array.from({ length: together }, asker)));
  // The first round does not count: PostgreSQL plans a statement anew five times on each connection, and code is compiled.
  await round();
  [times.length, next] = [0, 0];
  const all = await round();
  return { times, aSecond: (count / all) * 1000 };
}

/** Beside an index of MiniSearch over the same texts: milliseconds of this process's processor that a search takes. */
async function reportLibrary(size: number, at: string, search: Search, texts: SearchTexts): Promise<void> {
  const library = new MiniSearch({
    fields: ['name', 'description', 'schema'],
    searchOptions: { boost: { name: 2 } },
  });
  for (let id = 0; id < size; id += 1) {
    const { name, description, schema } = texts.toolAt(id);
    library.add({ id, name: name.replaceAll('_', ' '), description, schema: JSON.stringify(schema ?? {}) });
  }
  const figure = await processorOf(search, texts);
  const baseline = await processorOf((prompt) => library.search(prompt).slice(0, 10), texts);
  report({ bench: `${at}: of the processor, one search, beside MiniSearch`, figure, unit: 'ms', baseline });
}

async function processorOf(search: (prompt: string) => unknown, texts: SearchTexts): Promise<number> {
  const most = 100;
  const before = process.cpuUsage();
  for (let at = 0; at < most; at += 1) await search(texts.promptAt(at));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / most;
}

/** Prompts that are made to take long, beside the 50 ms that each may take. */
async function reportHostile(database: OpenDatabase, at: string, indexes: HostIndexes): Promise<void> {
  const search = searchOver(database, indexes);
  for (const [name, prompt] of Object.entries(hostilePrompts)) {
    await search(prompt);
    const times: number[] = [];
    for (let turn = 0; turn < 5; turn += 1) times.push(await milliseconds(() => search(prompt)));
    report({ bench: `${at}: 20,000 characters, ${name}`, figure: median(times), unit: 'ms', baseline: 50 });
  }
}

/** Of the ten nearest, how many the index finds: with filters that keep all, a tenth and a hundredth. */
async function reportRecall(database: OpenDatabase, at: string, texts: SearchTexts): Promise<void> {
  for (const [words, domains] of [
    ['all', 100],
    ['10 %', 10],
    ['1 %', 1],
  ] as const) {
    const where = new Conditions().add('d.host_id = ?', hostId).add('d.kind = ?', 'tool');
    where.add(
      'd.domain = ANY(?::text[])',
      Array.from({ length: domains }, (_, index) => `domain${index}`),
    );
    const next = where.values.length + 1;
    const [few] = await database
      .of(hostId)
      .query<{ count: number }>(countStatement(where.sql(), next), [...where.values, fewRows]);
    const chosen = nearStatement(where.sql(), next, (few?.count ?? 0) < fewRows);
    const exact = nearStatement(where.sql(), next, true);
    const recalls: number[] = [];
    const times: number[] = [];
    for (let turn = 0; turn < 30; turn += 1) {
      const [vector] = await builtInProvider.embed([texts.promptAt(turn)], 'query');
      const parameters = [...where.values, model, `[${vector?.join() ?? ''}]`, 10];
      const ids = async (statement: string): Promise<string[]> =>
        (await database.of(hostId).query<{ entity_id: string }>(statement, parameters)).map(
          ({ entity_id: id }) => id,
        );
      const right = await ids(exact);
      let found: string[] = [];
      times.push(await milliseconds(async () => (found = await ids(chosen))));
      recalls.push(right.filter((id) => found.includes(id)).length / right.length);
    }
    const mean = recalls.reduce((sum, each) => sum + each, 0) / recalls.length;
    report({ bench: `${at}: recall@10, filter keeps ${words}`, figure: mean, unit: 'of exact', baseline: 1 });
    progress(`  ${median(times).toFixed(1)} ms`);
  }
}
