import { readFlat } from '../../test/flat-endpoints.js';
import type { JsonObject } from './json.js';
import { readJson } from './json.js';
import { parseYaml } from './yaml.js';

/** `GET /releases` with these parameters, each a line of YAML. */
async function parametersOf(lines: readonly string[], rest = '') {
  const parameters = lines.map((line) => `        - ${line}\n`).join('');
  const text = `openapi: 3.1.0\ninfo: {title: 007, version: 1.10}\npaths:\n  /releases:\n    get:\n      parameters:\n${parameters}${rest}`;
  const read = await readFlat(text, { format: 'auto' });
  const properties = read.endpoints[0]?.inputSchema['properties'] as Record<string, JsonObject>;
  return { ...read, properties };
}

const zip = 'components: {schemas: {Zip: {type: string}}, examples: {One: {value: 02134}}}\n';

describe('integers that JSON writes otherwise', () => {
  it.each([
    ...['-9223372036854775808', '9223372036854775807', '18446744073709551616', '1180591620717411303424'],
    // Of these a parser may have rounded another one before.
    ...['9007199254740992', '-10000000000000000000'],
  ])('are left out of a schema: %s', async (bound) => {
    const document = `{"openapi": "3.1.0", "paths": {"/a": {"get": {"parameters": [{"name": "p", "in": "query",
        "schema": {"type": "integer", "minimum": ${bound}}}]}}}}`;
    const { endpoints, warnings } = await readFlat(document, { format: 'auto' });
    expect(endpoints[0]?.inputSchema['properties']).toEqual({ p: { type: 'integer' } });
    expect(warnings.map(({ code }) => code)).toEqual(['schema_mended']);
  });

  it.each(['9007199254740991', '1000000000000000000000', '-10000000000000000000000'])(
    'are few: %s is kept',
    async (bound) => {
      const { properties } = await parametersOf([
        `{name: p, in: query, schema: {type: integer, minimum: ${bound}}}`,
      ]);
      expect(properties['p']).toEqual({ type: 'integer', minimum: Number(bound) });
    },
  );
});

describe('numbers of YAML that stand for texts', () => {
  it.each([
    ['enum', '{type: string, enum: [007, 010]}', { enum: ['007', '010'] }],
    ['enum with an exponent', '{type: string, enum: [12e03]}', { enum: ['12e03'] }],
    ['default', '{type: [string, "null"], enum: [1.10, 1.20], default: 1.10}', { default: '1.10' }],
    ['const', '{type: string, const: 0x10}', { const: '0x10' }],
    ['example', '{type: string, example: 02134}', { examples: ['02134'] }],
    ['examples', '{type: string, examples: [+1, 1.0]}', { examples: ['+1', '1.0'] }],
    [
      'values that look like numbers',
      '{type: string, default: 5, examples: [12, true]}',
      { default: '5', examples: ['12', 'true'] },
    ],
    ['items', '{type: array, items: {type: string}, default: [007]}', { default: ['007'] }],
    [
      'members',
      '{type: object, properties: {zip: {type: string}, count: {type: integer}}, example: {zip: 007, count: 07}}',
      { examples: [{ zip: '007', count: 7 }] },
    ],
  ])('are as they were written in %s', async (_, schema, expected) => {
    const { properties, warnings } = await parametersOf([`{name: p, in: query, schema: ${schema}}`]);
    expect(properties['p']).toMatchObject(expected);
    expect(warnings).toEqual([]);
  });

  it.each([
    ['beside its schema', '{name: p, in: query, schema: {type: string}, example: 02134}'],
    ['with a name', '{name: p, in: query, schema: {type: string}, examples: {one: {value: 02134}}}'],
    [
      'by reference',
      "{name: p, in: query, schema: {type: string}, examples: {one: {$ref: '#/components/examples/One'}}}",
    ],
    [
      'of a schema by reference',
      "{name: p, in: query, schema: {$ref: '#/components/schemas/Zip'}, example: 02134}",
    ],
  ])('are as they were written in an example %s', async (_, parameter) => {
    const { properties } = await parametersOf([parameter], zip);
    expect(properties['p']).toEqual({ type: 'string', examples: ['02134'] });
  });

  it('are texts in an example beside a schema, too, where they look like numbers', async () => {
    const { properties } = await parametersOf(['{name: p, in: query, schema: {type: string}, example: 5}']);
    expect(properties['p']).toEqual({ type: 'string', examples: ['5'] });
  });

  it('are as they were written in fields of a document', async () => {
    const { title, version } = await parametersOf([]);
    expect({ title, version }).toEqual({ title: '007', version: '1.10' });
    expect(parseYaml('name: 007\nversion: 1.10\nmetadata: {version: 2.0}\n')).toEqual({
      name: '007',
      version: '1.10',
      metadata: { version: '2.0' },
    });
  });

  it('are as they were written in keys and names', async () => {
    const schema = '{type: object, required: [007], properties: {007: {type: string}, 1.10: {}}}';
    const { properties } = await parametersOf([`{name: p, in: query, schema: ${schema}}`]);
    expect(properties['p']).toMatchObject({ required: ['007'], properties: { '007': {}, '1.10': {} } });
  });

  it('are as they were written in OpenAPI 2.0', async () => {
    const text =
      'swagger: 2.0\ninfo: {title: a, version: 2.0}\npaths: {/a: {get: {parameters: [{name: p, in: query, type: string, enum: [007], default: 007}]}}}';
    const { endpoints, version } = await readFlat(text, { format: 'auto' });
    expect(version).toBe('2.0');
    expect(endpoints[0]?.inputSchema['properties']).toEqual({
      p: { type: 'string', enum: ['007'], default: '007' },
    });
  });
});

