/** Documents of strangers that try to cost or to reach more than a description may; what makes them. */

export const times = (text: string, count: number) => text.repeat(count);
export const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
export const named = <T>(count: number, name: string, make: (index: number) => T) =>
  Object.fromEntries(many(count, (index) => [`${name}${String(index)}`, make(index)]));
export const nested = (depth: number): object => {
  let schema: object = { type: 'string' };
  for (let level = 0; level < depth; level++) schema = { type: 'array', items: schema };
  return schema;
};
export const openrpc = (methods: unknown, more: object = {}) => ({ openrpc: '1.3.2', methods, ...more });
const selfish = named(30, 'p', () => ({ $ref: '#/components/schemas/S' }));
export const lightapi = (operation: object, more: object = {}) => ({
  lightapi: '0.1.0',
  info: { title: 'T', namespace: 'n', version: '1' },
  operations: { a: { endpointId: 'n/a', protocol: 'http', method: 'GET', endpoint: '/a', ...operation } },
  ...more,
});
export const proto = (rest: string) => `syntax = "proto3";\npackage a;\n${rest}`;
export const service = 'service S { rpc A(M) returns (M); }\n';
const introspected = (type: object) => ({
  __schema: {
    queryType: { name: 'Q' },
    directives: [],
    types: [
      { kind: 'OBJECT', name: 'Q', interfaces: [], fields: [{ name: 'a', args: [], type }] },
      { kind: 'SCALAR', name: 'Int' },
    ],
  },
});

