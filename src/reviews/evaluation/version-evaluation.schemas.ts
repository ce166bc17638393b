import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { line, receiptProperties } from '../../platform/http/schemas.js';
import { evalConfig, listedVersion } from '../../tools/shared.js';
import { defaultMargin } from './evaluation-grounds.js';

export const versionEvaluationBody = {
  type: 'object',
  additionalProperties: false,
  properties: {
    config: { ...evalConfig, description: 'What it is asked; what is kept with the version where left out.' },
    dataSets: {
      type: 'array',
      maxItems: 100,
      items: line(128),
      description:
        'Data sets of the host; all of them where it is left out, which is what an approval rests on.',
    },
    margin: {
      type: 'number',
      minimum: 0,
      maximum: 0.5,
      default: defaultMargin,
      description:
        'How much less of each measure the version may have than what it replaces. Kept with the result: no approval rests on ' +
        'one with a wider margin.',
    },
  },
} as const satisfies JSONSchema;
export type VersionEvaluationBody = FromSchema<typeof versionEvaluationBody>;

const share = { type: 'number', minimum: -1, maximum: 1 } as const;
const change = {
  title: 'MeasuredChange',
  type: 'object',
  required: ['before', 'now', 'difference', 'low', 'high'],
  properties: {
    before: share,
    now: share,
    difference: share,
    low: { ...share, description: 'The difference is not below it, with a confidence of 95 %.' },
    high: { ...share, description: 'The difference is not above it, with a confidence of 95 %.' },
  },
} as const satisfies JSONSchema;

const recorded = {
  title: 'VersionEvaluation',
  type: 'object',
  required: [
    ...([
      'passed',
      'at',
      'digest',
      'against',
      'position',
      'margin',
      'prompts',
      'concerned',
      'asked',
    ] as const),
    ...(['metrics', 'reasons', 'exploring', 'evaluationId', 'baselineId'] as const),
  ],
  properties: {
    passed: { type: 'boolean' },
    at: { type: 'string' },
    digest: { type: 'string', description: 'Of the content that was evaluated: it says nothing of another.' },
    against: {
      type: ['string', 'null'],
      description: 'The version whose place it would take; null where agents are given none.',
    },
    position: { type: 'integer', description: 'Of the log that the catalog was made of.' },
    margin: { type: 'number' },
    prompts: { type: 'integer' },
    concerned: {
      type: 'integer',
      description:
        'Those that mean the tool, find it, or find anything else than before: the measures are over them.',
    },
    asked: {
      type: 'object',
      description:
        'Where the prompts come from: how many of its config, which data sets, how many of the tools’ own, and how many were made of ' +
        'its name and description, where nothing else asks for it.',
      required: ['config', 'configDigest', 'dataSets', 'allDataSets', 'own'],
      properties: {
        config: { type: 'integer' },
        configDigest: { type: ['string', 'null'] },
        dataSets: { type: 'array', items: { type: 'string' } },
        allDataSets: { type: 'boolean' },
        dataSetsDigest: {
          type: 'string',
          description:
            'Of the names and rows of these data sets; an approval needs those that the host has then. Left out of evaluations of before.',
        },
        own: { type: 'integer' },
        made: { type: 'integer', description: 'Left out of evaluations of before.' },
      },
    },
    metrics: {
      type: 'object',
      required: ['hitAt1', 'hitAt5', 'mrrAt10'],
      properties: { hitAt1: change, hitAt5: change, mrrAt10: change },
    },
    reasons: {
      type: 'array',
      description: 'Why it has not passed.',
      items: {
        type: 'object',
        required: ['rule', 'detail'],
        properties: {
          rule: { type: 'string', enum: ['worse', 'not_shown', 'forbidden_first', 'below_threshold'] },
          detail: { type: 'string' },
        },
      },
    },
    exploring: {
      type: 'boolean',
      description:
        'Whether it was asked with a wider margin, some data sets, or another config than is kept: no approval rests on it, and it is not kept.',
    },
    evaluationId: { type: 'string', description: 'The run with the version: `GET …/evaluations/{id}`.' },
    baselineId: { type: 'string', description: 'The run without it.' },
  },
} as const satisfies JSONSchema;

