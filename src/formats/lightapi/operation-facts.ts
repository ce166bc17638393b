import type { WarningSink } from '../../documents/findings.js';
import {
  below,
  entriesOf,
  isObject,
  listMember,
  member,
  objectMember,
  textMember,
  textsOf,
  type Json,
  type JsonObject,
} from '../../documents/json.js';
import type { EndpointFacts, RoutingFacts, SafetyFacts } from '../endpoint-facts.js';
import { saidFacts, type ParameterRoute, type ReadContext } from '../format.js';
import { approvalWorkflowOf, routingMetadata } from '../routing-metadata.js';
import { SchemaCopier } from '../schema/copier.js';
import { SchemaSource } from '../schema/source.js';
import { standalone } from '../schema/standalone.js';

/**
 * What an operation says of its meaning, as a layer takes it. Visibility is the tier of the same name, unless
 * `metadata.routing` names one; `requiresConfirmation` asks for a human's approval; `safeToRetry` is idempotent. A
 * draft says nothing of the lifecycle: what is called is the source's.
 */
export function meaningOf(operation: JsonObject, pointer: string, warnings: WarningSink): EndpointFacts {
  const summary = textMember(operation, 'summary');
  const extras = objectMember(operation['metadata'], 'routing') ?? {};
  return saidFacts({
    title: summary,
    description: textMember(operation, 'description') ?? summary,
    lifecycleStatus: lifecycles.find((status) => status === operation['lifecycle']),
    tags: [...textsOf(operation, 'tags')],
    capability: objectMember(operation, 'capability'),
    capabilityRef: textMember(operation, 'endpointId'),
    routing: routingOf(operation, extras, pointer, warnings),
    safety: safetyOf(operation, extras),
    lightapi: operation,
  });
}

const lifecycles = ['active', 'deprecated', 'retired'] as const;

function routingOf(
  operation: JsonObject,
  extras: JsonObject,
  pointer: string,
  warnings: WarningSink,
): RoutingFacts {
  const visibility = textMember(operation, 'visibility');
  const related = textsOf(objectMember(operation['agent'], 'skill'), 'relatedOperations');
  const said = routingMetadata(extras, below(pointer, 'metadata', 'routing'), warnings);
  const dependencies = [
    ...(said.dependencies ?? []),
    ...related.map((endpoint) => ({ endpoint, relation: 'related' })),
  ];
  return {
    ...(visibility !== undefined && { sensitivityTier: visibility }),
    ...said,
    ...(dependencies.length > 0 && { dependencies }),
  };
}

function safetyOf(operation: JsonObject, extras: JsonObject): SafetyFacts {
  const said = objectMember(operation, 'safety');
  const flag = (name: keyof SafetyFacts, ...values: unknown[]) => {
    const value = values.find((candidate) => typeof candidate === 'boolean');
    return value === undefined ? {} : { [name]: value };
  };
  const approvalWorkflow = approvalWorkflowOf(extras);
  return {
    ...flag('readOnly', extras['readOnly'], extras['read_only']),
    ...flag('idempotent', extras['idempotent'], member(operation['idempotency'], 'safeToRetry')),
    ...flag('destructive', extras['destructive'], member(said, 'destructive')),
    ...flag('humanApprovalRequired', extras['humanApprovalRequired'], member(said, 'requiresConfirmation')),
    ...(approvalWorkflow !== undefined && { approvalWorkflow }),
  };
}

/** LightAPI's document on the whole API: `info`, and what `agent` says of all operations or of the one named. */
export function inheritedOf(
  root: JsonObject,
  names: readonly string[],
  warnings: WarningSink,
): EndpointFacts {
  const { info, agent } = root;
  const extras = objectMember(objectMember(info, 'metadata'), 'routing') ?? {};
  const [purpose, sensitiveFields] = [textMember(agent, 'purpose'), textsOf(agent, 'sensitiveFields')];
  const routing = {
    semanticNamespace: textMember(info, 'namespace') ?? '',
    ...(purpose !== undefined && { semanticDescription: purpose }),
    ...(sensitiveFields.length > 0 && { sensitiveFields: [...sensitiveFields] }),
    ...routingMetadata(extras, '/info/metadata/routing', warnings),
  };
  const safety = {
    ...safetyOf({}, extras),
    ...(textsOf(agent, 'destructiveOperations').some((name) => names.includes(name)) && {
      destructive: true,
    }),
  };
  const area = listMember(agent, 'capabilities').find((capability) =>
    textsOf(capability, 'operations').some((name) => names.includes(name)),
  );
  const group = textMember(area, 'area');
  const capability = group === undefined ? undefined : { group };
  return saidFacts({ routing, safety, tags: [...textsOf(info, 'tags')], capability });
}