describe('what stands for texts', () => {
  const release = 'components: {schemas: {Release: {type: string}}}\n';

  it.each([
    ['a part of a whole', "{allOf: [{$ref: '#/components/schemas/Release'}], default: 1.10}"],
    ['each of several choices', '{anyOf: [{type: string}, {type: "null"}], default: 1.10}'],
    ['a choice of parts', '{oneOf: [{allOf: [{type: string}]}], default: 1.10}'],
  ])('is a text because of %s', async (_, schema) => {
    const { properties } = await parametersOf([`{name: p, in: query, schema: ${schema}}`], release);
    expect(properties['p']).toMatchObject({ default: '1.10' });
  });

  it('is a number where one of the choices is', async () => {
    const schema = '{anyOf: [{type: string}, {type: number}], default: 1.10}';
    const { properties } = await parametersOf([`{name: p, in: query, schema: ${schema}}`]);
    expect(properties['p']).toMatchObject({ default: 1.1 });
  });

  it('is a flag as it was written', async () => {
    const schema = '{type: string, enum: [True, FALSE, true], default: False}';
    const { properties } = await parametersOf([`{name: p, in: query, schema: ${schema}}`]);
    expect(properties['p']).toMatchObject({ enum: ['True', 'FALSE', 'true'], default: 'False' });
    expect(parseYaml('{True: [True, FALSE], required: true}')).toEqual({
      True: [true, false],
      required: true,
    });
  });

  it('is a variable of the address of a server', () => {
    const server = "{url: 'https://a/{v}', variables: {v: {default: 1.10, enum: [1.10, 2.0]}}}";
    expect(parseYaml(`servers: [${server}]`)).toEqual({
      servers: [{ url: 'https://a/{v}', variables: { v: { default: '1.10', enum: ['1.10', '2.0'] } } }],
    });
  });

  it('is the same in JSON', async () => {
    const schema = { type: 'string', enum: ['@'], default: '@' };
    const source = {
      openapi: '3.0.3',
      info: { title: 'a \\"1.0"', version: '@' },
      paths: { '/a': { get: { parameters: [{ name: 'p', in: 'query', schema, example: '@' }] } } },
    };
    const text = JSON.stringify(source).replaceAll('"@"', '1.10');
    const { endpoints, version } = await readFlat(text, { format: 'auto' });
    expect(version).toBe('1.10');
    expect(endpoints[0]?.inputSchema['properties']).toEqual({
      p: { type: 'string', enum: ['1.10'], default: '1.10', examples: ['1.10'] },
    });
  });

  it('is told from numbers in JSON, and only in the document', () => {
    const numbers = '"version": 1.10, "default": [1.0, -2.50e3, "1.10", "\\u0002"]';
    const read = [1, -2500, '1.10', '\u0002'];
    expect(readJson(`{"version": 1.20, "document": {${numbers}}}`, { document: 'document' })).toEqual({
      version: 1.2,
      document: { version: '1.10', default: read },
    });
    const strange = '\\u0001';
    expect(readJson(`{"a": "${strange}1.10", "version": 1.10, "b": 9007199254740993}`)).toEqual({
      a: '\u00011.10',
      version: 1.1,
      b: '9007199254740993',
    });
  });

  it('is looked for at no great depth, and in no more than one pass', () => {
    const deep = 200_000;
    expect(readJson(`${'['.repeat(deep)}1.0${']'.repeat(deep)}`, { maxNodes: 2 * deep })).toBeDefined();
    expect(readJson(`{"a": ":${'1'.repeat(deep)}", "version": 2.0}`)).toMatchObject({ version: '2.0' });
  });
});

