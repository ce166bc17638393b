import { schemaFaults } from './schema-faults.js';

const names = ['toString', 'constructor', 'valueOf', 'hasOwnProperty'];
const text = { type: 'string' };

describe('arguments with the names of what every object has', () => {
  it.each(names)('are no arguments until they are given: %s', (name) => {
    const schema = {
      type: 'object',
      properties: { [name]: text },
      required: [name],
      additionalProperties: false,
    };
    expect(schemaFaults(schema, {})).toEqual([`/${name} is missing`]);
    expect(schemaFaults(schema, { [name]: 1 })).toEqual([`/${name} must be text`]);
    expect(schemaFaults(schema, { [name]: 'a' })).toEqual([]);
    expect(schemaFaults({ ...schema, required: [] }, {})).toEqual([]);
    expect(schemaFaults({ ...schema, properties: {}, required: [] }, { [name]: 'a' })).toHaveLength(1);
    const dependent = { type: 'object', dependentRequired: { a: [name], [name]: ['b'] } };
    expect(schemaFaults(dependent, { a: 1 })).toHaveLength(1);
    expect(schemaFaults(dependent, {})).toEqual([]);
  });

  it.each(names)('are compared like others: %s', (name) => {
    const unique = { type: 'array', uniqueItems: true };
    expect(schemaFaults(unique, [{}, { [name]: '' }])).toEqual([]);
    expect(schemaFaults(unique, [{ [name]: { a: 1 } }, { [name]: { a: 1 } }])).toEqual([
      '/ must NOT have duplicate items (items ## 0 and 1 are identical)',
    ]);
    const value = { [name]: { a: [1] } };
    for (const schema of [{ const: value }, { enum: ['a', value] }]) {
      expect(schemaFaults(schema, structuredClone(value))).toEqual([]);
      expect(schemaFaults(schema, { [name]: '' })).toHaveLength(1);
      expect(schemaFaults(schema, {})).toHaveLength(1);
    }
  });

  it.each([
    [[1, '1', true, null, [], {}], []],
    [
      ['__proto__', 'a', '__proto__'],
      ['2', '0'],
    ],
    [
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      ['1', '0'],
    ],
    [
      [0, [1, [2]], [1, [2]]],
      ['2', '1'],
    ],
  ])('nor are others compared by their looks: %j', (items, places) => {
    const [fault = ''] = schemaFaults({ type: 'array', uniqueItems: true }, items);
    expect((/items ## (\d) and (\d)/.exec(fault) ?? []).slice(1).reverse()).toEqual(places);
    expect(schemaFaults({ type: 'array', uniqueItems: false }, items)).toEqual([]);
  });
});