const rank = { type: ['integer', 'null'] } as const;
const nameOrNull = { type: ['string', 'null'] } as const;
const flips = {
  type: 'array',
  items: {
    title: 'FlippedPrompt',
    type: 'object',
    required: ['prompt', 'expect', 'before', 'now', 'first'],
    properties: {
      prompt: { type: 'string' },
      expect: { type: 'array', items: { type: 'string' } },
      before: { ...rank, description: 'Place of the first tool meant; null is none of ten.' },
      now: rank,
      first: {
        type: 'object',
        description: 'What is found first; `(hidden)` for a tool that the token does not cover.',
        required: ['before', 'now'],
        properties: { before: nameOrNull, now: nameOrNull },
      },
    },
  },
} as const satisfies JSONSchema;

const confusions = {
  type: 'array',
  items: {
    type: 'object',
    required: ['expected', 'found', 'times', 'prompt'],
    properties: {
      expected: { type: 'string' },
      found: { type: 'string' },
      times: { type: 'integer' },
      prompt: { type: 'string' },
    },
  },
} as const satisfies JSONSchema;

/** What an evaluation found, prompt by prompt. */
const findings = {
  worse: { ...flips, description: 'Prompts that lose by the version, the first 100.' },
  better: { ...flips, description: 'Prompts that gain by it, the first 100.' },
  confusions: {
    title: 'ConfusionsBeforeAndNow',
    type: 'object',
    description: 'Tools found in first place instead of another, the worst first.',
    required: ['before', 'now'],
    properties: { before: confusions, now: confusions },
  },
} as const satisfies Readonly<Record<string, JSONSchema>>;

export const versionEvaluationAnswer = {
  type: 'object',
  required: [
    'id',
    'version',
    'position',
    'changed',
    'toolVersion',
    'evaluation',
    'worse',
    'better',
    'confusions',
  ],
  properties: {
    ...receiptProperties,
    toolVersion: listedVersion.properties.version,
    evaluation: recorded,
    ...findings,
  },
} as const satisfies JSONSchema;

const unchanged = { before: 1, now: 1, difference: 0, low: 0, high: 0 } as const;
const lost = { before: 1, now: 0.5, difference: -0.5, low: -1, high: 0 } as const;
const halved = { before: 1, now: 0.75, difference: -0.25, low: -0.5, high: 0 } as const;
const prompt = 'Which transfers have I made?';

const evaluationExample = {
  ...{ passed: false, at: '2026-03-01T12:00:00.000Z', digest: 'b0'.repeat(32), against: '1.0.0' },
  ...{ position: 120, margin: 0.02, prompts: 40, concerned: 2 },
  asked: {
    config: 0,
    configDigest: null,
    dataSets: ['tellers'],
    allDataSets: false,
    dataSetsDigest: 'd5'.repeat(32),
    ...{ own: 0, made: 0 },
  },
  metrics: { hitAt1: lost, hitAt5: unchanged, mrrAt10: halved },
  reasons: [
    {
      rule: 'worse',
      detail:
        'Over 2 prompts that it concerns, hitAt1 goes from 1 to 0.5 (-0.5, between -1 and 0): a greater loss than the ' +
        'margin of 0.02.',
    },
  ],
  exploring: true,
  evaluationId: '0199a000-0000-7000-8000-00000000000b',
  baselineId: '0199a000-0000-7000-8000-00000000000a',
} as const;

const findingsExample = {
  worse: [
    {
      ...{ prompt, expect: ['listTransfers'], before: 1, now: 2 },
      first: { before: 'listTransfers', now: 'getAccountByNo' },
    },
  ],
  better: [],
  confusions: {
    before: [],
    now: [{ expected: 'listTransfers', found: 'getAccountByNo', times: 1, prompt }],
  },
} as const;

export const versionEvaluationExample = {
  body: {
    config: {
      prompts: [
        { prompt: 'What is on account 4711?', expected: ['getAccountByNo'], forbidden: ['closeAccount'] },
      ],
      thresholds: { hitAt1: 0.8 },
    },
    dataSets: ['tellers'],
  },
  answer: {
    ...{ id: '0198c0de-0000-7000-8000-00000000c001', version: 4, position: 121, changed: true },
    ...{ toolVersion: '2.0.0', evaluation: evaluationExample, ...findingsExample },
  },
} as const;
