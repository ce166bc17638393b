import type { JsonObject } from '../documents/json.js';
import type { Sql } from '../kernel/sql.js';
import { packText } from '../platform/database/packed-text.js';
import { HeldOperations } from './held-operations.service.js';
import { ImportPool } from './import-pool.js';

const pool = new ImportPool({});
afterAll(() => {
  pool.close();
});

/** Of single operations all is in the document that comes. */
const sql: Pick<Sql, 'query'> = { query: () => Promise.reject(new Error('nothing is read')) };
const apiVersionId = '01900000-0000-7000-8000-000000000001';

const version = (place: number, inputSchema: JsonObject, operation: string) => ({
  ...{ toolId: 'tool', toolName: 'tool', version: `1.0.${String(place)}`, state: 'draft' as const },
  call: { api: 'a', operation, operationName: 'project', variables: { id: '$id' }, apiVersionId },
  inputSchema,
  fault: null,
});

it('finds no fault with stored versions whose schema branches too often to be tried', async () => {
  const self = { $ref: '#' };
  const branching = (place: number): JsonObject => ({
    type: 'object',
    properties: { id: { type: 'integer', title: String(place) } },
    anyOf: [self, self, self, self],
  });
  const [known, unknown] = ['project', 'projects'].map((field) => `query ($id: Int!) { ${field}(id: $id) }`);
  const versions = [
    ...[0, 1, 2, 3, 4, 5, 6, 7].map((place) => version(place, branching(place), known ?? '')),
    version(8, branching(8), unknown ?? ''),
    version(9, { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }, known ?? ''),
  ];
  const packed = await packText('type Query { project(id: Int!): String }');
  const incoming = { apiVersionId, packed, endpoints: [] };
  const faults = await new HeldOperations(pool).faultsOf(sql, 'host', versions, incoming);
  expect(faults.slice(0, 8)).toEqual(versions.slice(0, 8).map(() => null));
  expect(faults.slice(8)).toMatchObject([{ code: 'operation_unfit' }, { code: 'variables_unfit' }]);
});
