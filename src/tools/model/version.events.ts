import { type EventOf, eventType } from '../../kernel/event.js';
import { invocation, orNull, overrides, text, words } from './tool-facts.js';

/** The events of one version of a tool, from its first draft to its end. They belong to the stream of the tool. */

/** All that a version of a tool is made of. */
export const versionContent = {
  type: 'object',
  additionalProperties: false,
  required: ['words', 'effective', 'invocation', 'outputSchema'],
  properties: {
    words,
    /** The fields with the overrides applied. */
    effective: words,
    invocation,
    /** Null where there is none, or where the endpoint keeps it. */
    outputSchema: { type: ['object', 'null'] },
    /** The operator's layer that comes with it; left out where that stays as it is. */
    overrides,
    /** Of a version that an endpoint brings: the fields that the endpoint keeps, before and after. */
    kept: {
      type: 'object',
      additionalProperties: false,
      required: ['before', 'after'],
      properties: { before: { type: 'object' }, after: { type: 'object' } },
    },
  },
} as const;

/** A version is written, or written again before it is approved. */
export const toolVersionDrafted = eventType({
  type: 'ToolVersionDraftedEvent',
  aggregateType: 'Tool',
  version: 1,
  touches: 'nobody',
  restates: 'version',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['version', 'state', 'origin', 'content', 'specText'],
    properties: {
      version: text,
      state: { enum: ['draft', 'in_review'] },
      /** `source`: the endpoint or the author of the tool changed it; `spec`: a spec was pushed. */
      origin: { enum: ['source', 'spec'] },
      content: versionContent,
      specText: orNull,
      /** The prompts that it is evaluated by, and the file that says so; left out of versions that come without. */
      evalConfig: { type: ['object', 'null'] },
      evalConfigText: orNull,
      /** Changes that its number was not raised for; left out where there are none. */
      accepted: { type: 'array', items: { type: 'object' } },
      /** What its spec says to people, and the prompts and calls that should lead to it; left out where no spec says it. */
      about: {
        type: 'object',
        additionalProperties: false,
        required: ['title', 'owner', 'examples'],
        properties: { title: text, owner: orNull, examples: { type: 'array', items: { type: 'object' } } },
      },
      /** How often it was written as a draft, this time included; left out of what waits for a review, and of the first. */
      written: { type: 'integer', minimum: 2 },
      /** Versions that nobody approved and that it may take up: who wrote on them has written on it. Left out where there are none. */
      continues: { type: 'array', items: text },
    },
  },
});

/** Its author asks for a review. */
export const toolVersionSubmitted = eventType({
  type: 'ToolVersionSubmittedEvent',
  aggregateType: 'Tool',
  version: 1,
  touches: 'nobody',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['version'],
    properties: { version: text },
  },
});

/** What an evaluation of a version says; the prompts that flip are in its report. */
const evaluation = {
  type: 'object',
  required: ['passed', 'at'],
  properties: {
    passed: { type: 'boolean' },
    /** RFC 3339. */
    at: text,
    /** The stored evaluations of the catalog with the version, and without it. */
    evaluationId: text,
    baselineId: text,
    /** The version whose place it would have taken; null for none. */
    against: orNull,
    /** Whether no approval rests on it; such ones are in the log of before alone. */
    exploring: { type: 'boolean' },
    margin: { type: 'number' },
    asked: {
      type: 'object',
      properties: {
        /** Of the config that was asked, or null. */
        configDigest: orNull,
        /** Whether all data sets of the host were asked. */
        allDataSets: { type: 'boolean' },
        /** Of the names and rows of those that were asked; left out in the log of before. */
        dataSetsDigest: text,
      },
    },
  },
} as const;

/** It was asked what people ask, and found or not: the result for exactly this content. */
export const toolVersionEvaluated = eventType({
  type: 'ToolVersionEvaluatedEvent',
  aggregateType: 'Tool',
  version: 1,
  touches: 'nobody',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['version', 'digest', 'evaluation'],
    properties: { version: text, digest: text, evaluation },
  },
});

