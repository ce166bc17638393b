import { eventType, type EventOf } from '../eventsourcing/event-type.js';

/** How far a definition has come: only forward. */
export const lifecycleStatuses = ['DRAFT', 'PUBLISHED', 'DEPRECATED'] as const;
export type LifecycleStatus = (typeof lifecycleStatuses)[number];

const text = { type: 'string' } as const;
const words = {
  namespace: text,
  name: text,
  /** Semantic version, given by the author. */
  version: text,
  /** YAML, byte for byte as it was written. */
  definition: text,
  /** What the definition says of tools, as it was read when it was saved. */
  toolCalls: {
    type: 'array',
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['path', 'by', 'value', 'dependency'],
      properties: {
        path: text,
        by: { enum: ['name', 'capabilityRef', 'endpoint', 'toolId'] },
        value: text,
        dependency: { enum: ['future', 'external', null] },
      },
    },
  },
  /** What could not be told of it, or is odd. */
  warnings: {
    type: 'array',
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['path', 'code', 'message'],
      properties: { path: text, code: text, message: text },
    },
  },
} as const;

/** A draft. */
export const workflowDefinitionCreated = eventType({
  type: 'WorkflowDefinitionCreatedEvent',
  aggregateType: 'WorkflowDefinition',
  version: 1,
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['namespace', 'name', 'version', 'definition', 'toolCalls', 'warnings'],
    properties: words,
  },
});

/** Of a draft. Carries what has changed, as it is after the change. */
export const workflowDefinitionUpdated = eventType({
  type: 'WorkflowDefinitionUpdatedEvent',
  aggregateType: 'WorkflowDefinition',
  version: 1,
  schema: { type: 'object', additionalProperties: false, minProperties: 1, properties: words },
});

/** From here on nothing of it changes. */
export const workflowDefinitionPublished = eventType({
  type: 'WorkflowDefinitionPublishedEvent',
  aggregateType: 'WorkflowDefinition',
  version: 1,
  schema: { type: 'object', additionalProperties: false },
});

export const workflowDefinitionDeprecated = eventType({
  type: 'WorkflowDefinitionDeprecatedEvent',
  aggregateType: 'WorkflowDefinition',
  version: 1,
  schema: { type: 'object', additionalProperties: false },
});

export const workflowDefinitionActivated = eventType({
  type: 'WorkflowDefinitionActivatedEvent',
  aggregateType: 'WorkflowDefinition',
  version: 1,
  schema: { type: 'object', additionalProperties: false },
});

export const workflowDefinitionDeactivated = eventType({
  type: 'WorkflowDefinitionDeactivatedEvent',
  aggregateType: 'WorkflowDefinition',
  version: 1,
  schema: { type: 'object', additionalProperties: false },
});

export type WorkflowWords = EventOf<typeof workflowDefinitionCreated>['data'];
export type WorkflowEvent =
  | EventOf<typeof workflowDefinitionCreated>
  | EventOf<typeof workflowDefinitionUpdated>
  | EventOf<typeof workflowDefinitionPublished>
  | EventOf<typeof workflowDefinitionDeprecated>
  | EventOf<typeof workflowDefinitionActivated>
  | EventOf<typeof workflowDefinitionDeactivated>;
