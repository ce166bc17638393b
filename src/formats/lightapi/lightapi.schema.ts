/**
 * LightAPI Description 0.1.0 as closed JSON Schemas 2020-12. What they leave open (`metadata`, `request`, a schema) is
 * open in the specification, too. References between the parts are checked by the reader.
 */
const text = { type: 'string' } as const;
const name = { type: 'string', minLength: 1 } as const;
const texts = { type: 'array', items: text } as const;
const flag = { type: 'boolean' } as const;
const open = { type: 'object' } as const;
const schema = { type: ['object', 'boolean'] } as const;
const anything = {} as const;

const closed = <const P extends object, const R extends readonly string[]>(properties: P, required?: R) =>
  ({ type: 'object', additionalProperties: false, properties, ...(required && { required }) }) as const;
const mapOf = <const V extends object>(value: V) =>
  ({ type: 'object', additionalProperties: value }) as const;

const assertion = closed({
  exists: flag,
  equals: anything,
  notEquals: anything,
  contains: anything,
  matches: text,
  gt: anything,
  gte: anything,
  lt: anything,
  lte: anything,
  hasLength: { type: ['integer', 'string'] },
  schema,
  rule: anything,
});

const content = closed({ json: mapOf(assertion), schema, rule: anything });

const resultCase = closed({
  status: { type: ['integer', 'string', 'array'] },
  headers: open,
  body: content,
  content,
  error: anything,
  outputs: mapOf(text),
  description: text,
});

const info = closed(
  {
    title: name,
    namespace: { type: 'string', pattern: '^[A-Za-z0-9._-]+$' },
    version: name,
    summary: text,
    description: text,
    owner: anything,
    tags: texts,
    license: anything,
    contact: anything,
    metadata: open,
  },
  ['title', 'namespace', 'version'],
);

const source = closed(
  {
    type: { enum: ['openapi', 'openrpc', 'protobuf', 'grpc-reflection', 'mcp', 'http', 'lightapi'] },
    version: name,
    document: { type: ['string', 'object'] },
    servers: mapOf({ type: 'object', required: ['endpoint'], properties: { endpoint: text } }),
    transport: anything,
    description: text,
    metadata: open,
  },
  ['type', 'version'],
);

/** What an operation needs depends on its protocol; each part of the alternatives is enough. */
const needs = (protocol: string, ...anyOf: readonly (readonly string[])[]) =>
  ({
    if: { properties: { protocol: { const: protocol } } },
    then: { anyOf: anyOf.map((required) => ({ required })) },
  }) as const;

const shape = closed(
  {
    endpointId: { type: 'string', pattern: '^[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$' },
    operationId: name,
    summary: text,
    description: text,
    protocol: { enum: ['http', 'jsonrpc', 'openrpc', 'grpc', 'mcp'] },
    source: text,
    server: text,
    endpoint: anything,
    transport: anything,
    method: text,
    notification: flag,
    id: anything,
    errorPolicy: anything,
    service: text,
    kind: { enum: ['tool', 'resource', 'prompt'] },
    name: text,
    uri: text,
    discovery: anything,
    authentication: { type: ['string', 'object'] },
    safety: closed({ destructive: flag, requiresConfirmation: flag, privileged: flag, notes: text }),
    idempotency: closed({ safeToRetry: flag, key: text, strategy: text }),
    input: closed({ schema, examples: anything, required: anything, description: text }),
    request: open,
    result: closed({ schema, success: resultCase, failure: mapOf(resultCase), examples: anything }),
    examples: anything,
    visibility: { enum: ['public', 'internal', 'restricted'] },
    lifecycle: { enum: ['draft', 'active', 'deprecated', 'retired'] },
    tags: texts,
    capability: closed({ group: text, action: text, resource: text }, ['group', 'action']),
    agent: closed({
      disclose: closed({ level: text, includeByDefault: flag }),
      skill: closed({ examples: texts, relatedOperations: texts, notes: text }),
    }),
    metadata: open,
  },
  ['protocol'],
);

export const operationSchema = {
  ...shape,
  allOf: [
    needs('http', ['operationId', 'source'], ['method', 'endpoint']),
    needs('jsonrpc', ['method', 'endpoint'], ['method', 'source']),
    needs('openrpc', ['source', 'method']),
    needs('grpc', ['service', 'method']),
    needs('mcp', ['kind', 'name'], ['kind', 'uri']),
  ],
} as const;

const capabilityArea = closed({ area: text, operations: texts, description: text });

const agent = closed({
  purpose: text,
  safeByDefault: flag,
  capabilities: { type: 'array', items: capabilityArea },
  destructiveOperations: texts,
  recommendedSequences: anything,
  sensitiveFields: texts,
  disclosure: closed({
    defaultLevel: text,
    levels: mapOf(closed({ include: texts, description: text })),
  }),
});

const inherited = closed({ authentications: texts, environments: texts, secrets: texts, sources: texts });

/**
 * Everything but the operations, which are checked one by one: a bad one is left out, the others are read. A document
 * about one endpoint has one.
 */
export const lightApiSchema = {
  ...closed(
    {
      lightapi: { const: '0.1.0' },
      profile: { enum: ['catalog', 'endpoint', 'bundle'] },
      info,
      sources: mapOf(source),
      secrets: texts,
      environments: open,
      authentications: open,
      examples: anything,
      fixtures: anything,
      testSequences: anything,
      components: open,
      agent,
      context: closed({ catalog: text, inherits: inherited }),
      operations: { type: 'object', minProperties: 1 },
    },
    ['lightapi', 'info', 'operations'],
  ),
  if: { properties: { profile: { const: 'endpoint' } }, required: ['profile'] },
  then: { properties: { operations: { maxProperties: 1 } } },
};
