import { type EventOf, eventType } from '../../kernel/event.js';
import { versionContent, type VersionEvent } from './version.events.js';
import { changeMark, invocation, orNull, overrides, ownTypes, text, words } from './tool-facts.js';

/** Version 1 of the events by which a tool begins left `change` out where nothing waited to be accepted. */
const upcasters = { 1: (data: unknown) => ({ change: null, ...(data as object) }) };

/** An endpoint is offered to agents as a tool for the first time. */
export const toolPublished = eventType({
  type: 'ToolPublishedEvent',
  aggregateType: 'Tool',
  version: 2,
  touches: 'itself',
  upcasters,
  schema: {
    type: 'object',
    additionalProperties: false,
    required: [
      'endpointId',
      'apiVersionId',
      'apiId',
      'serviceId',
      'envTag',
      'name',
      'version',
      'words',
      'invocation',
      'change',
    ],
    properties: {
      endpointId: text,
      apiVersionId: text,
      apiId: text,
      serviceId: text,
      envTag: orNull,
      name: text,
      version: text,
      words,
      invocation,
      /** The mark of what waits to be accepted in a new tool; null where nothing does. */
      change: changeMark,
      /** Of its first version, which agents are not given before it is approved; left out where it is. */
      state: { enum: ['draft', 'in_review'] },
    },
  },
});

/** A tool without an endpoint; the catalog describes it and never runs it. */
export const toolCreated = eventType({
  type: 'ToolCreatedEvent',
  aggregateType: 'Tool',
  version: 2,
  touches: 'itself',
  upcasters,
  schema: {
    type: 'object',
    additionalProperties: false,
    required: [
      'name',
      'version',
      'implementationType',
      'implementationClass',
      'scriptContent',
      'outputSchema',
      'words',
      'invocation',
      'change',
    ],
    properties: {
      name: text,
      version: text,
      implementationType: { enum: ownTypes },
      implementationClass: orNull,
      scriptContent: orNull,
      outputSchema: { type: ['object', 'null'] },
      words,
      invocation,
      /** The mark of what waits to be accepted in a new tool; null where nothing does. */
      change: changeMark,
      /** Of its first version, which agents are not given before it is approved; left out where it is. */
      state: { enum: ['draft', 'in_review'] },
      /** Left out: every environment. */
      envTag: text,
    },
  },
});

/** The endpoint has changed, gone or come back. `source`, where its facts changed, is all of them. */
export const toolRefreshed = eventType({
  type: 'ToolRefreshedEvent',
  aggregateType: 'Tool',
  version: 1,
  touches: 'itself',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['endpointActive', 'version', 'change'],
    properties: {
      endpointActive: { type: 'boolean' },
      version: text,
      change: changeMark,
      /**
       * What agents are given in place of the endpoint's output schema while that waits for a review; null: the
       * endpoint's own again. Left out: as before.
       */
      outputSchema: { type: ['object', 'null'] },
      /** Likewise the example prompts of the document. */
      documentPrompts: { type: ['array', 'null'], items: text },
      /** The output schema of the version before, which the endpoint has no more. */
      former: {
        type: 'object',
        additionalProperties: false,
        required: ['version', 'outputSchema'],
        properties: { version: text, outputSchema: { type: 'object' } },
      },
      source: {
        type: 'object',
        additionalProperties: false,
        required: ['words', 'invocation', 'effective'],
        properties: {
          words,
          invocation,
          /** The fields with the overrides applied. */
          effective: words,
        },
      },
    },
  },
});

/** Carries all overrides of the operator, the fields of the source as they are now, and all example prompts. */
export const toolUpdated = eventType({
  type: 'ToolUpdatedEvent',
  aggregateType: 'Tool',
  version: 1,
  touches: 'itself',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['overrides', 'effective', 'examplePrompts', 'version'],
    properties: {
      overrides,
      effective: words,
      examplePrompts: { type: 'array', items: text },
      version: text,
      /**
       * Versions that wait and would be given to agents with these overrides: all that they are made of by now. Left out where
       * none says something else than before.
       */
      waiting: {
        type: 'array',
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['version', 'content'],
          properties: { version: text, content: versionContent },
        },
      },
    },
  },
});

/** The author of a tool without an endpoint gives it other schemas. */
export const toolRevised = eventType({
  type: 'ToolRevisedEvent',
  aggregateType: 'Tool',
  version: 1,
  touches: 'itself',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['inputSchema', 'outputSchema', 'version', 'change'],
    properties: {
      inputSchema: { type: 'object' },
      outputSchema: { type: ['object', 'null'] },
      version: text,
      change: changeMark,
    },
  },
});

const nothing = { type: 'object', additionalProperties: false } as const;

export const toolActivated = eventType({
  type: 'ToolActivatedEvent',
  aggregateType: 'Tool',
  version: 1,
  touches: 'itself',
  schema: nothing,
});

/** `name_taken`: the endpoint or its API came back and found another tool under the name. */
export const toolDeactivated = eventType({
  type: 'ToolDeactivatedEvent',
  aggregateType: 'Tool',
  version: 1,
  touches: 'itself',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['reason'],
    properties: { reason: { enum: ['operator', 'name_taken'] } },
  },
});

export const toolChangesAccepted = eventType({
  type: 'ToolChangesAcceptedEvent',
  aggregateType: 'Tool',
  version: 1,
  touches: 'itself',
  schema: nothing,
});

export type ToolPublished = EventOf<typeof toolPublished>;
export type ToolCreated = EventOf<typeof toolCreated>;
export type ToolRefreshed = EventOf<typeof toolRefreshed>;
export type ToolUpdated = EventOf<typeof toolUpdated>;

export type ToolEvent =
  | VersionEvent
  | ToolPublished
  | ToolCreated
  | ToolRefreshed
  | ToolUpdated
  | EventOf<typeof toolRevised>
  | EventOf<typeof toolActivated>
  | EventOf<typeof toolDeactivated>
  | EventOf<typeof toolChangesAccepted>;
