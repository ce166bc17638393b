import type { Database } from '../src/kernel/sql.js';
import { Conditions } from '../src/platform/database/conditions.js';
import type { OpenDatabase } from '../src/platform/database/open-database.js';
import { countStatement, fewRows, nearStatement } from '../src/search/embeddings/embeddings.statement.js';
import { lexicalProvider } from '../src/search/embeddings/configured.provider.js';
import { hostId, promptOf, searchOver, SearchWorld } from './search-world.js';
import { median, milliseconds, progress, report } from './harness.js';

const vectorIndex = 'search_embedding_near_ix';
const model = lexicalProvider.profile.model;

/** Time of one search at 1 and 32 at once, index, and recall of the index against exact search. */
export async function benchSearch(database: OpenDatabase, sizes: readonly number[]): Promise<void> {
  const world = new SearchWorld(database);
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
    await reportTimes(database, at);
    await reportRecall(database, at);
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

/** Beside the plain full-text search of PostgreSQL over the same texts. */
async function reportTimes(database: OpenDatabase, at: string): Promise<void> {
  const search = searchOver(database);
  const plain = (prompt: string): Promise<unknown> =>
    database.asOwner.query(
      `SELECT entity_id FROM bench_plain_t, to_tsquery('english', $1) q WHERE text @@ q
       ORDER BY ts_rank(text, q) DESC LIMIT 10`,
      [prompt.split(/\W+/).filter(Boolean).join(' | ')],
    );
  for (const together of database.embedded ? [1] : [1, 32]) {
    const own = await timesOf(search, together);
    const other = await timesOf(plain, together);
    for (const [name, share] of [
      ['p50', 0.5],
      ['p99', 0.99],
    ] as const) {
      const bench = `${at}: ${name}, ${together} at once, beside ts_rank`;
      report({ bench, figure: quantile(own, share), unit: 'ms', baseline: quantile(other, share) });
    }
  }
}

async function timesOf(search: (prompt: string) => Promise<unknown>, together: number): Promise<number[]> {
  const times: number[] = [];
  let next = 0;
  const asker = async (): Promise<void> => {
    while (next < 300) {
      const prompt = promptOf(next++);
      times.push(await milliseconds(() => search(prompt)));
    }
  };
  await search(promptOf(1000));
  await Promise.all(Array.from({ length: together }, asker));
  return times;
}

function quantile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Of the ten nearest, how many the index finds: with filters that keep all, a tenth and a hundredth. */
async function reportRecall(database: OpenDatabase, at: string): Promise<void> {
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
      const [vector] = await lexicalProvider.embed([promptOf(turn)], 'query');
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
