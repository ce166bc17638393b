import { randomUUID } from 'node:crypto';
import { agentsAffected } from '../../../src/effective-catalog/delivery/catalog-changes.service.js';
import { catalogStatement } from '../../../src/effective-catalog/rows.queries.js';
import type { Sql } from '../../../src/kernel/sql.js';
import type { OpenDatabase } from '../../../src/platform/database/open-database.js';
import { nearStatement } from '../../../src/search/embeddings/embeddings.statement.js';
import {
  candidateStatement,
  spellingStatement,
} from '../../../src/search/host-search/host-search.queries.js';
import { touchedBy } from '../../../src/search/documents/search-documents.statement.js';
import { termOf } from '../../../src/search/documents/search-document.js';
import { eachDatabase } from '../databases.js';
import { AccountAgent } from '../effective-catalog/account-agent.js';
import { Tables } from '../effective-catalog/tables.js';

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly Plans?: readonly Node[];
}
const nodesOf = (node: Node): readonly Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Tables of many: how many rows, enough to tell an index from reading everything, and the column in which they differ. */
const large: Readonly<Record<string, readonly [rows: number, key: string]>> = {
  api_endpoint_t: [3_000, 'endpoint_id'],
  tool_t: [3_000, 'tool_id'],
  tool_version_t: [3_000, 'tool_id'],
  skill_t: [3_000, 'skill_id'],
  skill_tool_t: [3_000, 'skill_id'],
  agent_skill_t: [3_000, 'agent_def_id'],
  entity_taxonomy_t: [3_000, 'entity_id'],
  category_t: [3_000, 'category_id'],
  tag_t: [3_000, 'tag_id'],
  search_document_t: [3_000, 'entity_id'],
  search_term_t: [3_000, 'term'],
  search_embedding_t: [1_000, 'entity_id'],
};

