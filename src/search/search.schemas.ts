import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { objectOf, text, uuid } from '../platform/http/schemas.js';
import { tiers } from '../platform/auth/sensitivity-tier.js';
import { learntWorths } from '../../packages/ranking/worths.js';
import { kinds } from './documents/search-document.js';

/** One value, or several of which one must fit. */
const anyOf = {
  anyOf: [text(256), { type: 'array', minItems: 1, maxItems: 50, items: text(256) }],
} as const;

export const searchFilters = {
  type: 'object',
  additionalProperties: false,
  description:
    'All that are named must hold; of several values any one. What a kind does not have it can’t match: a filter of ' +
    'tools leaves no skill.',
  properties: {
    domain: { ...anyOf, description: 'One of these, or below one by a dot.' },
    semanticNamespace: { ...anyOf, description: 'One of these, or below one by a dot.' },
    personas: { ...anyOf, description: 'Names one of these, case aside, or is for everybody.' },
    maxSensitivityTier: { type: 'string', enum: tiers },
    sourceProtocol: anyOf,
    implementationType: anyOf,
    lifecycleStatus: anyOf,
    apiId: anyOf,
    tags: { ...anyOf, description: 'Has one of these.' },
    categories: { ...anyOf, description: 'Is in one of these.' },
  },
} as const satisfies JSONSchema;

export const searchBody = {
  type: 'object',
  additionalProperties: false,
  required: ['prompt'],
  properties: {
    prompt: { ...text(20_000), description: 'What is wanted, as people say it, in any script.' },
    kinds: {
      type: 'array',
      minItems: 1,
      uniqueItems: true,
      items: { type: 'string', enum: kinds },
      default: ['tool', 'skill', 'endpoint'],
    },
    agentDefId: { ...uuid, description: 'Only what this agent’s effective catalog holds.' },
    serviceId: text(512),
    envTag: text(64),
    context: {
      anyOf: [text(4000), { type: 'array', maxItems: 200, items: text(256) }],
      description: 'Names of the context at hand: what requires more of it is left out.',
    },
    filters: searchFilters,
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
    explain: {
      type: 'boolean',
      default: false,
      description: 'Adds what matched and each part of the score.',
    },
  },
} as const satisfies JSONSchema;
export type SearchBody = FromSchema<typeof searchBody>;
export type SearchFilters = FromSchema<typeof searchFilters>;

const { example } = learntWorths;
const number = { type: 'number' } as const;

export const foundItem = {
  type: 'object',
  additionalProperties: false,
  required: ['kind', 'id', 'name', 'description', 'score', 'keywordScore', 'vectorScore', 'weight'],
  properties: {
    kind: { type: 'string', enum: kinds },
    id: uuid,
    name: { type: 'string' },
    description: { type: 'string' },
    score: {
      ...number,
      description:
        '((1 − share) · keywordScore + share · best · vectorScore) · weight; share is the model’s, best for built-in vectors the best keywordScore of the kind, else 1.',
    },
    keywordScore: { ...number, description: '0 to 1: how much of the prompt the words hold.' },
    vectorScore: { type: ['number', 'null'], description: '0 to 1; null where there is no vector.' },
    weight: { ...number, description: 'Semantic weight · skill priority · lifecycle · safety.' },
    matched: {
      type: 'array',
      description: 'With explain: words found, and where.',
      items: objectOf(
        {
          term: { type: 'string', description: 'Stemmed.' },
          written: {
            type: 'string',
            description: 'As the prompt has it, where that was taken for a misspelling.',
          },
          share: {
            ...number,
            description: '0 to 1: what it is worth of the prompt; words around any request are worth half.',
          },
          fields: { type: 'array', items: { type: 'string' } },
        },
        ['written'],
      ),
    },
    parts: {
      type: 'object',
      description: 'With explain.',
      additionalProperties: false,
      required: ['words', 'name', 'example', 'votes', 'share', 'best', 'weight'],
      properties: {
        words: {
          ...number,
          description: `keywordScore is (words + ${String(example)} · example) / ${String(1 + example)}.`,
        },
        name: {
          ...number,
          description: '0 to 1: share of the words of its name that the prompt holds; counted in words.',
        },
        example: {
          ...number,
          description: '0 to 1: what the example prompts that vote for it say together.',
        },
        votes: {
          type: 'array',
          items: number,
          description: 'How like the prompt each of the five nearest example prompts is, best first.',
        },
        share: { ...number, description: '0 to 1: share of the vectors in the score; 0 where none counts.' },
        best: {
          ...number,
          description:
            '0 to 1: what a vectorScore of 1 is worth, the best keywordScore found of its kind, or 1.',
        },
        weight: {
          type: 'object',
          additionalProperties: false,
          required: ['semantic', 'priority', 'lifecycle', 'safety'],
          properties: { semantic: number, priority: number, lifecycle: number, safety: number },
        },
      },
    },
    related: {
      type: 'array',
      description: 'What is often needed with it, of what the asker may see.',
      items: objectOf(
        {
          kind: { type: 'string', enum: kinds },
          id: uuid,
          name: { type: 'string' },
          reason: { type: 'string', enum: ['dependency', 'fallback', 'skill_dependency'] },
          relation: { type: 'string', description: 'What the tool’s metadata says of the dependency.' },
        },
        ['relation'],
      ),
    },
  },
} as const satisfies JSONSchema;
export type FoundItem = FromSchema<typeof foundItem>;

export const searchAnswer = objectOf(
  {
    items: { type: 'array', items: foundItem, description: 'Best first.' },
    degraded: {
      type: 'array',
      items: { type: 'string', enum: ['vectors', 'index'] },
      description:
        '`vectors`: the prompt could not be embedded, words alone ranked. `index`: the latest changes are not in yet.',
    },
  },
  ['degraded'],
);
export type SearchAnswer = FromSchema<typeof searchAnswer>;
