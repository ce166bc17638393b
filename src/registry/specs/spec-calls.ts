import type { Fault } from '../../documents/findings.js';
import { below, entriesOf, type Json, type JsonObject } from '../../documents/json.js';
import { readOperation } from '../../formats/shared.js';
import type { GraphqlCall } from '../calls/graphql-call.js';
import { referencesIn } from '../calls/template.js';

export interface CompositeCall {
  readonly steps: readonly { readonly id: string; readonly tool: string; readonly arguments?: JsonObject }[];
}

/** What of a spec says it. */
interface Calling {
  readonly annotations: { readonly readOnlyHint?: boolean };
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
  const read = readOperation(graphql);
  return { member: 'graphql', kind: typeof read === 'string' ? undefined : read.kind, value: graphql };
}

export function callFaults({
  inputSchema,
  graphql,
  composite,
  annotations,
}: Calling): (Fault & { rule: string })[] {
  const known = new Set(entriesOf(inputSchema['properties']).map(([name]) => name));
  const unknown = (value: Json | undefined, pointer: string): (Fault & { rule: string })[] =>
    referencesIn(value, pointer)
      .filter(({ name }) => !known.has(name))
      .map(({ name, pointer: at }) => ({
        ...{ rule: 'reference', pointer: at },
        detail: `$${name} is no parameter, nor a step before; the parameters are ${[...known].join(', ') || 'none'}`,
      }));
  const found =
    graphql === null
      ? []
      : [...operationFaults(graphql, annotations), ...unknown(graphql.variables, '/graphql/variables')];
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

function operationFaults(
  graphql: GraphqlCall,
  { readOnlyHint }: Calling['annotations'],
): (Fault & { rule: string })[] {
  const read = readOperation(graphql);
  if (typeof read === 'string') return [{ rule: 'graphql', pointer: '/graphql/operation', detail: read }];
  if (read.kind !== 'mutation' || readOnlyHint !== true) return [];
  return [
    {
      rule: 'graphql',
      pointer: '/annotations/readOnlyHint',
      detail: 'is false: a mutation changes something',
    },
  ];
}
