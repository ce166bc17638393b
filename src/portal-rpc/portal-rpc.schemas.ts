import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { PORTAL_VERSION, portalActions, type PortalAction } from './portal-action.js';

const line = { type: 'string', minLength: 1, maxLength: 255 } as const;

/** The envelope of the reference system’s portal. */
export const portalEnvelope = {
  type: 'object',
  additionalProperties: false,
  required: ['action', 'data'],
  properties: {
    host: { ...line, description: 'Domain of the portal, such as lightapi.net; not a hostId.' },
    service: { ...line, description: 'Such as genai. Names of actions are unique: it is not looked at.' },
    action: { ...line, description: `One of ${[...portalActions.keys()].join(', ')}.` },
    version: { const: PORTAL_VERSION, default: PORTAL_VERSION },
    data: {
      type: 'object',
      description:
        'What the operation of the same meaning takes in its path, query and body; hostId among it. Names in camelCase, or in ' +
        'snake_case: then the answer is in snake_case, too. aggregateVersion is what If-Match is over HTTP.',
    },
  },
} as const satisfies JSONSchema;

export type PortalEnvelope = FromSchema<typeof portalEnvelope>;

/** The shape in which agents of before read a catalog: an entry for each tool of each skill. */
export const flatCatalog = {
  type: 'object',
  required: ['skills'],
  properties: {
    skills: {
      type: 'array',
      items: {
        type: 'object',
        required: ['skillId', 'name', 'description', 'toolName', 'inputSchema'],
        properties: {
          skillId: { type: 'string' },
          name: { type: 'string' },
          description: { type: 'string' },
          toolName: { type: 'string' },
          inputSchema: { type: 'object' },
        },
      },
    },
  },
} as const satisfies JSONSchema;

interface NestedCatalog {
  readonly skills: readonly {
    readonly skillId: string;
    readonly name: string;
    readonly description: string;
    readonly tools: readonly { readonly name: string; readonly inputSchema: object }[];
  }[];
}

/** The catalog with an entry for each tool of each skill. */
export function flattened({ skills }: NestedCatalog): FromSchema<typeof flatCatalog> {
  return {
    skills: skills.flatMap(({ skillId, name, description, tools }) =>
      tools.map((tool) => {
        return {
          ...{ skillId, name, description },
          ...{ toolName: tool.name, inputSchema: { ...tool.inputSchema } },
        };
      }),
    ),
  };
}

const openObject = { type: 'object' } as const;

/** What `GET /portal/spec` answers. */
export const portalSpec = {
  type: 'object',
  required: ['service', 'version', 'actions'],
  properties: {
    service: line,
    version: line,
    actions: {
      type: 'array',
      items: {
        type: 'object',
        required: ['action', 'kind', 'path', 'operation', 'scope', 'summary', 'data', 'answer'],
        properties: {
          action: line,
          kind: { enum: ['query', 'command'] satisfies PortalAction['kind'][] },
          path: line,
          operation: { ...line, description: 'The operation over HTTP that answers it.' },
          listOperation: { ...line, description: 'The one that answers where no single record is named.' },
          scope: { type: 'array', items: line },
          summary: { type: 'string' },
          data: { ...openObject, description: 'JSON Schema of the data, in camelCase.' },
          answer: { ...openObject, description: 'JSON Schema of the answer, in camelCase.' },
        },
      },
    },
  },
} as const satisfies JSONSchema;
