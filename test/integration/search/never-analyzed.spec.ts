import { randomUUID } from 'node:crypto';
import { Conditions } from '../../../src/platform/database/conditions.js';
import type { OpenDatabase } from '../../../src/platform/database/open-database.js';
import {
  candidateStatement,
  candidateValues,
  countStatement,
  termGroups,
} from '../../../src/search/host-search/host-search.queries.js';
import { keepDocuments } from '../../../src/search/documents/search-documents.follower.js';
import { skillDocument, termOf } from '../../../src/search/documents/search-document.js';
import type { Sql } from '../../../src/kernel/sql.js';
import { eachDatabase } from '../databases.js';

const words = ['sun', 'rain', 'wind', 'snow', 'oslo'];

eachDatabase((open) => {
  let database: OpenDatabase;
  const hostId = randomUUID();
  const where = visible(hostId);

  beforeAll(async () => {
    database = await open();
    for (const table of ['search_document_t', 'search_term_t'])
      await database.asOwner.query(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
    const documents = Array.from({ length: 600 }, (_, index) =>
      skillDocument(hostId, {
        ...{ skill_id: randomUUID(), name: `${words[index % 5] ?? ''} ${String(index)}` },
        ...{ description: words.slice(0, index % 4).join(' '), content_markdown: '' },
        ...{ depends_on: [], tags: null, categories: null },
      }),
    );
    const embedded = { model: 'none', dimension: 384, fields: [] };
    const ids = documents.map(({ entity_id: id }) => id);
    await database
      .of(hostId)
      .transaction((tx) =>
        keepDocuments(tx, { hostId, kind: 'skill', ids, position: 1, embedded }, documents),
      );
  });

  /** Looks into the index of words, and other scans of the documents, so far: a session counts over its transactions. */
  const counted = async (tx: Sql) => {
    const [counts] = await tx.query<{ looks: number; others: number }>(
      `SELECT pg_stat_get_xact_numscans(to_regclass('search_document_terms_ix'))::int AS looks,
              (pg_stat_get_xact_numscans(to_regclass('search_document_t'))
                + pg_stat_get_xact_numscans(to_regclass('search_document_t_pkey'))
                + pg_stat_get_xact_numscans(to_regclass('search_document_routing_ix')))::int AS others`,
    );
    return counts ?? { looks: NaN, others: NaN };
  };

  /** What the statement costs. */
  const costOf = (statement: string, asked: readonly unknown[]) =>
    database.of(hostId).transaction(async (tx) => {
      const before = await counted(tx);
      const rows = await tx.query(statement, asked);
      const after = await counted(tx);
      const [table] = await tx.query<{ analyzed: boolean }>(
        `SELECT reltuples >= 0 AS analyzed FROM pg_class WHERE oid = to_regclass('search_document_t')`,
      );
      return {
        ...{ ...table, found: rows.length > 0 },
        ...{ looks: after.looks - before.looks, others: after.others - before.others },
      };
    });

  test('a search looks for each word once, in tables that nobody has analyzed', async () => {
    const groups = termGroups(
      hostId,
      words.map((word) => ({ word, weight: 1 })),
      { frequency: () => 120 },
    ).filter(({ last }) => !last);
    const asked = [...where.values, ...candidateValues('skill', groups)];
    expect(await costOf(candidateStatement(where.sql, 2), asked)).toEqual({
      ...{ analyzed: false, found: true, others: 0 },
      looks: groups.length,
    });
  });

  test('so does who counts the documents of a tier', async () => {
    const asked = [...where.values, ['skill'], words.map((word) => termOf(hostId, word))];
    const { looks, found } = await costOf(countStatement(where.sql, 2), asked);
    expect({ looks, found }).toEqual({ looks: words.length, found: true });
  });
});

function visible(hostId: string) {
  const where = new Conditions().add('d.host_id = ?', hostId);
  return { sql: where.sql(), values: where.values };
}
