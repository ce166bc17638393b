import fc from 'fast-check';
import { paramsOf, type ParamType } from './tool-params.js';
import { many } from '../../../test/soak.js';

const typeOf = (schema: unknown, $defs: object = {}): ParamType | undefined =>
  paramsOf({ type: 'object', properties: { it: schema }, $defs })[0]?.type;

describe('the params of an input schema', () => {
  it('are its properties: the required ones first as it lists them, the rest by name', () => {
    const schema = {
      type: 'object',
      required: ['to', 'from'],
      properties: {
        note: { type: 'string', description: 'Shown to both.', default: '' },
        amount: { type: 'number' },
        from: { type: 'string' },
        to: { type: 'string' },
      },
    };
    expect(paramsOf(schema)).toEqual([
      { name: 'to', type: 'string', required: true, schema: { type: 'string' }, order: 0 },
      { name: 'from', type: 'string', required: true, schema: { type: 'string' }, order: 1 },
      { name: 'amount', type: 'number', required: false, schema: { type: 'number' }, order: 2 },
      {
        ...{ name: 'note', type: 'string', required: false, description: 'Shown to both.', default: '' },
        ...{ schema: schema.properties.note, order: 3 },
      },
    ]);
  });

  it.each<[unknown, ParamType]>([
    [{ type: 'integer' }, 'integer'],
    [{ type: ['null', 'boolean'] }, 'boolean'],
    [{ enum: [null, 'a'] }, 'string'],
    [{ const: 7 }, 'number'],
    [{ properties: {} }, 'object'],
    [{ items: {} }, 'array'],
    [{ anyOf: [{ type: 'null' }, { type: 'array' }] }, 'array'],
    [{ allOf: [{ description: 'nothing yet' }, { type: 'string' }] }, 'string'],
    [{ type: [], const: null, enum: ['a'] }, 'string'],
    [{ type: null, const: [1] }, 'number'],
    [{ type: 'nothing', anyOf: null, oneOf: { type: 'integer' } }, 'integer'],
    [{}, 'object'],
    [true, 'object'],
  ])('%j is of type %s', (schema, type) => {
    expect(typeOf(schema)).toBe(type);
  });

  it('follow references for type, description and default', () => {
    const $defs = { 'a/b': { type: 'string', description: 'An account.', default: 'x' } };
    const [param] = paramsOf({ properties: { it: { $ref: '#/$defs/a~1b' } }, $defs });
    expect(param).toMatchObject({ type: 'string', description: 'An account.', default: 'x' });
    expect(param?.schema).toEqual({ $ref: '#/$defs/a~1b' });
  });

  it('survive references that lead nowhere or in circles', () => {
    expect(typeOf({ $ref: '#/$defs/missing' })).toBe('object');
    expect(typeOf({ $ref: '#/$defs/a' }, { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } })).toBe(
      'object',
    );
    expect(typeOf({ $ref: '#/$defs/a' }, { a: { anyOf: [{ $ref: '#/$defs/a' }] } })).toBe('object');
  });

  it('survive choices without end, and those that all of them share', () => {
    const $ref = '#/$defs/a';
    expect(typeOf({ $ref }, { a: { anyOf: Array.from({ length: 30 }, () => ({ $ref })) } })).toBe('object');
    const back = { anyOf: [{ $ref: '#/$defs/b' }, { type: 'string' }] };
    expect(typeOf({ $ref }, { a: { anyOf: [{ $ref }, { $ref: '#/$defs/b' }] }, b: back })).toBe('string');
    const shared = { a: { anyOf: Array.from({ length: 5_000 }, () => ({ title: 'x' })) } };
    const properties = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, at) => [`p${String(at)}`, { $ref }]),
    );
    const params = paramsOf({ properties, required: Object.keys(properties), $defs: shared });
    expect(new Set(params.map(({ type }) => type))).toEqual(new Set(['object']));
  });

  it('are the same in whatever order the members of the schema come', () => {
    const names = fc.uniqueArray(fc.string(), { maxLength: 6 });
    fc.assert(
      fc.property(names, fc.func(fc.boolean()), (properties, isRequired) => {
        const required = properties.filter((name) => isRequired(name));
        const schemaOf = (ordered: string[]) => ({
          properties: Object.fromEntries(ordered.map((name) => [name, { type: 'string' }])),
          required,
        });
        expect(paramsOf(schemaOf([...properties].reverse()))).toEqual(paramsOf(schemaOf(properties)));
        expect(paramsOf(schemaOf(properties))).toHaveLength(properties.length);
      }),
      many(100),
    );
  });
});
