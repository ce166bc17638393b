import { nodeTypes } from '../../../src/graph/ontology.js';
import type { NodeType } from '../../../src/graph/ontology.types.js';
import type { OpenDatabase } from '../../../src/platform/database/open-database.js';
import { eachDatabase } from '../databases.js';

const types: readonly NodeType[] = nodeTypes;
/** What is told of tools and endpoints as they are now, and the same at each version. */
const views = [
  ['tool_redacted_read', 'tool_kept_read'],
  ['endpoint_redacted_read', 'endpoint_kept_read'],
  ...types.flatMap(({ view, kept }) => (kept === undefined ? [] : [[view, kept.view] as const])),
] as const;

eachDatabase((open) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });

  it.each(views)(
    'what %s tells of now, %s tells of each version: the same columns',
    async (present, kept) => {
      const columnsOf = async (view: string) => {
        const rows = await database.asOwner.query<{ name: string }>(
          `SELECT attname AS name, atttypid::regtype::text AS type, attcollation AS collation FROM pg_attribute
         WHERE attrelid = $1::regclass AND attnum > 0 ORDER BY attnum`,
          [view],
        );
        return new Map(rows.map((row) => [row.name, row]));
      };
      const [now, then] = [await columnsOf(present), await columnsOf(kept)];
      if (!kept.includes('param')) expect([...then.keys()]).toEqual([...now.keys()]);
      // The id of a param is made of its name, and its version is a column of its own.
      else expect([now.delete('id'), then.delete('tool_version')]).toEqual([true, true]);
      expect(Object.fromEntries(then)).toEqual(Object.fromEntries(now));
    },
  );
});