eachDatabase((open) => {
  let database: OpenDatabase;
  let agent: AccountAgent;
  const hostId = randomUUID();

  beforeAll(async () => {
    database = await open();
    agent = await new AccountAgent(database.asOwner, hostId).build(2, 2);
    const tables = new Tables(database.asOwner, hostId);
    const [category, tag, tool] = [randomUUID(), randomUUID(), AccountAgent.tool(0)];
    const classes = { categories: JSON.stringify([{ id: category }]), tags: JSON.stringify([{ id: tag }]) };
    await tables.add('tool_version_t', { tool_id: tool, version: '1.0.0', content: '{}' });
    await tables.add('entity_taxonomy_t', { entity_type: 'tool', entity_id: tool, ...classes });
    await tables.add('category_t', { category_id: category, active: false });
    await tables.add('tag_t', { tag_id: tag, active: false });
    await tables.add('search_document_t', { kind: 'tool', entity_id: tool, terms: ['none'] });
    await tables.add('search_term_t', { kind: 'tool', term: 'account' });
    const vector = `[1${',0'.repeat(383)}]`;
    const made = { model: 'm', status: 'ready', walked: true, embedding: vector };
    await tables.add('search_embedding_t', { kind: 'tool', entity_id: tool, ...made });
    await database.asOwner.query('DROP INDEX tool_endpoint_uk');
    for (const table of Object.keys(large)) await multiply(database, table);
    await database.asOwner.query(
      `UPDATE search_document_t SET terms = ARRAY[$1 || (length(name) % 7)::text || left(entity_id::text, 2)]`,
      [termOf(hostId, 'w')],
    );
    // Not ANALYZE alone: what a GIN index has not taken in yet makes it dear to the planner.
    await database.asOwner.query('VACUUM ANALYZE');
  });

  /** Under the role and the host that the service asks as. */
  const planOf = async (statement: string, values: readonly unknown[]): Promise<readonly Node[]> => {
    // The values as they would be bound: a prepared statement is planned for them too, at first.
    const [row] = await database
      .of(hostId)
      .query<{ 'QUERY PLAN': readonly { readonly Plan: Node }[] }>(
        `EXPLAIN (FORMAT JSON) ${statement}`,
        values,
      );
    return (row?.['QUERY PLAN'] ?? []).flatMap(({ Plan }) => nodesOf(Plan));
  };
  const readWhole = (plan: readonly Node[]) =>
    plan
      .filter((node) => node['Node Type'] === 'Seq Scan' && (node['Relation Name'] ?? '') in large)
      .map((node) => node['Relation Name']);
  /** How often an index was used for a statement; also what functions do is counted. */
  const usesOf = (
    index: string,
    statement: string,
    values: readonly unknown[],
  ): Promise<number | undefined> =>
    database.of(hostId).transaction(async (tx) => {
      await tx.query(statement, values);
      return usesWithin(tx, index);
    });

  test('the effective catalog reads by the keys of its host, and no table whole', async () => {
    const { agentDefId, services, environments } = agent.registration;
    const plan = await planOf(catalogStatement, [hostId, agentDefId, services, environments, null]);
    expect(readWhole(plan)).toEqual([]);
  });

  test('the effective catalog reads each skill, tool and endpoint once', async () => {
    const { agentDefId, services, environments } = agent.registration;
    const plan = await planOf(catalogStatement, [hostId, agentDefId, services, environments, null]);
    const reads = (table: string) => plan.filter((node) => node['Relation Name'] === table).length;
    expect([reads('skill_t'), reads('tool_t'), reads('api_endpoint_t')]).toEqual([1, 1, 1]);
  });

  test('the few tools that call an endpoint are found by their host, and no other is compared', async () => {
    const ids = [AccountAgent.tool(0)];
    expect(await usesOf('tool_calling_ix', touchedBy, [hostId, ids, ids])).toBe(1);
    const uses = await database.of(hostId).transaction(async (tx) => {
      await agentsAffected(tx, hostId, [agent.registration.agentDefId], ids);
      return usesWithin(tx, 'tool_version_calling_ix');
    });
    expect(uses).toBe(1);
  });

  test('words are looked up in the index of words', async () => {
    const where = 'WHERE (d.host_id = $1)';
    const asked = [hostId, ['tool'], [termOf(hostId, 'w1a')], [1], [10], [false], 10];
    expect(await usesOf('search_document_terms_ix', candidateStatement(where, 2), asked)).toBeGreaterThan(0);
    const plan = await planOf(candidateStatement(where, 2), asked);
    expect(plan.map((node) => node['Node Type'])).toContain('Tid Scan');
    expect(readWhole(plan)).toEqual([]);
  });

  test('words that are misspelt are looked up in the index of their spelling', async () => {
    expect(
      await usesOf('search_term_spelling_ix', spellingStatement, [['tool'], ['acount'], null, ['dev']]),
    ).toBeGreaterThan(0);
  });

  test('the nearest vectors are found along their index', async () => {
    const vector = `[0,1${',0'.repeat(382)}]`;
    const plan = await planOf(nearStatement('WHERE (d.host_id = $1)', 2, false), [hostId, 'm', vector, 2]);
    expect(plan.map((node) => node['Index Name'])).toContain('search_embedding_near_ix');
    expect(readWhole(plan)).toEqual([]);
  });
});

async function usesWithin(tx: Sql, index: string): Promise<number | undefined> {
  const [row] = await tx.query<{ uses: number }>(
    'SELECT pg_stat_get_xact_numscans(to_regclass($1)) AS uses',
    [index],
  );
  return row?.uses;
}

/** Makes many rows out of the one that there is. */
async function multiply({ asOwner }: OpenDatabase, table: string): Promise<void> {
  const [rows, key] = large[table] ?? [0, ''];
  const columns = await asOwner.query<{ name: string; type: string }>(
    `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
     WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped`,
    [table],
  );
  const values = columns.map(({ name, type }) => {
    if (name === key) return type === 'uuid' ? 'gen_random_uuid()' : `left(md5(n::text), 9)`;
    if (name === 'name') return `'name ' || n`;
    return type === 'vector' ? `('[' || n || ',' || n * n % 97 || repeat(',0', 382) || ']')::vector` : name;
  });
  await asOwner.query(
    `INSERT INTO ${table} (${columns.map(({ name }) => name).join()})
     SELECT ${values.join()} FROM (SELECT * FROM ${table} LIMIT 1) r, generate_series(1, ${String(rows)}) n`,
  );
}
