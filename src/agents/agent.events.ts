import { eventType, type EventOf } from '../eventsourcing/event-type.js';

const word = { type: ['string', 'null'] } as const;
const list = { type: 'array', items: { type: 'string' } } as const;
const profile = {
  modelProvider: word,
  modelName: word,
  temperature: { type: ['number', 'null'] },
  /** Most tokens of one answer of the model. */
  maxTokens: { type: ['integer', 'null'] },
  personas: list,
  maxSensitivityTier: { enum: ['public', 'internal', 'confidential', 'restricted'] },
  gatewayIds: list,
  domains: list,
  semanticNamespaces: list,
} as const;

/** An API version of type `agent` gets its profile; the aggregate id is the version's. */
export const agentDefinitionCreated = eventType({
  type: 'AgentDefinitionCreatedEvent',
  aggregateType: 'AgentDefinition',
  version: 1,
  schema: {
    type: 'object',
    additionalProperties: false,
    required: [
      'modelProvider',
      'modelName',
      'temperature',
      'maxTokens',
      'personas',
      'maxSensitivityTier',
      'gatewayIds',
      'domains',
      'semanticNamespaces',
    ],
    properties: profile,
  },
});

/** Carries what has changed, as it is after the change. */
export const agentDefinitionUpdated = eventType({
  type: 'AgentDefinitionUpdatedEvent',
  aggregateType: 'AgentDefinition',
  version: 1,
  schema: { type: 'object', additionalProperties: false, minProperties: 1, properties: profile },
});

const nothing = { type: 'object', additionalProperties: false } as const;

/** The agent is given nothing any more; profile and assignments stay. */
export const agentDeactivated = eventType({
  type: 'AgentDeactivatedEvent',
  aggregateType: 'AgentDefinition',
  version: 1,
  schema: nothing,
});

export const agentActivated = eventType({
  type: 'AgentActivatedEvent',
  aggregateType: 'AgentDefinition',
  version: 1,
  schema: nothing,
});

export type AgentProfile = EventOf<typeof agentDefinitionCreated>['data'];
export type AgentDefinitionEvent =
  | EventOf<typeof agentDefinitionCreated>
  | EventOf<typeof agentDefinitionUpdated>
  | EventOf<typeof agentDeactivated>
  | EventOf<typeof agentActivated>;
