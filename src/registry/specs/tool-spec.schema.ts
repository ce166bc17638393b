import type { JSONSchema } from 'json-schema-to-ts';
import { versionPattern } from './version-number.js';

const text = (maxLength: number, description: string) =>
  ({ type: 'string', minLength: 1, maxLength, description }) as const;

/** A number without build metadata or pre-release: what is not finished is a draft, and needs no number of its own. */
export const specVersion = {
  type: 'string',
  maxLength: 29,
  pattern: versionPattern,
  description:
    'MAJOR.MINOR.PATCH, like 1.2.0: whole numbers of nine digits at most and no leading zeros, and nothing after them.',
} as const;

const parameter = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'type'],
  properties: {
    name: text(200, 'Name of the argument.'),
    description: text(4_000, 'What the argument is for, for the model.'),
    type: { enum: ['string', 'integer', 'number', 'boolean', 'array', 'object'] },
    required: { type: 'boolean', default: false },
    default: { description: 'Taken where the argument is left out.' },
    enum: { type: 'array', minItems: 1, maxItems: 1_000, description: 'The values that it may have.' },
    items: { type: 'object', description: 'JSON Schema of the items of an array.' },
  },
} as const;

const argumentsOf = (description: string) =>
  ({
    type: 'object',
    description: `${description} A text of $ and a name, like $project_id, is the parameter of that name, $issue.project.id a part of it; $$ is a dollar sign.`,
  }) as const;
const name = { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}$' } as const;

const jsonSchema = (description: string) => ({ type: 'object', description }) as const;

const api = (what: string) =>
  ({
    type: 'string',
    pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,125}(@[^\\s@]{1,64})?$',
    description: `${what}: its apiId, or apiId@version where it has several.`,
  }) as const;
const keepNull = {
  type: 'array',
  maxItems: 200,
  items: { type: 'string', maxLength: 200 },
  description: 'Parameters whose null is sent. That of others counts as left out.',
} as const;

const graphqlCall = {
  type: 'object',
  additionalProperties: false,
  required: ['api', 'operation'],
  description: 'The GraphQL operation that a call carries out.',
  properties: {
    api: api('The API that answers it, of type graphql'),
    operation: text(65_536, 'A document with one operation.'),
    operationName: {
      ...name,
      description:
        'The field at the root of the operation whose data is the result; the only one where left out.',
    },
    variables: argumentsOf('Values of its variables.'),
    keepNull,
  },
} as const;

const endpointCall = {
  type: 'object',
  additionalProperties: false,
  required: ['api', 'endpoint'],
  description: 'The endpoint of an HTTP API in the catalog that a step calls.',
  properties: {
    api: api('The API that has it'),
    endpoint: text(2_000, 'Its key: the path, @, and the verb in small letters, like /tickets/{id}@get.'),
    arguments: argumentsOf('Its arguments.'),
    keepNull,
    result: jsonSchema(
      'JSON Schema 2020-12 of what it answers, where its document does not say it and a later step uses it. An answer that is otherwise ends the call.',
    ),
  },
} as const;

const compositeCall = {
  type: 'object',
  additionalProperties: false,
  required: ['by', 'alternatives'],
  description: 'Several operations, of which a call carries out one: a parameter says which.',
  properties: {
    by: text(200, 'The parameter that says it. inputSchema lists its values, and each has an alternative.'),
    alternatives: {
      type: 'array',
      minItems: 1,
      maxItems: 20,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['when', 'steps'],
        properties: {
          when: text(200, 'The value of the parameter.'),
          steps: {
            type: 'array',
            minItems: 1,
            maxItems: 5,
            description:
              'Requests in their order. Only the last may change something; its result is that of the tool.',
            items: {
              type: 'object',
              additionalProperties: false,
              required: ['id'],
              properties: {
                id: { ...name, description: 'Names the step: $id is its result for the steps after it.' },
                graphql: graphqlCall,
                endpoint: endpointCall,
                needs: {
                  type: 'array',
                  maxItems: 20,
                  description:
                    'Parts of its result without which the call ends, like nodes.0.id; the steps after it can count on them.',
                  items: {
                    type: 'string',
                    maxLength: 500,
                    pattern:
                      '^(?:[A-Za-z_][A-Za-z0-9_]*|0|[1-9]\\d{0,5})(?:\\.(?:[A-Za-z_][A-Za-z0-9_]*|0|[1-9]\\d{0,5}))*$',
                  },
                },
              },
            },
          },
        },
      },
    },
  },
} as const;

