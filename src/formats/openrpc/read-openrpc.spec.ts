import { brokenLaws, describeWithCorpus, readCorpus } from '../../../test/import-laws.js';
import { readFlat } from '../../../test/flat-endpoints.js';

const read = (document: object) => readFlat(document, { format: 'auto' });
const openrpc = (methods: unknown, more: object = {}) => ({
  openrpc: '1.3.2',
  info: { title: 'Pets', version: '1' },
  methods,
  ...more,
});
const only = async (method: object, more?: object) => {
  const { endpoints, warnings } = await read(openrpc([{ name: 'm', ...method }], more));
  const [endpoint] = endpoints;
  if (endpoint === undefined) throw new Error('No method was read.');
  return { ...endpoint, warnings };
};

describe('an OpenRPC method', () => {
  it('takes its parameters as one object, in the order of their positions', async () => {
    const components = {
      schemas: { Id: { type: 'integer', minimum: 1 } },
      contentDescriptors: { Id: { name: 'id', required: true, schema: { $ref: '#/components/schemas/Id' } } },
    };
    const params = [
      { $ref: '#/components/contentDescriptors/Id' },
      { name: 'tag', summary: 'A tag', schema: { type: 'string' } },
    ];
    const endpoint = await only({ params, paramStructure: 'by-position' }, { components });
    expect(endpoint).toMatchObject({ key: 'm@call', method: 'call', path: 'm', name: 'm' });
    expect(endpoint.inputSchema).toEqual({
      type: 'object',
      properties: { id: { type: 'integer', minimum: 1 }, tag: { type: 'string', description: 'A tag' } },
      required: ['id'],
      additionalProperties: false,
    });
    expect(endpoint.extras).toMatchObject({ paramStructure: 'by-position', paramOrder: ['id', 'tag'] });
    expect(endpoint.warnings).toEqual([]);
  });

  it('has its result as output, its words, tags and errors', async () => {
    const endpoint = await only(
      {
        ...{
          summary: 'S',
          description: 'D',
          deprecated: true,
          tags: [{ name: 'a' }, { $ref: '#/components/tags/b' }],
        },
        ...{ result: { name: 'r', schema: { type: 'array' } }, errors: [{ code: 1, message: 'no' }] },
      },
      { components: { tags: { b: { name: 'b' } } }, servers: [{ url: 'http://localhost' }] },
    );
    expect(endpoint).toMatchObject({
      ...{ title: 'S', description: 'D', lifecycleStatus: 'deprecated', tags: ['a', 'b'] },
      outputSchema: { type: 'array' },
      extras: { errors: [{ code: 1, message: 'no' }], servers: [{ url: 'http://localhost' }] },
    });
  });

  it('accepts anything where a reference leads out or nowhere', async () => {
    const params = [{ $ref: 'file:///etc/passwd' }, { name: 'b', schema: { $ref: 'http://127.0.0.1/x' } }];
    const { inputSchema, warnings } = await only({ params });
    expect(inputSchema['properties']).toEqual({ param1: {}, b: {} });
    expect(warnings.map(({ code }) => code)).toEqual(['external_reference', 'external_reference']);
  });
});

describe('an odd OpenRPC method', () => {
  it('says where its parameters are no list, and takes any object', async () => {
    const { inputSchema, warnings } = await only({ params: 5 });
    expect(inputSchema).toEqual({ type: 'object', properties: {} });
    expect(warnings).toMatchObject([{ code: 'part_dropped', pointer: '/methods/0/params' }]);
    const one = await only({ params: [5, { name: 'a' }] });
    expect(one.warnings).toMatchObject([{ code: 'part_dropped', pointer: '/methods/0/params/0' }]);
  });

  it('sends parameters under their own names, whatever the property is called', async () => {
    const { inputSchema, parameters } = await only({ params: [{ name: '__proto__', required: true }] });
    expect(inputSchema['required']).toEqual(['proto']);
    expect(parameters).toEqual({ proto: { in: 'argument', name: '__proto__' } });
  });
});

describe('a list of methods', () => {
  it.each([
    [
      'the answer to rpc.discover',
      { jsonrpc: '2.0', id: 1, result: openrpc([{ name: 'm', params: [] }]) },
      '1.3.2',
    ],
    ['methods by name', { jsonrpc: '2.0', methods: { m: { description: 'M' } } }, '2.0'],
    ['methods in a list', { methods: [{ method: 'm', params: { type: 'object' } }] }, '2.0'],
    ['names alone', { jsonrpc: '2.0', id: 1, result: ['m'] }, '2.0'],
    ['methods in a bare list', [{ name: 'm', description: 'Does it.', params: [] }], '2.0'],
    ['methods as an answer', { jsonrpc: '2.0', id: 1, result: [{ method: 'm', params: {} }] }, '2.0'],
  ])('may be %s', async (_name, document, version) => {
    const { format, formatVersion, endpoints } = await read(document);
    expect({ format, formatVersion }).toEqual({ format: 'openrpc', formatVersion: version });
    expect(endpoints.map(({ key }) => key)).toEqual(['m@call']);
    expect(brokenLaws(await read(document))).toEqual([]);
  });

  it('of bare names is taken at the word of whoever sends it', async () => {
    const { endpoints } = await readFlat(['b', 'a'], { format: 'openrpc' });
    expect(endpoints.map(({ key }) => key)).toEqual(['a@call', 'b@call']);
    const typed = await readFlat(['m'], { format: 'auto', apiType: 'openrpc' });
    expect(typed.endpoints).toHaveLength(1);
    await expect(read(['m'])).rejects.toMatchObject({ code: 'unknown_format' });
  });

  it('may describe parameters as a schema, or by name', async () => {
    const params = { a: { type: 'string' } };
    const one = await read({ methods: [{ name: 'm', params }] });
    const other = await read({ methods: [{ name: 'm', params: { type: 'object', properties: params } }] });
    expect(one.endpoints[0]?.inputSchema).toEqual({ type: 'object', properties: params });
    expect(other.endpoints).toEqual(one.endpoints);
  });

  it('loses what has no name or is met again, and nothing else', async () => {
    const { endpoints, warnings } = await read(
      openrpc([{ name: 'a' }, {}, 7, { name: 'a' }, { name: 'a.b' }]),
    );
    expect(endpoints.map(({ name }) => name)).toEqual(['a_b', 'a']);
    expect(warnings.map(({ pointer }) => pointer)).toEqual(['/methods/1', '/methods/2', '/methods/3']);
  });

  it.each([
    ['methods of another kind', openrpc('x'), 'malformed_openrpc'],
    ['no methods', openrpc(undefined), 'malformed_openrpc'],
  ])('is refused with %s', async (_name, document, code) => {
    await expect(read(document)).rejects.toMatchObject({ code });
  });
});

describeWithCorpus('OpenRPC documents of the corpus', () => {
  it.each([
    ['petstore-openrpc.json', ['create_pet', 'get_pet', 'list_pets']],
    ['simple-math-openrpc.json', ['addition', 'subtraction']],
    ['link-example-openrpc.json', undefined],
    ['params-by-name-petstore-openrpc.json', undefined],
  ])('%s', async (file, names) => {
    const bytes = readCorpus(`openrpc/${file}`);
    const document = await readFlat(bytes, { format: 'auto' });
    const { methods } = JSON.parse(Buffer.from(bytes).toString()) as { methods: unknown[] };
    expect(document.endpoints).toHaveLength(methods.length);
    if (names) expect(document.endpoints.map(({ sourceName }) => sourceName)).toEqual(names);
    expect(document.warnings).toEqual([]);
    expect(brokenLaws(document)).toEqual([]);
  });
});
