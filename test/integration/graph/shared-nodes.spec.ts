import { runQuery } from '../../../src/graph/graph.queries.js';
import { readQuery } from '../../../src/graph/graph.lookup.js';
import type { OpenDatabase } from '../../../src/platform/database/open-database.js';
import { globalHostId } from '../../../src/taxonomy/term.fields.js';
import { eachDatabase } from '../databases.js';
import { hostId, makeWorld, otherHostId, writeWorld } from './graph-world.js';

eachDatabase((open) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
    await writeWorld(database, makeWorld());
  });

  test.each([
    {
      entity: 'Category',
      table: 'category_t',
      key: 'category_id',
      type: 'IN_CATEGORY',
      uses: 'entity_category_t',
    },
    { entity: 'Tag', table: 'tag_t', key: 'tag_id', type: 'HAS_TAG', uses: 'entity_tag_t' },
  ])(
    'a $entity of all hosts is in the graph of each, with what has it; one of another host is not',
    async (one) => {
      const { entity, table, key, type, uses } = one;
      const [global, foreign] = (
        await database.asOwner.query<{ id: string }>(
          `SELECT t.${key} AS id FROM ${table} t WHERE EXISTS (SELECT FROM ${uses} u WHERE u.${key} = t.${key}) ORDER BY 1 LIMIT 2`,
        )
      ).map(({ id }) => id);
      const move = (id: string | undefined, host: string): Promise<unknown> =>
        database.asOwner.query(`UPDATE ${table} SET host_id = $2 WHERE ${key} = $1`, [id, host]);
      await move(global, globalHostId);
      await move(foreign, otherHostId);
      const ask = async (query: object): Promise<readonly string[]> => {
        const scope = { hostId, services: 'all', environments: ['dev'], tiers: 'all' } as const;
        const answer = await runQuery(database, readQuery(query), scope);
        return answer.nodes.filter((node) => node.type === entity).map(({ id }) => id);
      };
      const node = { id: 'c', entity, node_ids: [global, foreign] };
      expect(await ask({ query_type: 'traversal', nodes: [node] })).toEqual([global]);
      const kinds = ['Skill', 'Tool', 'Endpoint', 'Workflow'];
      const found = await Promise.all(
        kinds.map((kind) =>
          ask({
            query_type: 'traversal',
            nodes: [{ id: 'x', entity: kind }, node],
            relationships: [{ type, from: 'x', to: 'c' }],
          }),
        ),
      );
      expect(new Set(found.flat())).toEqual(new Set([global]));
    },
  );
});