/** A version of a tool as a file, `tools/specs/<name>/vX_Y_Z.yaml`; published for editors. */
export const toolSpecSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Tool spec',
  description: 'One version of a tool, as agents are offered it. It holds no implementation.',
  type: 'object',
  additionalProperties: false,
  required: ['version', 'name', 'description', 'inputSchema'],
  properties: {
    version: specVersion,
    title: text(200, 'Name for people.'),
    name: {
      type: 'string',
      pattern: '^[A-Za-z0-9_-]{1,64}$',
      description: 'Name by which agents call it: letters, digits, _ and -, 64 at most.',
    },
    description: text(4_000, 'What it does, when to use it and when not, for the model.'),
    host: text(200, 'The service that implements it.'),
    owner: text(200, 'Who answers for it: a team or a person.'),
    inputSchema: {
      description: 'A list of parameters, or JSON Schema 2020-12 of an object.',
      type: 'object',
      if: { required: ['parameters'] },
      then: {
        additionalProperties: false,
        properties: { parameters: { type: 'array', maxItems: 200, items: parameter } },
      },
      else: { required: ['type'], properties: { type: { const: 'object' } } },
    },
    outputSchema: jsonSchema('JSON Schema 2020-12 of the result.'),
    annotations: {
      type: 'object',
      additionalProperties: false,
      description: 'What a call does to the world, as MCP names it.',
      properties: {
        readOnlyHint: { type: 'boolean' },
        destructiveHint: { type: 'boolean' },
        idempotentHint: { type: 'boolean' },
        openWorldHint: { type: 'boolean' },
      },
    },
    graphql: graphqlCall,
    composite: compositeCall,
    examples: {
      type: 'array',
      maxItems: 200,
      description: 'Prompts that should lead to this tool, or calls with their arguments.',
      items: {
        type: 'object',
        additionalProperties: false,
        minProperties: 1,
        properties: {
          prompt: text(500, 'What somebody says who wants this tool.'),
          arguments: { type: 'object' },
          result: {},
        },
      },
    },
  },
} as const satisfies JSONSchema;

const toolNames = (description: string) =>
  ({
    type: 'array',
    maxItems: 50,
    description,
    items: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
  }) as const;
const share = { type: 'number', minimum: 0, maximum: 1 } as const;

const acceptedFinding = {
  version: { ...specVersion, description: 'The later version, which makes the change.' },
  rule: text(100, 'Rule of the finding, like input.required.narrower.'),
  pointer: { type: 'string', maxLength: 1_000, description: 'Pointer of the finding.' },
  reason: text(1_000, 'Why it does no harm.'),
  approver: text(200, 'Who says so.'),
  expires: { type: 'string', format: 'date', description: 'Last day on which it holds: 2027-03-31.' },
} as const;

/** Those of one tool, as they are sent with a version. */
export const acceptedOfTool = {
  type: 'array',
  maxItems: 200,
  items: {
    title: 'AcceptedFinding',
    type: 'object',
    additionalProperties: false,
    required: ['version', 'rule', 'pointer', 'reason', 'approver', 'expires'],
    properties: acceptedFinding,
  },
} as const satisfies JSONSchema;

/** Findings that somebody has accepted, `tools/accepted-findings.yaml`; published for editors. */
export const acceptedFindingsSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Accepted findings',
  description: 'Changes that a version number need not be raised for, until a day.',
  type: 'object',
  additionalProperties: false,
  required: ['accepted'],
  properties: {
    accepted: {
      type: 'array',
      maxItems: 2_000,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['tool', 'version', 'rule', 'pointer', 'reason', 'approver', 'expires'],
        properties: {
          tool: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'Name of the tool.' },
          ...acceptedFinding,
        },
      },
    },
  },
} as const satisfies JSONSchema;

/** How a version is evaluated, `eval/configs/<name>/vX_Y_Z.yaml`; published for editors. */
export const evalConfigSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Evaluation of a tool',
  description: 'Prompts, and the tools that they should and should not lead to.',
  type: 'object',
  additionalProperties: false,
  required: ['prompts'],
  properties: {
    prompts: {
      type: 'array',
      minItems: 1,
      maxItems: 2_000,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['prompt'],
        properties: {
          prompt: text(4_000, 'What somebody says.'),
          expected: toolNames('Any of these should come first; this tool, unless said otherwise.'),
          forbidden: toolNames('None of these may come first.'),
        },
      },
    },
    thresholds: {
      type: 'object',
      additionalProperties: false,
      description: 'Least shares for the version to pass.',
      properties: {
        hitAt1: { ...share, description: 'Prompts whose first tool is an expected one.' },
        hitAt5: { ...share, description: 'Prompts with an expected tool among the first five.' },
        mrrAt10: { ...share, description: 'Mean of one divided by the place of the first expected tool.' },
      },
    },
  },
} as const satisfies JSONSchema;
