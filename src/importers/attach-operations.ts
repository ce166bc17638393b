import {
  type EndpointFacts,
  endpointOffer,
  type EndpointOffer,
  type EnrichingOperation,
  type Enrichment,
} from '../formats/shared.js';
import type { EndpointNames } from '../endpoints/public.js';
import type { DocumentWarning } from '../documents/findings.js';

/** The facts of an enriching document about endpoints, layer by layer. */
export interface Attached {
  /** Facts of the operations that it describes. */
  readonly own: readonly EndpointOffer[];
  /** Facts that hold for every endpoint of the API. */
  readonly inherited: readonly EndpointOffer[];
  readonly warnings: readonly DocumentWarning[];
}

/**
 * Finds the endpoint of each operation: by the key that it names, by operation id, by method and path, by tool name. An
 * operation without one becomes an endpoint under the key that it names, or else its own; it can't be called before its source
 * is imported. In a version that has no other source (`isSource`) each operation is its own endpoint.
 */
export function attachOperations(
  { operations, inherited, wholeApi, exportedFrom }: Enrichment,
  known: readonly EndpointNames[],
  { apiVersionId, isSource }: { readonly apiVersionId: string; readonly isSource: boolean },
): Attached {
  const warnings: DocumentWarning[] = [];
  const find = isSource ? () => undefined : finder(known);
  const attached = new Map<string, EnrichingOperation>();
  for (const operation of operations) {
    const found = find(operation);
    const endpoint = found ?? (isSource ? operation.key : (operation.named ?? operation.key));
    if (attached.has(endpoint)) warnings.push(twice(operation, endpoint));
    else attached.set(endpoint, operation);
    if (!isSource && found === undefined) warnings.push(unattached(operation, endpoint));
    if (isSource && operation.unfilled.length > 0) warnings.push(uncallable(operation));
  }
  const keyOf = referencesTo(attached, known);
  const own = [...attached].map(([endpoint, operation]) => ({
    ...endpointOffer(endpoint, resolved(operation.facts, keyOf)),
    isOwnExport: operation.exportedFrom === apiVersionId,
  }));
  const isOwnExport = exportedFrom === apiVersionId;
  const others = wholeApi ? known.filter(({ endpoint }) => !attached.has(endpoint)) : [];
  return {
    own,
    inherited: [
      ...[...attached].map(([endpoint, operation]) =>
        endpointOffer(endpoint, resolved(operation.inherited, keyOf)),
      ),
      ...others.map(({ endpoint }) => endpointOffer(endpoint, resolved(inherited, keyOf))),
    ].map((offer) => ({ ...offer, isOwnExport })),
    warnings,
  };
}

function finder(known: readonly EndpointNames[]): (operation: EnrichingOperation) => string | undefined {
  const keys = new Set(known.map(({ endpoint }) => endpoint));
  const isCall = ({ endpoint }: EndpointNames): boolean => endpoint.endsWith('@call');
  const all = namesIn(known);
  const alike = { http: namesIn(known.filter((each) => !isCall(each))), call: namesIn(known.filter(isCall)) };
  return ({ named, called, operationId, isHttp }) => {
    // A gateway may list a tool under the name of an operation of the source.
    const own = isHttp ? alike.http : alike.call;
    return [
      ...[named, own.bySource.get(operationId), called, all.bySource.get(operationId)],
      ...[own.byName.get(operationId), all.byName.get(operationId)],
    ].find((key) => key !== undefined && keys.has(key));
  };
}

function namesIn(known: readonly EndpointNames[]) {
  return {
    bySource: unique(known, ({ sourceName }) => sourceName),
    byName: unique(known, ({ name }) => name),
  };
}

/** Leaves out names that several endpoints share. */
function unique(
  known: readonly EndpointNames[],
  nameOf: (names: EndpointNames) => string | null,
): ReadonlyMap<string, string | undefined> {
  const byName = new Map<string, string | undefined>();
  for (const names of known) {
    const name = nameOf(names);
    if (name !== null) byName.set(name, byName.has(name) ? undefined : names.endpoint);
  }
  return byName;
}

/** Documents refer to operations by their ids; the catalog refers to endpoints by their keys. */
function referencesTo(
  attached: ReadonlyMap<string, EnrichingOperation>,
  known: readonly EndpointNames[],
): (reference: string) => string {
  const keys = new Map<string, string | undefined>(unique(known, ({ sourceName }) => sourceName));
  for (const [endpoint, { operationId, key }] of attached) keys.set(operationId, endpoint).set(key, endpoint);
  return (reference) => keys.get(reference) ?? reference;
}

function resolved(facts: EndpointFacts, keyOf: (reference: string) => string): EndpointFacts {
  const { routing } = facts;
  if (routing === undefined) return facts;
  const { dependencies, fallbackEndpoint } = routing;
  return {
    ...facts,
    routing: {
      ...routing,
      ...(dependencies !== undefined && {
        dependencies: dependencies.map((each) => ({ ...each, endpoint: keyOf(each.endpoint) })),
      }),
      ...(fallbackEndpoint !== undefined && { fallbackEndpoint: keyOf(fallbackEndpoint) }),
    },
  };
}

function unattached({ operationId }: EnrichingOperation, endpoint: string): DocumentWarning {
  const detail = `The version has no endpoint that the operation ${operationId} speaks of; it is kept as ${endpoint}. Import the source of the API, and this document again.`;
  return { code: 'operation_unattached', pointer: '/operations', detail };
}

function twice({ operationId }: EnrichingOperation, endpoint: string): DocumentWarning {
  const detail = `The operation ${operationId} speaks of ${endpoint}, as another does; it was left out.`;
  return { code: 'operation_skipped', pointer: '/operations', detail };
}

function uncallable({ operationId, unfilled }: EnrichingOperation): DocumentWarning {
  const detail = `Nothing says what goes into {${unfilled.join('}, {')}} of the path of ${operationId}, so it can't be called. Declare it in input.schema.properties, or place it with request.path.`;
  return { code: 'operation_uncallable', pointer: '/operations', detail };
}
