import { type Fault, Invalid } from '../../kernel/errors.js';
import { checkToolSchemas } from './tool-schema-check.js';

function faultsOf(inputSchema: object, responseSchema?: object): readonly Fault[] {
  try {
    checkToolSchemas({ inputSchema, ...(responseSchema && { responseSchema }) });
    return [];
  } catch (error) {
    if (error instanceof Invalid) return error.faults;
    throw error;
  }
}
const pointersOf = (schema: object): string[] => faultsOf(schema).map(({ pointer }) => pointer);
const nested = (levels: number): object =>
  levels === 0 ? { type: 'object' } : { type: 'object', not: nested(levels - 1) };

describe('a schema of a tool', () => {
  it('is taken when it stands alone', () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { a: { $ref: '#/$defs/A' }, $ref: { type: 'string' } },
      $defs: { A: { type: 'string', default: { $ref: 'a value, not a reference' } } },
    };
    expect(faultsOf(schema, { type: 'array' })).toEqual([]);
  });

  it('must describe an object', () => {
    expect(pointersOf({ type: 'string' })).toEqual(['/inputSchema/type']);
    expect(pointersOf({})).toEqual(['/inputSchema/type']);
  });

  it('is held against the meta-schema, every fault under its pointer', () => {
    const schema = { type: 'object', required: 'a', properties: { a: { type: 'text', minLength: -1 } } };
    expect(pointersOf(schema)).toEqual(
      expect.arrayContaining([
        '/inputSchema/required',
        '/inputSchema/properties/a/type',
        '/inputSchema/properties/a/minLength',
      ]),
    );
  });

  it('must be of the one dialect', () => {
    const schema = { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' };
    expect(pointersOf(schema)).toEqual(['/inputSchema/$schema']);
  });

  it.each([
    'https://evil.example/schema',
    'file:///etc/passwd',
    '#/$defs/missing',
    '#anchor',
    'other.json#/a',
  ])('must not refer to %s', ($ref) => {
    expect(pointersOf({ type: 'object', properties: { a: { $ref } } })).toEqual([
      '/inputSchema/properties/a/$ref',
    ]);
  });

  it('must not rename itself within', () => {
    expect(pointersOf({ type: 'object', $defs: { A: { $id: 'https://a.example' } } })).toEqual([
      '/inputSchema/$defs/A/$id',
    ]);
  });

  it('has limits of depth, count and size', () => {
    expect(faultsOf(nested(47))).toEqual([]);
    expect(faultsOf(nested(48))[0]?.detail).toMatch(/deeper than 48/);
    const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`p${String(index)}`, {}]));
    expect(faultsOf({ type: 'object', properties: many })[0]?.detail).toMatch(/more than 10000/);
    expect(faultsOf({ type: 'object', description: 'x'.repeat(262_144) })[0]?.detail).toMatch(/longer than/);
  });

  it('has patterns of so many characters together, and judges none beyond', () => {
    const withPatterns = (count: number, last = 'z') => {
      const patterns = [...Array(count).keys()].map((at) => `^[a-z]{${String(at)}}$`);
      const schemas = [...patterns, ...patterns, last].map((pattern, at) => [`p${String(at)}`, { pattern }]);
      return { type: 'object', properties: Object.fromEntries(schemas) as object };
    };
    expect(faultsOf(withPatterns(199))).toEqual([]);
    // That nothing beyond is looked at shows in what is no pattern.
    expect(faultsOf(withPatterns(2_000, '('))).toEqual([
      {
        pointer: '/inputSchema/properties/p200/pattern',
        detail: expect.stringMatching(/10000 characters together/),
      },
    ]);
    const spread = Object.fromEntries([...Array(201).keys()].map((at) => [`a{${String(at)}}`, {}]));
    expect(pointersOf({ type: 'object', patternProperties: spread })).toEqual([
      '/inputSchema/patternProperties/a{200}',
    ]);
  });

  it('has lists of so many items, and says which has more', () => {
    const listing = (count: number) => ({
      type: 'object',
      properties: { 'a/b': { enum: Array.from({ length: count }, (_, index) => index) } },
    });
    expect(faultsOf(listing(10_000))).toEqual([]);
    expect(faultsOf(listing(10_001), { default: [[Array(10_001).fill(1)]] })).toEqual([
      {
        pointer: '/inputSchema/properties/a~1b/enum',
        detail: expect.stringMatching(/more than 10000 items/),
      },
      { pointer: '/responseSchema/default/0/0', detail: expect.stringMatching(/more than 10000 items/) },
    ]);
  });

  it('holds no pattern that is none, or that would hang whoever runs it', () => {
    expect(pointersOf({ type: 'object', properties: { a: { pattern: '(a+)+$' } } })).toEqual([
      '/inputSchema/properties/a/pattern',
    ]);
    expect(pointersOf({ type: 'object', properties: { a: { pattern: '^[0-9]{10}$' } } })).toEqual([]);
    expect(pointersOf({ type: 'object', patternProperties: { '(a+)+$': {} } })).toEqual([
      '/inputSchema/patternProperties/(a+)+$',
    ]);
    expect(pointersOf({ type: 'object', properties: { a: { pattern: '(' } } })).toEqual([
      '/inputSchema/properties/a/pattern',
    ]);
  });
});
