/** The shape of documents, plans and answers of the catalog as code. Pure. */
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { versionProperties } from '../endpoints/shared.js';
import { objectOf, text } from '../platform/http/schemas.js';
import { agentSkillFields } from '../agents/shared.js';
import { shownOf } from '../platform/records/fields.js';
import { skillDocument } from '../skills/shared.js';
import { lifecycleStatuses, longestDefinition } from '../workflows/shared.js';
import { codeKinds, type CodeKind } from './code-document.js';
import { operations } from './code-plan.js';

type Properties = Readonly<Record<string, JSONSchema>>;

const active = { type: 'boolean', description: 'Whether it is in use.' } as const;
const maxItems = 5000;

/** The fields of a kind beyond those of the operation that writes it, and those of the operation that its key has. */
interface Shape {
  readonly operation?: string;
  readonly inKey?: readonly string[];
  readonly fields?: Properties;
}

const { formatVersion: _format, name: _name, ...skillFields } = skillDocument.properties;
const { apiType, serviceId, envTag, apiVersionDesc, quarantine } = versionProperties;

const shapes: Readonly<Record<CodeKind, Shape>> = {
  HostSettings: { operation: 'putHostSettings' },
  Category: { operation: 'updateCategory', inKey: ['categoryName', 'parentCategoryId'] },
  Tag: { operation: 'updateTag', inKey: ['tagName'] },
  Api: { operation: 'updateApi', fields: { active } },
  ApiVersion: {
    fields: {
      ...{ apiType, serviceId, apiVersionDesc, quarantine, active },
      envTag: { ...envTag, type: ['string', 'null'] },
    },
  },
  Workflow: {
    fields: {
      definition: text(longestDefinition),
      lifecycleStatus: { type: 'string', enum: lifecycleStatuses },
      active,
    },
  },
  Gateway: {
    operation: 'putGateway',
    inKey: ['serviceId', 'envTag'],
    fields: {
      active,
      tools: {
        type: 'array',
        maxItems,
        description: 'All tools that the gateway exposes.',
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['tool'],
          properties: {
            tool: {
              ...text(512),
              description: '`<apiId>@<version>/<name>`; of a tool without an API its name.',
            },
            targetHost: { type: ['string', 'null'] },
            protocol: { type: ['string', 'null'] },
            runtime: { type: 'object' },
          },
        },
      },
    },
  },
  Skill: { fields: { ...skillFields, active } },
  Agent: {
    operation: 'putAgentDefinition',
    inKey: ['gatewayIds'],
    fields: {
      active,
      gateways: { type: 'array', maxItems: 100, items: text(1024), description: '`<service>@<environment>`' },
      skills: {
        type: 'array',
        maxItems,
        description: 'All skills that the agent has.',
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['skill'],
          properties: { skill: text(126), ...shownOf(agentSkillFields) },
        },
      },
    },
  },
  Webhook: { operation: 'putWebhook', inKey: ['url'] },
};

/**
 * The schema of what documents of a kind say. Nothing is required, and nothing is filled in: a field that is left out is
 * nobody's business.
 *
 * @param fieldsOf the fields that an operation takes
 */
export function specSchema(kind: CodeKind, fieldsOf: (operation: string) => Properties): JSONSchema {
  const { operation, inKey = [], fields = {} } = shapes[kind];
  const taken = Object.entries(operation === undefined ? {} : fieldsOf(operation));
  const own = Object.fromEntries(taken.filter(([name]) => !inKey.includes(name)));
  const properties = Object.entries({ ...own, ...fields }).map(
    ([name, schema]) => [name, withoutDefault(schema)] as const,
  );
  return {
    type: 'object',
    additionalProperties: false,
    minProperties: 0,
    properties: Object.fromEntries(properties),
  };
}

function withoutDefault(schema: JSONSchema): JSONSchema {
  if (typeof schema === 'boolean') return schema;
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== 'default'));
}

