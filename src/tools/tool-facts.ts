import type { FromSchema } from 'json-schema-to-ts';
import { changeGrades } from '../endpoints/change-grade.js';
import { routingFacts, safetyFacts } from '../formats/endpoint-facts.js';

/** What the events of tools are made of. */

export const text = { type: 'string' } as const;
export const orNull = { type: ['string', 'null'] } as const;
const json = { type: 'object' } as const;

export const lifecycleStatuses = ['active', 'deprecated', 'retired'] as const;
export const scriptTypes = ['java', 'python', 'javascript'] as const;

/** The words of a tool, as its endpoint or its author has them: what an operator may say over. */
export const words = {
  type: 'object',
  additionalProperties: false,
  required: ['description', 'routing', 'safety', 'lifecycleStatus'],
  properties: {
    description: text,
    routing: routingFacts,
    safety: { ...safetyFacts, required: ['readOnly', 'idempotent', 'destructive', 'humanApprovalRequired'] },
    lifecycleStatus: { enum: lifecycleStatuses },
  },
} as const;

/** What nobody may say over. The output schema of an endpoint's tool is the endpoint's and not repeated here. */
export const invocation = {
  type: 'object',
  additionalProperties: false,
  required: ['inputSchema', 'sourceProtocol', 'capabilityRef'],
  properties: { inputSchema: json, sourceProtocol: orNull, capabilityRef: orNull },
} as const;

/** What an operator said of the tool itself; it wins over everything beneath. */
export const overrides = {
  type: 'object',
  additionalProperties: false,
  properties: {
    description: text,
    /** For operators alone. */
    operatorDescription: text,
    routing: routingFacts,
    safety: safetyFacts,
    lifecycleStatus: { enum: lifecycleStatuses },
  },
} as const;

/** What changed beneath since an operator last accepted: field (dot path) to its value, null where there was none. */
export const changeMark = {
  type: ['object', 'null'],
  additionalProperties: false,
  required: ['grade', 'fields', 'before', 'after'],
  properties: {
    /** The worst of `grades`. */
    grade: { enum: changeGrades },
    fields: { type: 'array', items: text },
    /** Of each field; left out by older marks. */
    grades: { type: 'object', additionalProperties: { enum: changeGrades } },
    /** Fields whose change is suspicious, whether or not it breaks as well; left out by older marks. */
    suspicious: { type: 'array', items: text },
    /** Of a tool without an endpoint: the setting of the host withholds it meanwhile. Others have that of their API version. */
    quarantine: { const: true },
    before: json,
    after: json,
  },
} as const;

export type ToolWords = FromSchema<typeof words>;
export type ToolInvocation = FromSchema<typeof invocation>;
export type ToolOverrides = FromSchema<typeof overrides>;
export type ChangeMark = NonNullable<FromSchema<typeof changeMark>>;
