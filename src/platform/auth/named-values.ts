import type { JSONSchema } from 'json-schema-to-ts';
import { Problem } from '../http/problem.js';
import { covers, type Caller } from './caller.js';

/** Names by which requests say whose records they are about. */
const compared = ['serviceId', 'envTag', 'agentDefId'] as const;

/** Where in a body such a name may stand: in the body itself, in an object of it, or in the objects of a list of it. */
export interface NamedPlaces {
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
  if (name === 'serviceId' && !covers(caller, named, null))
    throw notCovered('service_not_covered', 'sid', name);
  if (name === 'envTag' && !covers(caller, null, named))
    throw notCovered('environment_not_covered', 'env', name);
  if (name === 'agentDefId') checkAgent(caller, named);
}

/** A token with `agent_def_id` reaches no other agent: Problem 403. */
export function checkAgent(caller: Caller, agentDefId: string): void {
  if (caller.agentDefId !== undefined && caller.agentDefId !== agentDefId) {
    throw notCovered('agent_not_covered', 'agent_def_id', 'agentDefId');
  }
}

/** The request is about the host of the token: Problem 403 where it is not. */
export function checkHost(caller: Caller, hostId: string): void {
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

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