/** How an operation is called, as far as it says so. */
export interface Invocation {
  /** Lower-case HTTP method, or `call`. */
  readonly method?: string;
  /** Templated path without the server; of other protocols the name that is called. */
  readonly path?: string;
  readonly inputSchema?: JsonObject;
  readonly outputSchema?: JsonObject;
}

/** Reads how the operations of a document are called; their schemas refer to each other's. */
export class InvocationReader {
  private readonly copier: SchemaCopier;

  constructor(
    root: JsonObject,
    private readonly context: ReadContext,
  ) {
    const source = new SchemaSource(root, '/components/schemas/');
    this.copier = new SchemaCopier(source, 'both', context.warnings);
  }

  read(operation: JsonObject, pointer: string): Invocation {
    const input = member(objectMember(operation, 'input'), 'schema');
    const output = member(objectMember(operation, 'result'), 'schema');
    const { inputSchemaLength, outputSchemaLength } = this.context.limits;
    const copied = this.copy(input, below(pointer, 'input', 'schema'), inputSchemaLength);
    const outputSchema = this.copy(output, below(pointer, 'result', 'schema'), outputSchemaLength);
    return {
      ...calledOf(operation),
      ...(copied !== undefined && { inputSchema: { ...copied, type: 'object' } }),
      ...(outputSchema !== undefined && { outputSchema }),
    };
  }

  private copy(schema: Json | undefined, at: string, longest: number): JsonObject | undefined {
    if (!isObject(schema)) return undefined;
    return standalone(this.copier.copyRoot(schema, at), this.copier, longest, at);
  }
}

function calledOf(operation: JsonObject): Pick<Invocation, 'method' | 'path'> {
  const method = textMember(operation, 'method');
  if (operation['protocol'] === 'http') {
    const path = pathOf(textMember(operation, 'endpoint') ?? '');
    return {
      ...(method !== undefined && { method: method.toLowerCase() }),
      ...(path !== undefined && { path }),
    };
  }
  const service = textMember(operation, 'service');
  const name = textMember(operation, 'name') ?? textMember(operation, 'uri') ?? method;
  return name === undefined
    ? {}
    : { method: 'call', path: service === undefined ? name : `${service}/${name}` };
}

/** Cuts an address down to its path: its server may be written out, or be an expression (`${env.base}/accounts`). */
function pathOf(endpoint: string): string | undefined {
  const path = endpoint.replace(/^\$\{[^}]*\}/, '').replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/i, '');
  return path.startsWith('/') ? path : undefined;
}

const places = { path: 'path', query: 'query', headers: 'header', cookies: 'cookie', body: 'body' } as const;

/** Lists the names in the braces of a path. */
function variablesOf(operation: JsonObject, path = ''): string[] {
  if (operation['protocol'] !== 'http') return [];
  return [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
}

/** Lists variables of the path that nothing fills: a caller can't know what goes there. */
export function unfilledOf(operation: JsonObject, { path, inputSchema = {} }: Invocation): string[] {
  const routes = Object.values(routesOf(operation, inputSchema, path));
  const filled = new Set(routes.filter((route) => route.in === 'path').map(({ name }) => name));
  const fixed = objectMember(operation['request'], 'path') ?? {};
  return variablesOf(operation, path).filter((name) => !filled.has(name) && !Object.hasOwn(fixed, name));
}

/**
 * Routes each property of the input, by the expressions of `request`, else into the path that names it; what
 * neither places is an argument.
 */
export function routesOf(
  operation: JsonObject,
  inputSchema: JsonObject,
  path: string | undefined,
): Record<string, ParameterRoute> {
  const routes = new Map<string, ParameterRoute>();
  for (const [place, location] of Object.entries(places)) {
    for (const [name, value] of entriesOf(objectMember(operation['request'], place))) {
      const input = typeof value === 'string' ? /^\$\{input\.([^}]+)\}$/.exec(value)?.[1] : undefined;
      if (input !== undefined) routes.set(input, { in: location, name });
    }
  }
  const names = entriesOf(inputSchema['properties']).map(([name]) => name);
  const placed = new Set([...routes.values()].filter((route) => route.in === 'path').map(({ name }) => name));
  for (const name of variablesOf(operation, path)) {
    if (names.includes(name) && !routes.has(name) && !placed.has(name))
      routes.set(name, { in: 'path', name });
  }
  return Object.fromEntries(names.map((name) => [name, routes.get(name) ?? { in: 'argument', name }]));
}
