/** What a call of a tool carries out, as its spec says it: a GraphQL operation, or calls of other tools. Pure. */
import type { Fault } from '../../documents/findings.js';
import { operationsOf } from '../../documents/graphql-operations.js';
import { below, entriesOf, type Json, type JsonObject } from '../../documents/json.js';

/** Texts in `variables` and `arguments` that are `$` and a name stand for a parameter, or the result of a step. */
export interface GraphqlCall {
  readonly operation: string;
  readonly operationName?: string;
  readonly variables?: JsonObject;
}

export interface CompositeCall {
  readonly steps: readonly { readonly id: string; readonly tool: string; readonly arguments?: JsonObject }[];
}

/** What of a spec says it. */
interface Calling {
  readonly inputSchema: JsonObject;
  readonly graphql: GraphqlCall | null;
  readonly composite: CompositeCall | null;
}

interface Call {
  readonly member: 'graphql' | 'composite';
  /** `composite`, or that of the GraphQL operation: `query`, `mutation`, `subscription`. */
  readonly kind: string | undefined;
  readonly value: object;
}

/** Undefined where the spec leaves it to who implements the tool. */
export function callOf({ graphql, composite }: Calling): Call | undefined {
  if (composite !== null) return { member: 'composite', kind: 'composite', value: composite };
  if (graphql === null) return undefined;
  const read = operationsOf(graphql.operation);
  const operations = typeof read === 'string' ? [] : read;
  const meant = operations.find(({ name }) => name === graphql.operationName) ?? operations[0];
  return { member: 'graphql', kind: meant?.kind, value: graphql };
}

/** What of the calls that a spec describes can't be carried out. */
export function callFaults({ inputSchema, graphql, composite }: Calling): (Fault & { rule: string })[] {
  const known = new Set(entriesOf(inputSchema['properties']).map(([name]) => name));
  const unknown = (value: Json | undefined, pointer: string): (Fault & { rule: string })[] =>
    referencesIn(value, pointer)
      .filter(([name]) => !known.has(name))
      .map(([name, at]) => ({
        ...{ rule: 'reference', pointer: at },
        detail: `$${name} is no parameter, nor a step before; the parameters are ${[...known].join(', ') || 'none'}`,
      }));
  const found =
    graphql === null
      ? []
      : [...operationFaults(graphql), ...unknown(graphql.variables, '/graphql/variables')];
  if (graphql !== null && composite !== null) {
    found.push({
      rule: 'two_calls',
      pointer: '/composite',
      detail: 'is left out where there is graphql, or the other way round',
    });
  }
  for (const [place, { id, arguments: given }] of (composite?.steps ?? []).entries()) {
    found.push(...unknown(given, below('/composite/steps', place, 'arguments')));
    if (known.has(id)) {
      const detail = `${id} is a parameter or a step already`;
      found.push({ rule: 'step_twice', pointer: below('/composite/steps', place, 'id'), detail });
    }
    known.add(id);
  }
  return found;
}

function operationFaults({ operation, operationName }: GraphqlCall): (Fault & { rule: string })[] {
  const pointer = '/graphql/operation';
  const read = operationsOf(operation);
  if (typeof read === 'string') return [{ rule: 'graphql', pointer, detail: read }];
  const meant = read.filter(({ name }) => operationName === undefined || name === operationName);
  if (meant.length === 1) return [];
  const names = read.map(({ name }) => name ?? '(no name)').join(', ') || 'none';
  return [
    {
      rule: 'graphql',
      pointer,
      detail: `must have one operation, or operationName says which: it has ${names}`,
    },
  ];
}

/** Names after `$`, each with its place. */
function referencesIn(value: Json | undefined, pointer: string): [name: string, pointer: string][] {
  if (typeof value === 'string') {
    const [, name] = /^\$([A-Za-z_][A-Za-z0-9_]*)(?:\.|$)/.exec(value) ?? [];
    return name === undefined ? [] : [[name, pointer]];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => referencesIn(member, below(pointer, key)));
}
