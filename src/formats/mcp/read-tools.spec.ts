import { gradeInput } from '../../../packages/schema-grade/schema-grade.js';
import type { JsonObject } from '../../../packages/schema-reading/keywords.js';
import { modernInput } from '../../../packages/schema-reading/modern-schema.js';
import { readFlat } from '../../../test/flat-endpoints.js';

const read = (source: object) => readFlat(source, { format: 'auto' });
const tool = (name: string, more: object = {}) => ({ name, inputSchema: { type: 'object' }, ...more });
const result = (...tools: object[]) => ({ tools });
const names = async (source: object) => (await read(source)).endpoints.map(({ sourceName }) => sourceName);

describe('the shapes of a tools/list answer', () => {
  const envelope = (id: number, inner: object) => ({ jsonrpc: '2.0', id, result: inner });

  it.each([
    ['the result', result(tool('a'), tool('b'))],
    ['its JSON-RPC envelope', envelope(1, result(tool('a'), tool('b')))],
    ['pages in a list', [result(tool('a')), result(tool('b'))]],
    ['envelopes in a list', [envelope(1, result(tool('a'))), envelope(2, result(tool('b')))]],
    ['pages by name', { pages: [result(tool('a')), result(tool('b'))] }],
    ['the bare list', [tool('b'), tool('a')]],
  ])('%s', async (_name, source) => {
    expect(await names(source)).toEqual(['a', 'b']);
  });

  it('an empty list', async () => {
    expect(await names(result())).toEqual([]);
  });

  it('an error is refused in the words of the server', async () => {
    const answer = { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found' } };
    await expect(read(answer)).rejects.toMatchObject({
      code: 'mcp_error',
      detail: expect.stringContaining('Method not found'),
    });
  });

  it('a page that names a next one is not the last', async () => {
    const { warnings } = await read({ ...result(tool('a')), nextCursor: 'x' });
    expect(warnings.map(({ code }) => code)).toEqual(['pages_missing']);
  });
});

describe('what a tool becomes', () => {
  it('keeps what the server says, word for word', async () => {
    const more = {
      title: 'Find',
      description: 'Finds.',
      annotations: { readOnlyHint: true, openWorldHint: false },
      icons: [{ src: 'https://example.test/i.png' }],
      _meta: { 'example.test/x': 1 },
      inputSchema: {
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'object',
        properties: { q: { type: 'string' } },
        required: ['q'],
      },
      outputSchema: {
        type: 'object',
        properties: { hits: { type: 'array', items: { $ref: '#/definitions/Hit' } } },
        definitions: { Hit: { type: 'object', properties: { in: { $ref: '#/definitions/Hit' } } } },
      },
    };
    const { endpoints, warnings } = await read(result(tool('find', more)));
    expect(warnings).toEqual([]);
    expect(endpoints[0]).toEqual({
      key: 'find@call',
      method: 'call',
      path: 'find',
      name: 'find',
      sourceName: 'find',
      title: 'Find',
      description: 'Finds.',
      inputSchema: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
      outputSchema: {
        type: 'object',
        properties: { hits: { type: 'array', items: { $ref: '#/$defs/Hit' } } },
        $defs: { Hit: { type: 'object', properties: { in: { $ref: '#/$defs/Hit' } } } },
      },
      parameters: { q: { in: 'argument', name: 'q' } },
      safety: { readOnly: true, idempotent: true, destructive: false },
      lifecycleStatus: 'active',
      tags: [],
      scopes: [],
      extras: { annotations: more.annotations, icons: more.icons, _meta: more._meta },
    });
  });

  it.each([
    ['none', undefined, ''],
    ['null', null, ''],
    ['a title alone', { title: 'T' }, ''],
    ['openWorldHint alone', { openWorldHint: true }, ''],
    ['readOnlyHint false', { readOnlyHint: false }, 'd'],
    ['readOnlyHint true', { readOnlyHint: true, destructiveHint: true }, 'ri'],
    ['destructiveHint false', { destructiveHint: false }, ''],
    ['idempotentHint', { idempotentHint: true, destructiveHint: false }, 'i'],
    ['no hints but words', { readOnlyHint: 'yes' }, ''],
  ])('safety with annotations: %s', async (_name, annotations, letters) => {
    const { endpoints } = await read(result(tool('a', { annotations })));
    const { readOnly, idempotent, destructive } = endpoints[0]?.safety ?? {};
    expect(`${readOnly ? 'r' : ''}${idempotent ? 'i' : ''}${destructive ? 'd' : ''}`).toBe(letters);
  });

  it.each([
    ['missing', undefined, { type: 'object', properties: {} }, 'input_schema_mended'],
    ['null', null, { type: 'object', properties: {} }, 'input_schema_mended'],
    [
      'without a type',
      { properties: { a: {} } },
      { type: 'object', properties: { a: {} } },
      'input_schema_mended',
    ],
    ['nullable', { type: ['object', 'null'] }, { type: 'object', properties: {} }, 'input_schema_mended'],
    [
      'a reference',
      { $ref: '#/$defs/A', $defs: { A: { type: 'object', properties: { a: {} } } } },
      { type: 'object', properties: { a: {} } },
      undefined,
    ],
    ['a text', { type: 'string' }, undefined, 'tool_skipped'],
    ['false', false, undefined, 'tool_skipped'],
    ['a list', [], undefined, 'tool_skipped'],
  ])('an input schema that is %s', async (_name, inputSchema, expected, code) => {
    const { endpoints, warnings } = await read(
      result({ name: 'a', ...(inputSchema === undefined ? {} : { inputSchema }) }, tool('b')),
    );
    expect(endpoints.find(({ key }) => key === 'a@call')?.inputSchema).toEqual(expected);
    expect(endpoints.some(({ key }) => key === 'b@call')).toBe(true);
    expect(warnings[0]?.code).toBe(code);
  });

  it('skips what has no name, and the second of one name', async () => {
    const { endpoints, warnings } = await read(
      result(tool('a', { description: 'first' }), { description: 'x' }, 'y' as unknown as object, tool('a')),
    );
    expect(endpoints).toHaveLength(1);
    expect(endpoints[0]?.description).toBe('first');
    expect(warnings.map(({ pointer }) => pointer)).toEqual(['/tools/1', '/tools/2', '/tools/3']);
  });

  it('keeps oneOf as it is, and reads older drafts', async () => {
    const inputSchema = {
      type: 'object',
      properties: {
        one: { oneOf: [{ type: 'string' }, { type: 'integer', minimum: 0, exclusiveMinimum: true }] },
        pair: { type: 'array', items: [{ type: 'string' }], additionalItems: false },
      },
      dependencies: { one: ['pair'] },
    };
    const { endpoints } = await read(result(tool('a', { inputSchema })));
    expect(endpoints[0]?.inputSchema).toEqual({
      type: 'object',
      properties: {
        one: { oneOf: [{ type: 'string' }, { type: 'integer', exclusiveMinimum: 0 }] },
        pair: { type: 'array', prefixItems: [{ type: 'string' }], items: false },
      },
      dependentRequired: { one: ['pair'] },
    });
  });
});

describe('a schema that the agent client reads from a live list', () => {
  const ofObject = (id: object, more: object = {}) => ({ type: 'object', properties: { id }, ...more });
  const item = { type: 'object', properties: { in: { $ref: '#/definitions/Any%20item' } } };

  it.each<[string, object]>([
    ['nullable', ofObject({ type: 'string', nullable: true, enum: ['a'] })],
    ['bytes', ofObject({ type: 'string', format: 'byte' })],
    ['a file', ofObject({ type: 'string', format: 'binary' })],
    ['a boolean bound', ofObject({ type: 'number', minimum: 0, exclusiveMinimum: true })],
    ['a tuple', ofObject({ type: 'array', items: [{ type: 'string' }], additionalItems: false })],
    [
      'dependencies',
      ofObject({ type: 'string' }, { dependencies: { id: ['no'], no: { required: ['id'] } } }),
    ],
    ['a pattern that may take for ever', ofObject({ type: 'string', pattern: '^(a+)+$' })],
    ['a pattern of an older dialect', ofObject({ type: 'string', pattern: '^[\\w\\-]+\\@x$' })],
    ['a pattern that is none', ofObject({ type: 'string', pattern: '(' })],
    [
      'names by such a pattern',
      { type: 'object', patternProperties: { '(': {} }, additionalProperties: false },
    ],
    ['a property that nothing fits', ofObject({}, { properties: { id: false } })],
    ['required as a flag', ofObject({ type: 'string', required: true })],
    ['a condition without a consequence', ofObject({ type: 'string' }, { if: { required: ['id'] } })],
    [
      'a reference with an extension beside it',
      {
        ...ofObject({ $ref: '#/$defs/id', 'x-order': 1 }),
        $defs: { id: { type: 'string', 'x-kind': 'id' } },
      },
    ],
    [
      'a root that is a reference',
      { type: 'object', $ref: '#/definitions/A', definitions: { A: ofObject({ type: 'string' }) } },
    ],
    [
      'a definition with a space',
      { ...ofObject({ $ref: '#/definitions/Any%20item' }), definitions: { 'Any item': item } },
    ],
  ])('is as the import has it: %s', async (_name, inputSchema) => {
    const live = modernInput(structuredClone(inputSchema) as JsonObject);
    const { endpoints } = await read(result(tool('a', { inputSchema })));
    expect([
      gradeInput(endpoints[0]?.inputSchema, live),
      gradeInput(live, endpoints[0]?.inputSchema),
    ]).toEqual(['none', 'none']);
  });
});

describe('numbers of more digits than JSON carries', () => {
  const id =
    '{"type":"integer","maximum":9223372036854775807,"enum":[1,9007199254740993],"default":9999999999999999}';
  const far = '{"type":"number","maximum":1.7976931348623157e+308,"default":0.1}';
  const list = '{"type":"array","items":{"type":"integer"},"default":[18446744073709551615]}';
  const inputSchema = `{"type":"object","properties":{"id":${id},"far":${far},"list":${list}}}`;
  const text = `{"tools":[{"name":"a","inputSchema":${inputSchema}}]}`;
  const kept = {
    id: { type: 'integer' },
    far: { type: 'number', maximum: Number.MAX_VALUE, default: 0.1 },
  };

  it('are left out of a list that a parser has read before, as of its text', async () => {
    const parsed = JSON.parse(text) as { tools: [{ inputSchema: JsonObject }] };
    const live = modernInput(structuredClone(parsed.tools[0].inputSchema));
    const read = await Promise.all([text, parsed].map((source) => readFlat(source, { format: 'mcp' })));
    for (const { endpoints, warnings } of read) {
      expect(endpoints[0]?.inputSchema['properties']).toMatchObject(kept);
      expect(warnings.map(({ code }) => code)).toContain('schema_mended');
      expect(warnings.map(({ pointer }) => pointer)).toContain('/tools/0/inputSchema/properties/id/default');
    }
    expect(live['properties']).toMatchObject(kept);
    expect(read[1]?.endpoints[0]?.inputSchema).toEqual({
      type: 'object',
      properties: { ...kept, list: { type: 'array', items: { type: 'integer' } } },
    });
  });
});

describe('the tools of a gateway', () => {
  const inputSchema = { type: 'object', properties: { id: { type: 'string' }, q: { type: 'string' } } };
  const routing = {
    sensitivityTier: 'confidential',
    domain: 'shop',
    parameters: { id: 'path', q: { in: 'query', name: 'query' } },
  };
  const tools = [
    {
      name: 'getOrder',
      description: 'One.',
      endpoint: '/orders/{id}@get',
      path: '/orders/{id}',
      method: 'get',
      inputSchema,
      toolMetadata: { routing, safety: { read_only: true, humanApprovalRequired: true } },
      serviceId: 'orders',
    },
    { name: 'echo', endpoint: 'echo@call', method: 'call', inputSchema: { type: 'object' } },
  ];

  it.each([
    ['with a dot', { 'mcp-router.tools': tools }],
    ['in two levels', { 'mcp-router': { tools } }],
  ])('stand for the endpoints behind them, written %s', async (_how, document) => {
    const { endpoints, warnings, format } = await readFlat(document, { format: 'mcp-router' });
    expect(format).toBe('mcp');
    expect(warnings).toEqual([]);
    expect(endpoints.map(({ key }) => key)).toEqual(['/orders/{id}@get', 'echo@call']);
    expect(endpoints[0]).toMatchObject({
      ...{ name: 'getOrder', method: 'get', path: '/orders/{id}', extras: { serviceId: 'orders' } },
      parameters: { id: { in: 'path', name: 'id' }, q: { in: 'query', name: 'query' } },
      safety: { readOnly: true, idempotent: true, destructive: false, humanApprovalRequired: true },
      routing: { sensitivityTier: 'confidential', domain: 'shop' },
    });
  });

  it('may be words that a server lists beside its tools, too', async () => {
    const toolMetadata = {
      routing: { domain: 'shop', sensitivityTier: 'confidential', parameters: { id: 'path' }, mood: 'good' },
      safety: { read_only: true },
    };
    const listed = { tools: [{ name: 'getOrder', inputSchema, toolMetadata }] };
    const { endpoints, warnings } = await readFlat(listed, { format: 'auto' });
    expect(endpoints).toMatchObject([
      {
        key: 'getOrder@call',
        routing: { domain: 'shop', sensitivityTier: 'confidential' },
        safety: { readOnly: true, destructive: false },
        parameters: { id: { in: 'argument', name: 'id' } },
      },
    ]);
    expect(warnings).toMatchObject([
      { code: 'routing_ignored', pointer: '/tools/0/toolMetadata/routing/mood' },
    ]);
  });

  it('are missing from what is no values.yml', async () => {
    const reading = readFlat({ tools }, { format: 'mcp-router' });
    await expect(reading).rejects.toMatchObject({ code: 'format_mismatch' });
  });
});

describe('tools as they were sent to a model', () => {
  const schema = { type: 'object', properties: { town: { type: 'string' } }, required: ['town'] };
  const said = { name: 'get_weather', description: 'Reads the weather of a town.' };

  it.each([
    ['input_schema', { ...said, input_schema: schema }],
    ['parameters of a function', { type: 'function', ...said, parameters: schema }],
    ['a function within', { type: 'function', function: { ...said, parameters: schema } }],
    ['a specification within', { toolSpec: { ...said, inputSchema: { json: schema } } }],
    ['declarations within', { functionDeclarations: [{ ...said, parametersJsonSchema: schema }] }],
  ])('keep their arguments: %s', async (_, sent) => {
    for (const source of [[sent], { tools: [sent] }]) {
      const { format, endpoints, warnings } = await read(source);
      expect([format, warnings]).toEqual(['mcp', []]);
      expect(endpoints).toMatchObject([{ sourceName: 'get_weather', inputSchema: schema }]);
    }
  });

  it('keep them where types are written in another way, with a warning', async () => {
    const parameters = { type: 'OBJECT', properties: { town: { type: 'STRING' } }, required: ['town'] };
    const { endpoints, warnings } = await read([{ function_declarations: [{ ...said, parameters }] }]);
    expect(endpoints).toMatchObject([{ sourceName: 'get_weather', inputSchema: schema }]);
    expect(new Set(warnings.map(({ code }) => code))).toEqual(new Set(['schema_mended']));
    expect(warnings[0]?.pointer).toBe('/0/function_declarations/0/parameters/type');
  });
});
