import { isObject } from '../../documents/json.js';
import { tierOf } from '../../platform/auth/sensitivity-tier.js';
import { type RoutingFacts, sealed } from '../../formats/shared.js';
import type { EffectiveFacts } from '../endpoint/endpoint.effective.js';

/** An endpoint to export. */
export interface ExportedEndpoint {
  /** The endpoint key. */
  readonly endpoint: string;
  readonly facts: EffectiveFacts;
}

/** The API version that is exported. */
export interface ExportedVersion {
  readonly apiVersionId: string;
  readonly apiId: string;
  readonly apiName: string;
  readonly apiVersion: string;
  readonly apiDesc: string | null;
  /** A type that LightAPI knows as a source, or `graphql` or `grpc`. */
  readonly apiType: string;
  readonly formatVersion: string | null;
}

type Json = Record<string, unknown>;

/**
 * Renders the effective facts of the endpoints as LightAPI 0.1.0, over the operations of an imported LightAPI document, where
 * there was one. References to other parts of that document (`server`, `authentication`) are left out.
 */
export function lightApiOf(version: ExportedVersion, endpoints: readonly ExportedEndpoint[]): Json {
  const namespace = fit(version.apiId);
  const operations = new Map<string, Json>();
  for (const endpoint of endpoints) {
    const name = operations.has(endpoint.facts.name) ? endpoint.endpoint : endpoint.facts.name;
    operations.set(name, sealed(operationOf(name, endpoint, namespace), version.apiVersionId));
  }
  const info = {
    ...{ title: version.apiName || version.apiId, namespace, version: version.apiVersion },
    ...(version.apiDesc !== null && { description: version.apiDesc }),
  };
  return {
    lightapi: '0.1.0',
    info: sealed(info, version.apiVersionId),
    sources: {
      api: {
        type: sourceTypes[version.apiType] ?? version.apiType,
        version: version.formatVersion || version.apiVersion,
      },
    },
    operations: Object.fromEntries(operations),
  };
}

const sourceTypes: Readonly<Record<string, string>> = { grpc: 'protobuf', graphql: 'http' };

const endpointIds = /^[A-Za-z0-9._-]+\/[A-Za-z0-9._-]+$/;
const fit = (name: string): string => name.replace(/[^A-Za-z0-9._-]+/g, '-') || '-';

function operationOf(name: string, { endpoint, facts }: ExportedEndpoint, namespace: string): Json {
  const { server: _server, authentication: _authentication, ...said } = facts.lightapi ?? {};
  const endpointId = [facts.capabilityRef ?? '', endpoint].find((id) => endpointIds.test(id));
  return {
    ...said,
    endpointId: endpointId ?? `${namespace}/${fit(name)}`,
    operationId: facts.sourceName ?? name,
    ...(facts.title !== undefined && { summary: facts.title }),
    ...(facts.description !== '' && { description: facts.description }),
    ...(facts.sourceProtocol !== 'lightapi' && calledBy(facts)),
    input: { ...asJson(said['input']), schema: inPlace(facts.inputSchema, name, 'input') },
    ...((facts.outputSchema ?? said['result']) !== undefined && { result: resultOf(facts, name, said) }),
    visibility: visibilityOf(facts.routing.sensitivityTier),
    lifecycle: facts.lifecycleStatus,
    ...(facts.tags.length > 0 && { tags: facts.tags }),
    safety: {
      ...asJson(said['safety']),
      destructive: facts.safety.destructive,
      requiresConfirmation: facts.safety.humanApprovalRequired,
    },
    idempotency: { ...asJson(said['idempotency']), safeToRetry: facts.safety.idempotent },
    metadata: { ...asJson(said['metadata']), portalEndpoint: endpoint, routing: routingOf(facts, said) },
  };
}

function resultOf({ outputSchema }: EffectiveFacts, name: string, said: Json): Json {
  const result = asJson(said['result']);
  return outputSchema === undefined ? result : { ...result, schema: inPlace(outputSchema, name, 'result') };
}