/** What each ends in: the code that it is refused with, or the number of endpoints. */
export const hostileDocuments: [name: string, document: unknown, end: string | number][] = [
  [
    'OpenRPC, schemas too deep',
    openrpc([{ name: 'a', params: [{ name: 'p', schema: nested(250) }] }]),
    'document_too_deep',
  ],
  ['OpenRPC, schemas deep', openrpc([{ name: 'a', params: [{ name: 'p', schema: nested(60) }] }]), 1],
  [
    'OpenRPC, descriptors in a circle',
    openrpc([{ name: 'a', params: [{ $ref: '#/x' }] }], { x: { $ref: '#/y' }, y: { $ref: '#/x' } }),
    1,
  ],
  [
    'OpenRPC, 20,001 methods',
    openrpc(many(20_001, (index) => ({ name: `m${String(index)}`, params: [] }))),
    'document_too_large',
  ],
  [
    'OpenRPC, 5,000 methods of one large schema in itself',
    openrpc(
      many(5_000, (index) => ({
        name: `m${String(index)}`,
        params: [{ name: 'a', schema: { $ref: '#/components/schemas/S' } }],
      })),
      {
        components: { schemas: { S: { type: 'object', properties: selfish } } },
      },
    ),
    5_000,
  ],
  ['a method list of reserved names', { methods: ['__proto__', 'constructor', 'toString'] }, 3],
  [
    'GraphQL, lists in lists',
    `type Query { a(x: ${times('[', 5_000)}Int${times(']', 5_000)}): Int }`,
    'document_too_expensive',
  ],
  [
    'GraphQL, a deep default',
    `type Query { a(x: Int = ${times('[', 50_000)}1${times(']', 50_000)}): Int }`,
    'document_too_expensive',
  ],
  ['GraphQL, inputs in a circle', 'type Query { a(x: A!): Int } input A { b: B! } input B { a: A! }', 1],
  [
    'GraphQL, more words than any schema has',
    `type Query { a: Int ${times('@a ', 400_000)} }`,
    'malformed_graphql',
  ],
  [
    'GraphQL, every type in every other',
    `type Query { a: T0 } ${many(100, (one) => `type T${String(one)} { id: ID! ${many(30, (other) => `f${String(other)}: T${String((one * 7 + other) % 100)}`).join(' ')} }`).join(' ')}`,
    1,
  ],
  [
    'GraphQL, a union of 2,000',
    `type Query { a: U } union U = ${many(2_000, (index) => `T${String(index)}`).join(' | ')} ${many(2_000, (index) => `type T${String(index)} { id: ID! }`).join(' ')}`,
    1,
  ],
  ['GraphQL, an interface of itself', 'interface A implements A { x: Int } type Query { a: A }', 1],
  ['GraphQL, a query', 'query { a { b } }', 'unknown_format'],
  [
    'introspection without its types',
    { __schema: { queryType: { name: 'Q' }, types: [] } },
    'malformed_graphql',
  ],
  [
    'introspection of lists in lists',
    introspected(
      many(40, () => 0).reduce<object>((ofType) => ({ kind: 'LIST', ofType }), {
        kind: 'SCALAR',
        name: 'Int',
      }),
    ),
    1,
  ],
  [
    'introspection of 10,000 types',
    {
      __schema: {
        ...introspected({ kind: 'SCALAR', name: 'Int' }).__schema,
        types: [
          ...introspected({ kind: 'SCALAR', name: 'Int' }).__schema.types,
          ...many(10_000, (index) => ({ kind: 'SCALAR', name: `S${String(index)}` })),
        ],
      },
    },
    1,
  ],
  [
    '.proto, messages in messages',
    proto(`${service}${times('message M {', 3_000)}${times('}', 3_000)}`),
    'malformed_proto',
  ],
  [
    '.proto, a deep option',
    proto(
      `service S { rpc A(M) returns (M) { option (x) = ${times('{a:', 5_000)}1${times('}', 5_000)}; } } message M {}`,
    ),
    'malformed_proto',
  ],
  ['.proto, comments without end', proto(times('/*', 200_000)), 'malformed_proto'],
  [
    '.proto of reserved names',
    proto(
      'service constructor { rpc toString(__proto__) returns (M); } message __proto__ {} message M { string __proto__ = 1; string hasOwnProperty = 2; }',
    ),
    1,
  ],
  [
    '.proto files in a circle',
    {
      files: {
        'a.proto': proto(`import "b.proto"; ${service} message M { N n = 1; }`),
        'b.proto': proto('import "a.proto"; message N { M m = 1; }'),
      },
    },
    1,
  ],
  [
    '.proto, 20,001 methods',
    proto(
      `service S { ${many(20_001, (index) => `rpc A${String(index)}(M) returns (M);`).join(' ')} } message M {}`,
    ),
    'document_too_large',
  ],
  [
    'LightAPI, a schema of itself',
    lightapi(
      { input: { schema: { $ref: '#/components/schemas/A' } } },
      { components: { schemas: { A: { $ref: '#/components/schemas/A' } } } },
    ),
    1,
  ],
  ['LightAPI, a deep schema', lightapi({ input: { schema: nested(250) } }), 'document_too_deep'],
  [
    'LightAPI, an expression without end',
    lightapi({
      input: { schema: { type: 'object', properties: { a: { type: 'string', pattern: '(a+)+$' } } } },
    }),
    1,
  ],
  [
    'LightAPI, 20,001 operations',
    {
      ...lightapi({}),
      operations: named(20_001, 'a', (index) => ({
        endpointId: `n/${String(index)}`,
        protocol: 'http',
        method: 'GET',
        endpoint: '/a',
      })),
    },
    'document_too_large',
  ],
  [
    'MCP, 1,000 pages',
    many(1_000, (page) => ({
      result: { tools: [{ name: `t${String(page)}`, inputSchema: { type: 'object' } }], nextCursor: 'x' },
    })),
    1_000,
  ],
  [
    'MCP, answers in answers',
    many(50, () => 0).reduce<object>((result) => ({ jsonrpc: '2.0', result }), { tools: [] }),
    'unknown_format',
  ],
  [
    'MCP, 20,000 properties',
    {
      tools: [
        {
          name: 'a',
          inputSchema: {
            type: 'object',
            properties: named(20_000, 'p', () => ({ type: 'string', description: times('d', 40) })),
          },
        },
      ],
    },
    1,
  ],
  [
    'MCP, reserved names',
    {
      tools: [
        { name: '__proto__', inputSchema: {} },
        { name: 'constructor', inputSchema: {} },
      ],
    },
    2,
  ],
  [
    'MCP, an expression without end',
    {
      tools: [
        { name: 'a', inputSchema: { type: 'object', properties: { a: { pattern: '^(\\w+\\s?)*$' } } } },
      ],
    },
    1,
  ],
  ['an archive that is none', { archive: 'AAAA' }, 'malformed_archive'],
];
