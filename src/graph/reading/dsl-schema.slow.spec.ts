import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { dslSchema } from './dsl-schema.js';

it('makes a JSON Schema of queries that compiles and knows each node’s filters', () => {
  const ajv = addFormats.default(new Ajv2020({ strict: false }));
  const validate = ajv.compile(dslSchema);
  const query = (filters: object) => ({
    query_type: 'traversal',
    nodes: [{ id: 't', entity: 'Tool', filters }],
  });
  expect(validate(query({ destructive: true, name: { contains: 'acc' } }))).toBe(true);
  expect(validate(query({ colour: 'red' }))).toBe(false);
  expect(validate(query({ destructive: { contains: 'yes' } }))).toBe(false);
});
