import { importBody } from '../../importers/shared.js';
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { dateTime, line, objectOf, text, uuid } from '../../platform/http/schemas.js';

/** Rows of one data set. */
const MAX_ROWS = 5_000;

const toolNames = { type: 'array', maxItems: 20, items: text(128) } as const;

const rows = {
  type: 'array',
  minItems: 1,
  maxItems: MAX_ROWS,
  items: {
    title: 'EvaluationRow',
    type: 'object',
    additionalProperties: false,
    required: ['prompt', 'expect'],
    properties: {
      prompt: text(4_000),
      expect: { ...toolNames, minItems: 1, description: 'Names of the tools that should be found.' },
      forbid: { ...toolNames, description: 'Names of tools that must not be.' },
    },
  },
} as const satisfies JSONSchema;

export const evaluationSetBody = {
  type: 'object',
  additionalProperties: false,
  required: ['rows'],
  properties: { rows },
} as const satisfies JSONSchema;
export type EvaluationSetBody = FromSchema<typeof evaluationSetBody>;

export const evaluationBody = {
  type: 'object',
  additionalProperties: false,
  properties: {
    dataSet: { ...line(128), description: 'A data set that the host keeps; or else rows, or self.' },
    rows,
    self: {
      type: 'boolean',
      default: false,
      description:
        'Asks each tool’s own keywords, semantic description and examples: at most 20 prompts of one tool, and 5,000.',
    },
    agentDefId: {
      ...uuid,
      description: 'In this agent’s catalog; without it over all that the token may read.',
    },
    serviceId: text(512),
    envTag: text(64),
    asOf: {
      anyOf: [
        { type: 'integer', minimum: 0, maximum: 999_999_999_999_999 },
        { type: 'string', pattern: '^[0-9]{1,15}$' },
        { type: 'string', maxLength: 64, format: 'date-time' },
      ],
      description:
        'The catalog as it was at a position of the log, or at a time; by words alone, without an agent of at most 20,000 ' +
        'tools. Needs catalog:admin.',
    },
    import: {
      ...importBody,
      description:
        'An import that is not made: the catalog is asked as it would be after it, by words alone. Needs catalog:write.',
    },
    compareWith: { ...uuid, description: 'An earlier run: says what got better and worse since.' },
  },
} as const satisfies JSONSchema;
export type EvaluationBody = FromSchema<typeof evaluationBody>;

const rate = { type: 'number', minimum: 0, maximum: 1 } as const;
const rankOrNull = { type: ['integer', 'null'], minimum: 1 } as const;

const figure = { type: 'number' } as const;
const interval = objectOf({ low: figure, high: figure });
const difference = objectOf({ difference: figure, low: figure, high: figure });

const metrics = {
  title: 'EvaluationMetrics',
  ...objectOf(
    {
      prompts: { type: 'integer' },
      hit1: { ...rate, description: 'Share of prompts whose first find was meant.' },
      recall: {
        type: 'object',
        description: 'Share of the tools meant that are among the first 1, 3, 5, 10.',
        properties: { 1: rate, 3: rate, 5: rate, 10: rate },
      },
      mrr: rate,
      ndcg10: rate,
      forbiddenHits: { type: 'integer' },
      unasked: { type: 'integer', description: 'With self: prompts beyond those that one run asks.' },
      intervals: {
        description:
          'Between what each measure lies in 95 of 100 samples of the prompts, drawn with replacement (bootstrap); the same for the same results.',
        ...objectOf({ hit1: interval, mrr: interval, ndcg10: interval }),
      },
      latency: {
        type: 'object',
        description: 'Milliseconds of one search.',
        properties: { p50: { type: 'number' }, p99: { type: 'number' } },
      },
    },
    ['unasked', 'intervals'],
  ),
} as const satisfies JSONSchema;

const names = { type: 'array', items: { type: 'string' } } as const;

const moved = {
  type: 'array',
  items: {
    title: 'MovedPrompt',
    ...objectOf(
      {
        prompt: { type: 'string' },
        before: { ...rankOrNull, description: 'Place of the first tool meant; null is none of ten.' },
        now: rankOrNull,
        tools: {
          type: 'array',
          description: 'Of several tools meant those whose place has changed.',
          items: objectOf({ name: { type: 'string' }, before: rankOrNull, now: rankOrNull }),
        },
        forbidden: {
          description: 'Forbidden tools that one of the runs alone has found.',
          ...objectOf({ before: names, now: names }),
        },
      },
      ['tools', 'forbidden'],
    ),
  },
} as const satisfies JSONSchema;

const summaryProperties = {
  id: uuid,
  dataSet: {
    type: 'string',
    description: 'Its name; empty for rows of the request, self for the catalog’s own.',
  },
  agentDefId: { type: ['string', 'null'] },
  position: {
    type: 'integer',
    description: 'End of the host’s log when it ran; with asOf, of what the catalog was made of.',
  },
  metrics,
  updateTs: dateTime,
  updateUser: { type: 'string' },
} as const;
const summaryMembers = [
  'id',
  'dataSet',
  'agentDefId',
  'position',
  'metrics',
  'updateTs',
  'updateUser',
] as const;

export const evaluationSummary = {
  type: 'object',
  required: summaryMembers,
  properties: summaryProperties,
} as const satisfies JSONSchema;

export const evaluationAnswer = {
  type: 'object',
  required: [...summaryMembers, 'confusions', 'results'],
  properties: {
    ...summaryProperties,
    confusions: {
      type: 'array',
      description: 'Which tool took the first place of which, the worst first.',
      items: objectOf({
        expected: { type: 'string' },
        found: { type: 'string' },
        times: { type: 'integer' },
        prompt: { type: 'string' },
      }),
    },
    results: {
      type: 'array',
      items: objectOf({
        prompt: { type: 'string' },
        expect: names,
        found: names,
        rank: rankOrNull,
        forbidden: names,
      }),
    },
    comparison: {
      description:
        'With compareWith. Worse is what has lost in any respect: the place of the first tool meant, the places of ' +
        'others, or a forbidden tool that was not found before.',
      ...objectOf({
        compared: {
          type: 'integer',
          description: 'Questions that both runs asked: the same prompt for the same tools.',
        },
        better: moved,
        worse: moved,
        differences: {
          description:
            'How much each measure has changed over these questions, and between what that lies (bootstrap, 95 of 100): a gain is told from noise where low is above 0.',
          ...objectOf({ hit1: difference, mrr: difference, ndcg10: difference }),
        },
        flips: {
          description: 'Questions that found a tool meant in first place in one of the runs alone.',
          ...objectOf({ gained: { type: 'integer' }, lost: { type: 'integer' } }),
        },
      }),
    },
  },
} as const satisfies JSONSchema;

const setMembers = ['name', 'rowCount', 'updateTs', 'updateUser'] as const;
const setProperties = {
  name: { type: 'string' },
  rowCount: { type: 'integer' },
  updateTs: dateTime,
  updateUser: { type: 'string' },
} as const;

export const evaluationSetAnswer = {
  type: 'object',
  required: setMembers,
  properties: setProperties,
} as const satisfies JSONSchema;

export const wholeEvaluationSet = {
  type: 'object',
  required: [...setMembers, 'rows'],
  properties: { ...setProperties, rows },
} as const satisfies JSONSchema;
