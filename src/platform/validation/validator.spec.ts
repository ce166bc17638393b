import { jsonValidator, textValidator } from './validator.js';

describe('a whole number in a query', () => {
  const query = textValidator({
    type: 'object',
    properties: { limit: { type: 'integer', minimum: 1, maximum: 500 } },
  });

  it.each(['1', '500'])('may be %s', (limit) => {
    expect(query({ limit })).toEqual([]);
  });

  it.each(['1e400', '99999999999999999999', '0x5', '1e1', '+5', '1.5', '', '501', '0'])(
    'may not be %p',
    (limit) => {
      expect(query({ limit })).toEqual([expect.objectContaining({ pointer: '/limit' })]);
    },
  );
});

describe('the faults of a value with very many', () => {
  const row = { type: 'object', required: ['a'], properties: { a: { type: 'string' } } } as const;
  const check = jsonValidator({
    type: 'object',
    properties: { rows: { type: 'array', items: row }, tree: { $ref: '#/definitions/node' } },
    definitions: {
      node: { type: 'object', properties: { in: { type: 'array', items: { $ref: '#/definitions/node' } } } },
    },
  });
  const many = (count: number, value: unknown): unknown[] => Array.from({ length: count }, () => value);

  it.each<[string, object, string]>([
    ['rows', { rows: many(800, {}) }, '100 of 800 faults'],
    [
      'parts that are of the shape of the whole',
      { tree: { in: many(150, { in: [1, 2] }) } },
      '100 of 300 faults',
    ],
    ['more than are counted', { rows: many(150_000, {}) }, '100 of 1000 or more faults'],
  ])('are the first hundred, with the number of all: %s', (_, value, of) => {
    const faults = check(value);
    expect(faults).toHaveLength(101);
    expect(faults.at(-1)).toEqual({ pointer: '', detail: `these are the first ${of}` });
  });

  it('are all of exactly a hundred', () => {
    expect(check({ rows: many(100, {}) })).toHaveLength(100);
  });
});

describe('a member that another one excludes', () => {
  const set = (...required: string[]) => ({ required });

  it.each<[object, string]>([
    [set('b'), 'must be without b: what else is given excludes it'],
    [
      { anyOf: [set('b', 'c'), set('d')] },
      'must be without b and c, without d: what else is given excludes it',
    ],
    [{ properties: { b: { const: 1 } } }, 'must NOT be valid'],
  ])('is named: %j', (not, detail) => {
    const check = jsonValidator({ if: set('a'), then: { not } });
    expect(check({ a: 1, b: 1, c: 1, d: 1 })[0]).toEqual({ pointer: '', detail });
  });
});
