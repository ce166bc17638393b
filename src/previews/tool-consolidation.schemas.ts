import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { objectOf, uuid } from '../platform/http/schemas.js';
import { lintRules } from '../registry/shared.js';

/** Names of tools as one tool can take them in. */
const toolName = { type: 'string', minLength: 1, maxLength: 64 } as const;
const string = { type: 'string' } as const;

export const consolidationBody = {
  type: 'object',
  additionalProperties: false,
  properties: {
    tools: {
      type: 'array',
      minItems: 2,
      maxItems: 12,
      uniqueItems: true,
      items: toolName,
      description:
        'Names of tools to make one of. Left out: those that read the same resource, or are confused.',
    },
    name: {
      type: 'string',
      pattern: '^[A-Za-z0-9_-]{1,64}$',
      description: 'Name of the new tool, where tools are named.',
    },
    apiVersionId: { ...uuid, description: 'Among the tools of this API version alone.' },
    evaluationId: {
      ...uuid,
      description: 'A run whose confusions say which tools are taken for each other.',
    },
  },
} as const satisfies JSONSchema;
export type ConsolidationBody = FromSchema<typeof consolidationBody>;

export const consolidationAnswer = {
  title: 'ToolConsolidation',
  ...objectOf({
    proposals: {
      type: 'array',
      description: 'Drafts to edit: nothing is written before one is pushed as a spec.',
      items: {
        title: 'ConsolidationProposal',
        ...objectOf({
          tools: { type: 'array', items: string, description: 'Those that it would replace.' },
          reasons: { type: 'array', items: string },
          specText: { ...string, description: 'The spec of the new tool, for POST …/tools/specs.' },
          notes: {
            type: 'array',
            items: string,
            description: 'What somebody has to decide, and what it lacks.',
          },
          findings: {
            type: 'array',
            description: 'What is weak about the draft as it is.',
            items: objectOf({
              rule: { ...string, enum: lintRules },
              ...{ pointer: string, reason: string, example: string },
            }),
          },
        }),
      },
    },
    omitted: {
      type: 'array',
      description: 'Tools that could have been part of a proposal, and why they are not.',
      items: objectOf({ tool: string, reason: string }),
    },
  }),
} as const satisfies JSONSchema;

export const consolidationExample = {
  body: { tools: ['get_issue', 'list_issues'], name: 'get_gitlab_issue' },
  answer: {
    proposals: [
      {
        tools: ['get_issue', 'list_issues'],
        reasons: ['They read the same resource: issue.'],
        specText:
          'version: 0.1.0\nname: get_gitlab_issue\ndescription: "Reads issue data: get, list."\nhost: gitlab\ninputSchema: { type: object }\n',
        notes: ['id has other schemas in get_issue, list_issues: choose one, or give it two names.'],
        findings: [],
      },
    ],
    omitted: [{ tool: 'update_issue', reason: 'It changes something, so it stays a tool of its own.' }],
  },
} as const;