/** What the reviewer had before them: the report of the version shows it from then on. */
const seen = {
  type: 'object',
  additionalProperties: false,
  required: ['on', 'against', 'missing', 'lint', 'reach'],
  properties: {
    /** Like 2026-11-23. */
    on: text,
    /** The version whose place it takes; null for none. */
    against: orNull,
    /** What it lacked for an approval without an override. */
    missing: { type: 'array', items: text },
    lint: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['pointer', 'detail'],
        properties: { pointer: text, detail: text },
      },
    },
    /** How many get another version by an approval; of gateways, how many offer the tool. */
    reach: {
      type: 'object',
      additionalProperties: false,
      required: ['skills', 'agents', 'gateways'],
      properties: {
        skills: { type: 'integer' },
        agents: { type: 'integer' },
        gateways: { type: 'integer' },
      },
    },
  },
} as const;

/** Agents may be given it from now on. */
export const toolVersionApproved = eventType({
  type: 'ToolVersionApprovedEvent',
  aggregateType: 'Tool',
  version: 1,
  touches: 'itself',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['version', 'digest', 'evaluation', 'override'],
    properties: {
      version: text,
      /** Hex SHA-256 of the content that was looked at; null where the setting of the host approves it. */
      digest: orNull,
      /** The evaluation of this digest that passed; null where an override stands in its place. */
      evaluation: { type: ['object', 'null'] },
      /** Why it was approved without an evaluation that passed, or by its author; null where neither is so. */
      override: {
        type: ['object', 'null'],
        additionalProperties: false,
        required: ['reason'],
        properties: { reason: text },
      },
      /** Left out in the log of before, and of what the setting of the host approves. */
      seen,
    },
  },
});

export const toolVersionRejected = eventType({
  type: 'ToolVersionRejectedEvent',
  aggregateType: 'Tool',
  version: 1,
  touches: 'nobody',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['version', 'reason'],
    properties: {
      version: text,
      reason: text,
      /** Its author takes it back, without a review; left out where somebody reviewed it. */
      withdrawn: { const: true },
      /** Left out in the log of before, and of what nobody reviewed. */
      seen,
    },
  },
});

/** Agents are still given it, with the day from which they will not be and a message that says what to take. */
export const toolVersionDeprecated = eventType({
  type: 'ToolVersionDeprecatedEvent',
  aggregateType: 'Tool',
  version: 1,
  touches: 'itself',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['version', 'on', 'message'],
    properties: { version: text, on: text, message: text },
  },
});

/** The day of its deprecation has passed, and agents are given it still. */
export const toolVersionOverdueNoted = eventType({
  type: 'ToolVersionOverdueNotedEvent',
  aggregateType: 'Tool',
  version: 1,
  touches: 'itself',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['version'],
    properties: { version: text },
  },
});

/** No agent is given it any more. `reason` of a version to which links still kept. */
export const toolVersionRetired = eventType({
  type: 'ToolVersionRetiredEvent',
  aggregateType: 'Tool',
  version: 1,
  touches: 'itself',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['version', 'reason'],
    properties: { version: text, reason: orNull },
  },
});

/** The operation that it calls was held against the schema that its API has now. */
export const toolCallJudged = eventType({
  type: 'ToolCallJudgedEvent',
  aggregateType: 'Tool',
  version: 1,
  touches: 'itself',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['version', 'fault'],
    properties: {
      version: text,
      /** Null where it fits. */
      fault: {
        type: ['object', 'null'],
        additionalProperties: false,
        required: ['code', 'details'],
        properties: {
          /** `operation_unfit`: no call can succeed. `variables_unfit`: calls may fail, by their arguments. */
          code: { enum: ['operation_unfit', 'variables_unfit'] },
          details: { type: 'array', items: text },
        },
      },
    },
  },
});

export const versionEvents = [
  toolVersionDrafted,
  toolVersionSubmitted,
  toolVersionEvaluated,
  toolVersionApproved,
  toolVersionRejected,
  toolVersionDeprecated,
  toolVersionOverdueNoted,
  toolVersionRetired,
  toolCallJudged,
];

export type ToolVersionDrafted = EventOf<typeof toolVersionDrafted>;
export type VersionEvaluation = EventOf<typeof toolVersionEvaluated>['data']['evaluation'];
export type SeenByReviewer = NonNullable<EventOf<typeof toolVersionApproved>['data']['seen']>;
export type CallFault = NonNullable<EventOf<typeof toolCallJudged>['data']['fault']>;
export type VersionContent = ToolVersionDrafted['data']['content'];
export type VersionAbout = NonNullable<ToolVersionDrafted['data']['about']>;

export type VersionEvent = EventOf<(typeof versionEvents)[number]>;
