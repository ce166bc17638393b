import type { FastifyRequest } from 'fastify';
import type { JSONSchema } from 'json-schema-to-ts';
import { isObject } from '../../../packages/schema-reading/keywords.js';
import type { OperationSpec } from '../http/operation.js';
import { Problem } from '../http/problem.js';
import { covers, isNarrowedCaller, type Caller, type Scope } from './caller.js';
import { refuseConfined, requireScope, satisfies } from './claims.js';

/** The claim checks of one route; made once when the route is declared (docs/contract.md, section 2). */
interface Admission {
  /** Checks host, scope, and the names in path and query, before the body is read: Problem 403. */
  readonly byPath: (caller: Caller, request: FastifyRequest) => void;
  /** Checks the names in the body: Problem 403; 400 where a token of `catalog:agent` without `agent_def_id` names no agent. */
  readonly byBody: (caller: Caller, request: FastifyRequest) => void;
}

export function admission({ scope, query, body, confined }: OperationSpec): Admission {
  const wanted = typeof scope === 'string' ? [scope] : scope;
  const anyOf = wanted.filter((each): each is Scope => each !== 'none');
  const inQuery = namedPlaces(query);
  const inBody = namedPlaces(body);
  return {
    byPath: (caller, { params, query: given }) => {
      const { hostId, agentDefId } = params as Readonly<Record<string, string | undefined>>;
      if (hostId !== undefined) checkHost(caller, hostId);
      requireScope(caller, ...anyOf);
      if (confined === 'refused') refuseNarrowed(caller);
      if (agentDefId !== undefined) checkAgent(caller, agentDefId);
      checkNamed(caller, inQuery, given);
    },
    byBody: (caller, request) => {
      checkNamed(caller, inBody, request.body);
      if (needsAgent(caller, anyOf) && !namesAgent(request)) {
        throw new Problem(400, 'agent_required', 'Name the agent: this token has no agent_def_id.');
      }
    },
  };
}

/** Refuses a token that is narrowed to an agent or a tier, where records of every kind and tier are read: 403. */
export function refuseNarrowed(caller: Caller): void {
  refuseConfined(caller);
  if (isNarrowedCaller(caller)) {
    throw new Problem(
      403,
      'confined_token',
      'A token with maxSensitivityTier does not read this: it holds every tier.',
    );
  }
}

/** Whether the caller must name an agent: it has only `catalog:agent`, and its token is no agent's own. */
function needsAgent(caller: Caller, anyOf: readonly Scope[]): boolean {
  if (caller.agentDefId !== undefined || !anyOf.includes('catalog:agent')) return false;
  const others = anyOf.filter((scope) => scope !== 'catalog:agent');
  return !others.some((scope) => satisfies(caller, scope));
}

function namesAgent({ params, query, body }: FastifyRequest): boolean {
  return [params, query, body].some(
    (part) => typeof part === 'object' && part !== null && Object.hasOwn(part, 'agentDefId'),
  );
}

/** Members of requests that are compared with the token. */
const compared = ['serviceId', 'envTag', 'agentDefId'] as const;

/** Where in a body such a name may stand: in the body itself, in an object of it, or in the objects of a list of it. */
interface NamedPlaces {
  /** At the top. */
  readonly top: readonly string[];
  /** Member of the body to names in it. */
  readonly below: Readonly<Record<string, readonly string[]>>;
}

/** The places that a schema declares, so that free-form members are not mistaken for them. */
export function namedPlaces(schema: JSONSchema | undefined): NamedPlaces {
  const properties = propertiesOf(schema);
  const below: Record<string, readonly string[]> = {};
  for (const [name, property] of Object.entries(properties)) {
    const names = Object.keys(propertiesOf(property)).filter(isCompared);
    if (names.length > 0) below[name] = names;
  }
  return { top: Object.keys(properties).filter(isCompared), below };
}

/**
 * Compares what a request names with what the token covers, before any database is asked: Problem 403 where it
 * does not. A value of another type than text is left to validation.
 */
export function checkNamed(caller: Caller, places: NamedPlaces, value: unknown): void {
  if (!isObject(value)) return;
  checkNames(caller, places.top, value);
  for (const [member, names] of Object.entries(places.below)) {
    const inner = Object.hasOwn(value, member) ? value[member] : undefined;
    for (const item of Array.isArray(inner) ? (inner as readonly unknown[]) : [inner]) {
      if (isObject(item)) checkNames(caller, names, item);
    }
  }
}

function checkNames(
  caller: Caller,
  names: readonly string[],
  value: Readonly<Record<string, unknown>>,
): void {
  for (const name of names) {
    const named = Object.hasOwn(value, name) ? value[name] : undefined;
    if (typeof named === 'string') checkName(caller, name, named.trim());
  }
}

function checkName(caller: Caller, name: string, named: string): void {
  if (name === 'serviceId') checkService(caller, named, name);
  if (name === 'envTag' && !covers(caller, null, named))
    throw notCovered('environment_not_covered', 'env', name);
  if (name === 'agentDefId') checkAgent(caller, named);
}

/** The service, called so by the request, is one of the token: Problem 403 where it is not. */
export function checkService(caller: Caller, serviceId: string, name: string): void {
  if (!covers(caller, serviceId, null)) throw notCovered('service_not_covered', 'sid', name);
}

/** A token with `agent_def_id` reaches no other agent: Problem 403. */
export function checkAgent(caller: Caller, agentDefId: string): void {
  if (caller.agentDefId !== undefined && caller.agentDefId !== agentDefId) {
    throw notCovered('agent_not_covered', 'agent_def_id', 'agentDefId');
  }
}

/** The request is about the host of the token: Problem 403 where it is not. */
function checkHost(caller: Caller, hostId: string): void {
  if (caller.hostId !== hostId) throw notCovered('host_not_covered', 'host', 'hostId');
}

function notCovered(code: string, claim: string, name: string): Problem {
  return new Problem(403, code, `The token's claim ${claim} does not cover the ${name} of this request.`);
}

function isCompared(name: string): boolean {
  return compared.some((each) => each === name);
}

function propertiesOf(schema: unknown): Readonly<Record<string, unknown>> {
  if (!isObject(schema)) return {};
  const { properties, items } = schema;
  return isObject(properties) ? properties : propertiesOf(items);
}
