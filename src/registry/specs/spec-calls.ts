import type { Fault } from '../../documents/findings.js';
import type { JsonObject } from '../../documents/json.js';
import { readOperation } from '../../formats/shared.js';
import { compositeFaults, referenceFaults, type CompositeCall } from '../calls/composite-call.js';
import type { GraphqlCall } from '../calls/graphql-call.js';
import { parameterNames } from '../calls/narrowed-schema.js';

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
  /** What it may carry out, each once: the API, and the key of the endpoint or of the field at the root of the operation. */
  readonly operations: readonly string[];
  readonly value: object;
}

/** Undefined where the spec leaves it to who implements the tool. */
export function callOf({ graphql, composite }: Calling): Call | undefined {
  if (composite !== null) {
    const steps = composite.alternatives.flatMap((alternative) => alternative.steps);
    const operations = steps.flatMap(({ graphql: asked, endpoint: called }) => [
      ...(asked === undefined ? [] : operationsOf(asked)),
      ...(called === undefined ? [] : [operationAt(called.api, called.endpoint)]),
    ]);
    return { member: 'composite', kind: 'composite', operations, value: composite };
  }
  if (graphql === null) return undefined;
  const read = readOperation(graphql);
  const kind = typeof read === 'string' ? undefined : read.kind;
  return { member: 'graphql', kind, operations: operationsOf(graphql), value: graphql };
}

function operationsOf(call: GraphqlCall): readonly string[] {
  const read = readOperation(call);
  return typeof read === 'string' ? [] : read.endpoints.map((key) => operationAt(call.api, key));
}

/** Whatever version of the API. */
function operationAt(api: string, key: string): string {
  return `${api.replace(/@.*/, '')} ${key}`;
}

export function callFaults({
  inputSchema,
  graphql,
  composite,
  annotations,
}: Calling): (Fault & { rule: string })[] {
  const parameters = parameterNames(inputSchema);
  const none: ReadonlySet<string> = new Set();
  const found =
    graphql === null
      ? []
      : [
          ...operationFaults(graphql, annotations),
          ...referenceFaults(graphql.variables, '/graphql/variables', {
            parameters,
            before: none,
            all: none,
          }),
        ];
  if (graphql !== null && composite !== null) {
    found.push({
      rule: 'two_calls',
      pointer: '/composite',
      detail: 'is left out where there is graphql, or the other way round',
    });
  }
  return composite === null ? found : [...found, ...compositeFaults(composite, { inputSchema, annotations })];
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