const place = {
  kind: { type: 'string', enum: codeKinds },
  key: { ...text(2048), description: 'The name of the record in any catalog, by its kind.' },
} as const;

const document = {
  title: 'CodeDocument',
  type: 'object',
  additionalProperties: false,
  required: ['kind', 'key', 'spec'],
  properties: {
    ...place,
    spec: { type: 'object', description: 'What it is to be; what is left out stays as it is.' },
  },
} as const;

export const documentsAnswer = objectOf({
  position: { type: 'integer', description: 'The documents hold all of the log up to this position.' },
  documents: { type: 'array', items: document },
});

export const planBody = {
  type: 'object',
  additionalProperties: false,
  required: ['owner', 'documents'],
  properties: {
    owner: {
      type: 'string',
      pattern: '^repo:[A-Za-z0-9][A-Za-z0-9._/-]{0,126}$',
      description: 'Whose the documents are: `repo:<name>`. Fields that it applies are its own from then on.',
    },
    documents: { type: 'array', maxItems: 20_000, items: document },
    adopt: {
      type: 'boolean',
      default: false,
      description:
        'Whether to take over fields of operators or of another repository; else they are refused.',
    },
    prune: {
      type: 'boolean',
      default: false,
      description:
        'Whether to take out of use what this owner has applied and no document names: switched off, or deleted where nothing is switched.',
    },
    maxDeletions: {
      type: 'integer',
      minimum: 0,
      maximum: 10_000,
      default: 10,
      description: 'Most records that prune takes out of use.',
    },
  },
} as const satisfies JSONSchema;
export type PlanBody = FromSchema<typeof planBody>;

const change = {
  type: 'object',
  additionalProperties: false,
  required: ['field', 'owner'],
  properties: {
    field: { type: 'string' },
    from: { description: 'Left out where the record is new.' },
    to: {},
    owner: { type: ['string', 'null'], description: 'Whose the field is now; null: its operators’.' },
  },
} as const;

/** A plan, as it is signed. */
export const plan = {
  title: 'CodePlan',
  type: 'object',
  additionalProperties: false,
  required: ['planVersion', 'hostId', 'owner', 'position', 'actions', 'refused', 'given'],
  properties: {
    planVersion: { type: 'integer', const: 1 },
    hostId: { type: 'string' },
    owner: { type: 'string' },
    position: { type: 'integer', description: 'Position of the log that it was made at.' },
    given: {
      type: 'object',
      description: 'The fields that the documents have, by kind and key: they are the owner’s afterwards.',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    },
    actions: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['op', 'kind', 'key', 'changes'],
        properties: {
          op: { type: 'string', enum: operations },
          ...place,
          changes: { type: 'array', items: change },
        },
      },
    },
    refused: {
      type: 'array',
      description: 'What can’t be done. A plan with some of these is not applied.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['kind', 'key', 'code', 'detail'],
        properties: {
          ...place,
          field: { type: 'string' },
          code: { type: 'string' },
          detail: { type: 'string' },
        },
      },
    },
  },
} as const satisfies JSONSchema;

export const signedPlan = {
  title: 'SignedCodePlan',
  type: 'object',
  additionalProperties: false,
  required: ['plan', 'signature', 'text'],
  properties: {
    plan,
    text: {
      type: 'string',
      description: 'The plan for people, as Markdown: carried out only with the text that follows from it.',
    },
    signature: {
      type: 'string',
      description:
        'JWS (RFC 7515, compact) of the SHA-256 of the canonical JSON (RFC 8785) of the plan, as hex.',
    },
  },
} as const satisfies JSONSchema;

export const appliedAnswer = objectOf({
  position: { type: 'integer', description: 'Position of the log after it.' },
  created: { type: 'integer' },
  changed: { type: 'integer' },
  removed: { type: 'integer', description: 'Switched off or deleted.' },
});
