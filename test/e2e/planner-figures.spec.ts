import { DATABASE, type Database } from '../../src/kernel/sql.js';
import { until } from '../until.js';
import { eachOwnServer } from './own-server.js';

/** So many operations that what they fill has grown out of what the planner takes an unknown table for. */
function documentOf(operations: number) {
  const paths = Array.from({ length: operations }, (_, index) => [
    `/ledgers/${String(index)}`,
    {
      get: {
        operationId: `getLedger${String(index)}`,
        summary: `Reads ledger ${String(index)}.`,
        tags: [`book ${String(index % 9)}`],
        responses: {},
      },
    },
  ]);
  return { openapi: '3.1.0', info: { title: 'Ledgers', version: '1' }, paths: Object.fromEntries(paths) };
}

eachOwnServer((server) => {
  it('knows the tables that an import has filled soon after what it brought is found', async () => {
    const body = {
      api: { apiId: 'ledgers' },
      version: { apiVersion: '1', serviceId: 'accounts', envTag: 'dev' },
      document: documentOf(1_000),
      publish: true,
      createTags: true,
    };
    const imported = await server().api('POST', '/imports', { body });
    expect([imported.status, imported.body]).toEqual([200, expect.objectContaining({ published: 1_000 })]);
    const found = await server().api<{ items: unknown[] }>('POST', '/search', {
      body: { prompt: 'read ledger 7' },
    });
    expect(found.status).toBe(200);
    const { asOwner } = server().app.get<Database>(DATABASE);
    const unknown = (): Promise<object[]> =>
      asOwner.query(
        `SELECT relname FROM pg_class
          WHERE relkind = 'r' AND relnamespace IN ('catalog'::regnamespace, 'public'::regnamespace)
            AND pg_relation_size(oid) > 40 * 8192 AND reltuples < 400`,
      );
    await until(unknown, (tables) => tables.length === 0);
  });
});
