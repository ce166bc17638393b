import { memberRows, typeText } from './condensed-schema.js';

it.each([
  [{ type: 'string', format: 'uuid' }, 'uuid'],
  [{ type: 'string', enum: ['raw', 'llm'] }, 'raw|llm'],
  [{ anyOf: [{ const: '*' }, { type: 'array', items: { type: 'string' } }] }, '"*"|string[]'],
  [{ type: 'array', items: { enum: ['a', 'b'] } }, '(a|b)[]'],
  [{ type: ['number', 'null'] }, 'number|null'],
  [
    { type: 'object', required: ['a'], properties: { a: {}, b: { type: 'integer' } } },
    '{a: any; b?: integer}',
  ],
  [{ type: 'object' }, 'object'],
  [true, 'any'],
])('%j is %s', (schema, text) => {
  expect(typeText(schema)).toBe(text);
});

it('tells of each member what it is, whether it must be there, and what it is otherwise', () => {
  const schema = {
    required: ['query'],
    properties: {
      query: { type: 'object' },
      limit: { type: 'integer', default: 30, description: 'Most rows.' },
    },
  };
  expect(memberRows(schema, { query: 'query' })).toEqual([
    { name: 'query', type: 'query', required: true, meaning: '' },
    { name: 'limit', type: 'integer', required: false, meaning: 'Most rows. Default 30.' },
  ]);
});