describe('numbers of YAML that are numbers', () => {
  it('stay numbers, however they are written', async () => {
    expect(parseYaml('[007, 1.10, 12e03, 0x1f, +5, .5, -0.0]')).toEqual([7, 1.1, 12000, 31, 5, 0.5, -0]);
    const schema = '{type: number, enum: [1.10, 007], default: 1.10, minimum: 0.0}';
    const { properties } = await parametersOf([`{name: p, in: query, schema: ${schema}}`]);
    expect(properties['p']).toEqual({ type: 'number', enum: [1.1, 7], default: 1.1, minimum: 0 });
  });

  it('are read in responses and properties called as keywords are', () => {
    const responses = '{default: {content: {a: {schema: {type: string, enum: [007]}}}}}';
    expect(parseYaml(`responses: ${responses}\nproperties: {default: {type: string, const: 007}}\n`)).toEqual(
      {
        responses: { default: { content: { a: { schema: { type: 'string', enum: ['007'] } } } } },
        properties: { default: { type: 'string', const: '007' } },
      },
    );
  });
});

describe('integers of more digits than a number of JSON carries', () => {
  const long = ['9007199254740993', '9999999999999999', '-18446744073709551615'];

  it.each(long)('are the text that was written: %s', (digits) => {
    expect(parseYaml(`[${digits}]`)).toEqual([digits]);
    expect(readJson(`{"a\\"${digits}": [${digits}, "${digits}", 1]}`)).toEqual({
      [`a"${digits}`]: [digits, digits, 1],
    });
  });

  it('are numbers where they are exact', () => {
    const exact = '[9007199254740991, 9007199254740992, 10000000000000000000000]';
    expect(parseYaml(exact)).toEqual([9007199254740991, 9007199254740992, 1e22]);
    expect(readJson(exact)).toEqual([9007199254740991, 9007199254740992, 1e22]);
  });

  const limits = 'minimum: -9223372036854775807, maximum: 9223372036854775807';
  it.each([
    ['YAML', `{type: integer, enum: [9007199254740993, 1], default: 9007199254740993, ${limits}}`],
    ['JSON', `{"type":"integer","const":9007199254740993,"maximum":9223372036854775807}`],
  ])('are left out of numbers with a warning, in %s', async (_, schema) => {
    const { properties, warnings } = await parametersOf([`{name: p, in: query, schema: ${schema}}`]);
    expect(properties['p']).toEqual({ type: 'integer' });
    expect(new Set(warnings.map(({ code }) => code))).toEqual(new Set(['schema_mended']));
  });

  it.each(['9007199254740993.0', '9007199254740993e0', '99999999999999.99', '18446744073709551616'])(
    'are so however they are written: %s',
    async (written) => {
      expect(parseYaml(`[${written}]`)).toEqual([written]);
      expect(readJson(`[${written}]`)).toEqual([written]);
      const schema = `{type: number, default: ${written}, maximum: ${written}}`;
      const { properties, warnings } = await parametersOf([`{name: p, in: query, schema: ${schema}}`]);
      expect(properties['p']).toEqual({ type: 'number' });
      expect(warnings.map(({ code }) => code)).toEqual(['schema_mended', 'schema_mended']);
    },
  );

  it.each([
    ['of its schema', '{name: p, in: query, schema: {type: integer, example: 9007199254740993}}'],
    ['beside it', '{name: p, in: query, schema: {type: integer}, example: 9007199254740993}'],
  ])('are no examples of numbers, %s', async (_, parameter) => {
    const { properties, warnings } = await parametersOf([parameter]);
    expect(properties['p']).toEqual({ type: 'integer' });
    expect(warnings).toMatchObject([{ code: 'schema_mended' }]);
  });

  it('are texts where the schema says text', async () => {
    const { properties } = await parametersOf([
      '{name: p, in: query, schema: {type: string, enum: [9007199254740993]}}',
    ]);
    expect(properties['p']).toEqual({ type: 'string', enum: ['9007199254740993'] });
  });
});
