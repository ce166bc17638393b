import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eachDatabase } from './databases.js';

/** Containment compares each item of a list with each of the other; a path may walk a document once for each of its steps. */
const costly = /@>|<@|@\?|@@|jsonb_path|jsonb_contain|arraycontain/;

const source = fileURLToPath(new URL('../../src/', import.meta.url));

/** SQL of the source that may say it: lists of texts, one side of which is short whatever callers send. */
const short: Readonly<Record<string, readonly string[]>> = {
  // A hundred words at most of a query.
  'graph/sql/conditions.sql.ts': ["return `${tokens(column)} @> ${bound.add(value, 'text[]')}`;"],
  // A hundred words at most of an endpoint.
  'search/documents/search-documents.filter.ts': [
    "if (context !== undefined) where.add('d.required_context <@ ?::text[]', context);",
  ],
  // One word.
  'tools/tool/tools.filter.ts': [
    `where.add("persona_keys @> ARRAY[?::text] AND persona_keys <> '{}'", persona.toLowerCase());`,
    "WHERE e.host_id = ? AND e.document_tags @> ARRAY[?::text] AND e.document_tags <> '{}'`,",
  ],
  'endpoints/endpoint/endpoints.filter.ts': [
    "const inList = (column: string): string => `${column} @> ARRAY[?::text] AND ${column} <> '{}'`;",
    "WHERE host_id = ? AND document_tags @> ARRAY[?::text] AND document_tags <> '{}'`,",
  ],
};

describe('what callers send is compared in linear time', () => {
  it('by the SQL of the source', () => {
    const found: Record<string, string[]> = {};
    for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts') || file.endsWith('.spec.ts')) continue;
      const lines = readFileSync(join(source, file), 'utf8')
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => costly.test(line) && !line.startsWith('*') && !line.startsWith('//'));
      if (lines.length > 0) found[file] = lines;
    }
    expect(found).toEqual(short);
  });

  eachDatabase((open) => {
    it('by the functions, views, indexes, rules and triggers that the migrations leave', async () => {
      const database = await open();
      const said = await database.asOwner.query<{ name: string; text: string }>(
        `SELECT p.oid::regprocedure::text AS name, pg_get_functiondef(p.oid) AS text
           FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
          WHERE n.nspname IN ('catalog', 'public') AND p.prokind IN ('f', 'p')
            AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
         UNION ALL
         SELECT viewname, definition FROM pg_views WHERE schemaname IN ('catalog', 'public')
         UNION ALL
         SELECT indexname, indexdef FROM pg_indexes WHERE schemaname IN ('catalog', 'public')
         UNION ALL
         SELECT conname, pg_get_constraintdef(c.oid) FROM pg_constraint c JOIN pg_namespace n ON n.oid = c.connamespace
          WHERE n.nspname IN ('catalog', 'public')
         UNION ALL
         SELECT policyname, concat(qual, with_check) FROM pg_policies WHERE schemaname IN ('catalog', 'public')
         UNION ALL
         SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal`,
      );
      expect(said.length).toBeGreaterThan(50);
      const found = said.filter(({ text }) => costly.test(text)).map(({ name }) => name);
      // The words of a prompt, at most 4,000 characters; its index finds them.
      expect(found).toEqual(['documents_with(text[],text[])']);
    });
  });
});
