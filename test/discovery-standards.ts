/**
 * What the standards of discovery demand, as JSON Schemas: their facts, of the members that are written here. Nothing else may stand
 * in an answer, so that a misspelt member is found where the standard itself would let it pass.
 */
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

const text = { type: 'string', minLength: 1 };
const texts = { type: 'array', items: text };
const object = (properties: object, required: readonly string[]) => ({
  ...{ type: 'object', additionalProperties: false },
  ...{ properties, required },
});

const remote = object(
  {
    type: { enum: ['streamable-http', 'sse'] },
    url: { type: 'string', pattern: '^(https?://[^\\s]+|\\{[a-zA-Z_][a-zA-Z0-9_]*\\}[^\\s]*)$' },
    headers: {
      type: 'array',
      items: object(
        { name: text, description: text, isRequired: { type: 'boolean' }, isSecret: { type: 'boolean' } },
        ['name'],
      ),
    },
  },
  ['type', 'url'],
);

/** What `server.json` and Server Cards have in common. */
const server = ($schema: string) =>
  object(
    {
      $schema: { const: $schema },
      name: { type: 'string', minLength: 3, maxLength: 200, pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' },
      title: { type: 'string', minLength: 1, maxLength: 100 },
      description: { type: 'string', minLength: 1, maxLength: 100 },
      // No range.
      version: { type: 'string', maxLength: 255, pattern: '^\\d+\\.\\d+\\.\\d+$' },
      remotes: { type: 'array', items: remote },
    },
    ['$schema', 'name', 'description', 'version', 'remotes'],
  );

/** modelcontextprotocol/registry, docs/reference/api/openapi.yaml of 2025-12-01 and server.schema.json of 2025-12-11. */
const serverResponse = object(
  {
    server: server('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
    _meta: object(
      {
        'io.modelcontextprotocol.registry/official': object(
          {
            status: { enum: ['active', 'deprecated', 'deleted'] },
            publishedAt: { type: 'string', format: 'date-time' },
            updatedAt: { type: 'string', format: 'date-time' },
            isLatest: { type: 'boolean' },
          },
          ['status', 'publishedAt', 'updatedAt', 'isLatest'],
        ),
      },
      [],
    ),
  },
  ['server'],
);

const serverList = object(
  {
    servers: { type: 'array', items: serverResponse },
    metadata: object({ nextCursor: text, count: { type: 'integer' } }, ['count']),
  },
  ['servers', 'metadata'],
);

/** ards-project/ard-spec, spec/ard.md v0.91 and ard-entry.schema.json; Agent-Card/ai-catalog, specification/ai-catalog.md 1.0. */
const ardEntry = object(
  {
    identifier: { type: 'string', pattern: '^urn:air:[a-zA-Z0-9.-]+(:[a-zA-Z0-9._-]+)+$' },
    displayName: text,
    // Known types of AI Catalog 1.0.
    type: {
      enum: [
        ...['application/a2a-agent-card+json', 'application/mcp-server-card+json'],
        ...['application/agent-skills+md', 'application/agent-skills+gzip'],
      ],
    },
    // Exactly one of url and data.
    url: { type: 'string', format: 'uri' },
    description: text,
    capabilities: texts,
    representativeQueries: { type: 'array', minItems: 2, maxItems: 5, items: text },
    version: text,
    updatedAt: { type: 'string', format: 'date-time' },
  },
  ['identifier', 'displayName', 'type', 'url'],
);

const ardManifest = object(
  {
    specVersion: { const: '1.0' },
    host: object({ displayName: text }, ['displayName']),
    entries: { type: 'array', items: ardEntry },
  },
  ['specVersion', 'entries'],
);

/** cloudflare/agent-skills-discovery-rfc 0.2.0 (1bd1167), agentskills.io/specification. */
const skillsIndex = object(
  {
    $schema: { const: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json' },
    skills: {
      type: 'array',
      items: object(
        {
          name: { type: 'string', maxLength: 64, pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' },
          type: { enum: ['skill-md', 'archive'] },
          description: { type: 'string', minLength: 1, maxLength: 1024 },
          url: { type: 'string', format: 'uri' },
          digest: { type: 'string', pattern: '^sha256:[0-9a-f]{64}$' },
        },
        ['name', 'type', 'description', 'url', 'digest'],
      ),
    },
  },
  ['$schema', 'skills'],
);

/** a2aproject/A2A, specification/a2a.proto of v1.0.1: what is REQUIRED there is, and a list is not empty. */
const some = { ...texts, minItems: 1 };
const agentCard = object(
  {
    ...{ name: text, description: text, version: text },
    supportedInterfaces: {
      type: 'array',
      minItems: 1,
      items: object(
        {
          url: { type: 'string', format: 'uri' },
          protocolBinding: { enum: ['JSONRPC', 'GRPC', 'HTTP+JSON'] },
          protocolVersion: { const: '1.0' },
        },
        ['url', 'protocolBinding', 'protocolVersion'],
      ),
    },
    capabilities: object({}, []),
    ...{ defaultInputModes: some, defaultOutputModes: some },
    skills: {
      type: 'array',
      minItems: 1,
      items: object({ id: text, name: text, description: text, tags: some, examples: texts }, [
        ...['id', 'name', 'description', 'tags'],
      ]),
    },
  },
  [
    ...['name', 'description', 'version', 'supportedInterfaces', 'capabilities'],
    ...['defaultInputModes', 'defaultOutputModes', 'skills'],
  ],
);

const ajv = formats.default(new Ajv2020({ allErrors: true }));
const faultsOf = (schema: AnySchema) => {
  const check = ajv.compile(schema);
  return (answer: unknown): string[] =>
    check(answer)
      ? []
      : (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
};

/** What is wrong with an answer by its standard. */
export const standards = {
  serverList: faultsOf(serverList),
  serverResponse: faultsOf(serverResponse),
  /** modelcontextprotocol/experimental-ext-server-card, schema.ts of v1. */
  serverCard: faultsOf(server('https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json')),
  ardManifest: faultsOf(ardManifest),
  skillsIndex: faultsOf(skillsIndex),
  agentCard: faultsOf(agentCard),
};
