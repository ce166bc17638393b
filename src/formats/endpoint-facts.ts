import type { FromSchema } from 'json-schema-to-ts';
import { member, type Json } from '../documents/json.js';
import { canonicalJson, sha256Hex } from '../kernel/canonical-json.js';

const line = { type: 'string' } as const;
const lines = { type: 'array', items: line } as const;

/** `toolMetadata.routing`; further members are kept. */
export const routingFacts = {
  type: 'object',
  properties: {
    domain: line,
    category: line,
    semanticNamespace: line,
    semanticDescription: line,
    semanticKeywords: lines,
    targetPersonas: lines,
    sensitivityTier: line,
    semanticWeight: { type: 'number' },
    costTier: line,
    contextRequirements: {
      type: 'object',
      properties: { requiredInputs: lines, requiredContext: lines },
    },
    dependencies: {
      type: 'array',
      items: { type: 'object', required: ['endpoint'], properties: { endpoint: line, relation: line } },
    },
    fallbackEndpoint: line,
    /** Where each property of the input schema goes on the wire. */
    parameters: { type: 'object', additionalProperties: { type: 'object' } },
  },
} as const;

export const safetyFacts = {
  type: 'object',
  additionalProperties: false,
  properties: {
    readOnly: { type: 'boolean' },
    idempotent: { type: 'boolean' },
    destructive: { type: 'boolean' },
    humanApprovalRequired: { type: 'boolean' },
    approvalWorkflow: line,
  },
} as const;

/** A security scheme that a call needs, and the scopes that it needs of it, with what is known of them. */
export const scopeFacts = {
  type: 'object',
  additionalProperties: false,
  required: ['scheme', 'scopes'],
  properties: {
    scheme: line,
    scopes: lines,
    descriptions: { type: 'object', additionalProperties: line },
  },
} as const;

/**
 * The facts of an endpoint: what a format makes of an operation, what an event stores of it, what a layer says, and what
 * the layers come to when they are merged. A member left out is not said, which is not the same as empty.
 */
export const endpointFacts = {
  type: 'object',
  additionalProperties: false,
  properties: {
    method: line,
    path: line,
    inputSchema: { type: 'object' },
    /** A name fit for a tool. */
    name: line,
    /** The name that the source itself uses: operation id, tool name. */
    sourceName: line,
    title: line,
    description: line,
    /** For operators alone: no agent and no gateway is given it. Only the operator layer says it. */
    operatorDescription: line,
    outputSchema: { type: 'object' },
    sourceProtocol: line,
    lifecycleStatus: { enum: ['active', 'deprecated', 'retired'] },
    tags: lines,
    /** LightAPI's capability; its `group` is the first fallback of the domain. */
    capability: { type: 'object', properties: { group: line } },
    /** LightAPI's `endpointId`: what the tool is a reference of. */
    capabilityRef: line,
    /** LightAPI's operation, whole. */
    lightapi: { type: 'object' },
    /** Security requirements: any of the sets, all of a set; an empty set is an anonymous call. */
    scopes: { type: 'array', items: { type: 'array', items: scopeFacts } },
    routing: routingFacts,
    safety: safetyFacts,
    /** Members of the source worth keeping as they are. */
    extras: { type: 'object' },
  },
} as const;

export type EndpointFacts = FromSchema<typeof endpointFacts>;
export type RoutingFacts = FromSchema<typeof routingFacts>;
export type SafetyFacts = FromSchema<typeof safetyFacts>;
export type ScopeFacts = FromSchema<typeof scopeFacts>;

const safeVerbs = ['get', 'head', 'options', 'query', 'trace'];

/** What the verb alone promises (RFC 9110), in small letters; `call` promises nothing. */
export function safetyOfVerb(method: string): {
  readonly readOnly: boolean;
  readonly idempotent: boolean;
  readonly destructive: boolean;
} {
  const readOnly = safeVerbs.includes(method);
  const destructive = method === 'delete';
  return { readOnly, idempotent: readOnly || destructive || method === 'put', destructive };
}

/**
 * Reads safety as the annotations say it, with MCP's defaults (a tool that is not read-only is destructive) where one of
 * the three hints stands. A tool that says nothing about itself is neither.
 */
export function safetyOfHints(annotations: Json | undefined): ReturnType<typeof safetyOfVerb> {
  const hint = (name: string) => {
    const value = member(annotations, name);
    return typeof value === 'boolean' ? value : undefined;
  };
  const [readOnly, destructive, idempotent] = ['readOnlyHint', 'destructiveHint', 'idempotentHint'].map(hint);
  const speaks = [readOnly, destructive, idempotent].some((value) => value !== undefined);
  return {
    readOnly: readOnly ?? false,
    idempotent: readOnly === true || (idempotent ?? false),
    destructive: speaks && readOnly !== true && (destructive ?? true),
  };
}

/** The facts of one endpoint as text: the worker that read them passes them on so, and only changed ones are parsed. */
export interface EndpointOffer {
  /** The endpoint key. */
  readonly endpoint: string;
  /** Hex SHA-256 of the text: equal where nothing has changed. */
  readonly digest: string;
  /** RFC 8785 text of {@link EndpointFacts}. */
  readonly facts: string;
  /** What the catalog exported itself and nobody altered: nothing new where the endpoint is known. */
  readonly isOwnExport?: boolean;
}

export function endpointOffer(endpoint: string, said: EndpointFacts): EndpointOffer {
  const facts = canonicalJson(said);
  return { endpoint, digest: sha256Hex(facts), facts };
}

export function offeredFacts({ facts }: Pick<EndpointOffer, 'facts'>): EndpointFacts {
  return JSON.parse(facts) as EndpointFacts;
}