/** How the source is called, in the terms of its protocol. */
function calledBy({ sourceProtocol, method, path, routing }: EffectiveFacts): Json {
  if (sourceProtocol === 'mcp') return { protocol: 'mcp', kind: 'tool', name: path };
  if (sourceProtocol === 'openrpc') return { protocol: 'openrpc', source: 'api', method: path };
  if (sourceProtocol === 'grpc') {
    const cut = path.lastIndexOf('/');
    return {
      protocol: 'grpc',
      source: 'api',
      service: path.slice(0, Math.max(cut, 0)),
      method: path.slice(cut + 1),
    };
  }
  if (method === 'call') return { protocol: 'http', source: 'api' };
  const request = requestOf(routing);
  return {
    protocol: 'http',
    source: 'api',
    method: method.toUpperCase(),
    endpoint: path,
    ...(request && { request }),
  };
}

const places: Readonly<Record<string, string>> = {
  path: 'path',
  query: 'query',
  header: 'headers',
  cookie: 'cookies',
  body: 'body',
};

/** Renders where each argument goes, as expressions. */
function requestOf({ parameters = {} }: RoutingFacts): Json | undefined {
  const request: Record<string, Record<string, string>> = {};
  for (const [input, route] of Object.entries(parameters)) {
    const { in: location, name } = route as { readonly in?: string; readonly name?: string };
    const place = places[location ?? ''];
    if (place === undefined || name === undefined || name === '') continue;
    request[place] = { ...request[place], [name]: `\${input.${input}}` };
  }
  return Object.keys(request).length === 0 ? undefined : request;
}

/** LightAPI has no word for confidential; `metadata.routing` says it. */
function visibilityOf(tier: string | undefined): string {
  const said = tierOf(tier);
  return said === 'confidential' ? 'restricted' : said;
}

/** Members of routing that LightAPI has no place for. */
const routingMembers = [
  'domain',
  'category',
  'semanticNamespace',
  'semanticDescription',
  'semanticKeywords',
  'targetPersonas',
  'sensitivityTier',
  'semanticWeight',
  'costTier',
  'contextRequirements',
  'fallbackEndpoint',
] as const satisfies readonly (keyof RoutingFacts)[];

/** Metadata of the export for what LightAPI has no place for, without dependencies that `relatedOperations` gives already. */
function routingOf({ routing, safety }: EffectiveFacts, said: Json): Json {
  const related = asJson(asJson(said['agent'])['skill'])['relatedOperations'] !== undefined;
  const dependencies = (routing.dependencies ?? []).filter(
    ({ relation }) => !related || relation !== 'related',
  );
  const { readOnly, approvalWorkflow } = safety;
  return {
    ...Object.fromEntries(
      routingMembers.flatMap((name) => (routing[name] === undefined ? [] : [[name, routing[name]]])),
    ),
    ...(dependencies.length > 0 && { dependencies }),
    readOnly,
    ...(approvalWorkflow !== undefined && { approvalWorkflow }),
  };
}

/** Keywords that hold values, and those whose members are named by the author. */
const values: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples', 'example']);
const nameMaps: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'dependentSchemas',
]);

/** The schema with its references leading to where it stands in the document. */
function inPlace(schema: Json, operation: string, part: string): unknown {
  const step = operation.replaceAll('~', '~0').replaceAll('/', '~1');
  const base = `#/operations/${encodeURI(step)}/${part}/schema`;
  const move = (value: unknown, names = false): unknown => {
    if (Array.isArray(value)) return value.map((item) => move(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]: [string, unknown]) => {
        if (!names && values.has(name)) return [name, member];
        const refers = !names && name === '$ref' && typeof member === 'string' && member.startsWith('#');
        return [name, refers ? base + member.slice(1) : move(member, !names && nameMaps.has(name))];
      }),
    );
  };
  return move(schema);
}

const asJson = (value: unknown): Json => (isObject(value) ? value : {});
