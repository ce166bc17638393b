import { memberRows, typeText, wholeRows } from './condensed-schema.js';

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

const objectOf = (member: unknown, more: object = {}) => ({
  type: 'object',
  properties: { a: member },
  ...more,
});

it.each([
  [{ type: 'string', description: 'A.', default: 'b' }],
  [{ type: 'string', format: 'date' }],
  [{ type: ['string', 'null'] }],
  [{ enum: ['red', 'green'] }],
  [{ type: 'array', items: { type: 'integer' } }],
  [{ anyOf: [{ const: '*' }, { type: 'array', items: { enum: ['a', 'b'] } }] }],
  [{ type: 'object', required: ['b'], properties: { b: { type: 'boolean' }, c: {} } }],
  [{ type: 'object', properties: { b: {} }, additionalProperties: false }],
  [true],
])('%j loses nothing as a row', (member) => {
  expect(wholeRows(objectOf(member))).toHaveLength(1);
});

it.each([
  [{ type: 'integer', minimum: 1 }],
  [{ type: 'string', pattern: '^a' }],
  [{ type: 'string', maxLength: 4 }],
  [{ $ref: '#/$defs/A' }],
  [{ enum: [1, '1'] }],
  [{ enum: ['date'] }],
  [{ enum: ['string', 'b'] }],
  [{ enum: ['a|b'] }],
  [{ type: 'number', enum: ['a'] }],
  [{ type: 'integer', format: 'int32' }],
  [{ type: 'array', items: { type: 'integer' }, uniqueItems: true }],
  [{ type: 'array', items: { type: 'integer', minimum: 1 } }],
  [{ type: 'object', properties: { b: { type: 'string', description: 'Lost.' } } }],
  [{ type: 'object', properties: { 'b: c': {} } }],
  [{ type: 'object', required: ['b'] }],
  [{ oneOf: [{}] }],
  [false],
])('%j would lose something as a row', (member) => {
  expect(wholeRows(objectOf(member))).toBeUndefined();
});

it('gives no rows for what is more than its members', () => {
  for (const more of [
    { additionalProperties: { type: 'string' } },
    { required: ['b'] },
    { $defs: {} },
    { type: 'array' },
  ]) {
    expect(wholeRows(objectOf({}, more))).toBeUndefined();
  }
  expect(wholeRows(true)).toBeUndefined();
});

it('says of objects within which take no other members', () => {
  const closed = { type: 'object', properties: { b: { type: 'string' } }, additionalProperties: false };
  const open = { ...closed, additionalProperties: true };
  const [inClosed, inOpen] = [closed, open].map((member) => wholeRows(objectOf(member)));
  expect([inClosed, inOpen]).toMatchObject([
    [{ type: '{b?: string; [k: string]: never}' }],
    [{ type: '{b?: string}' }],
  ]);
  expect(
    wholeRows(objectOf({ type: 'array', items: closed }, { additionalProperties: false })),
  ).toMatchObject([{ type: '{b?: string; [k: string]: never}[]' }]);
});
