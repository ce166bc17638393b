import {
  below,
  entriesOf,
  isObject,
  member,
  objectMember,
  textMember,
  type Json,
  type JsonObject,
} from '../../documents/json.js';
import type { WarningSink } from '../../documents/findings.js';
import type { SafetyFacts } from '../endpoint-facts.js';
import type { DescribedOperation, ParameterRoute } from '../format.js';
import { routingMetadata } from '../routing-metadata.js';

/** Members of an entry that say where the gateway sends a call. */
const KEPT = ['protocol', 'serviceId', 'envTag', 'targetHost', 'apiType'];
const locations = ['path', 'query', 'header', 'cookie', 'body'] as const;

/** A tool as its server lists it, and its place. */
export interface PlacedTool {
  readonly tool: JsonObject;
  readonly pointer: string;
}

/** Adds what the list says beside a tool about its meaning, and how safe it is. */
export function withMetadata(
  operation: DescribedOperation,
  { tool, pointer }: PlacedTool,
  warnings: WarningSink,
): DescribedOperation {
  const metadata = objectMember(tool, 'toolMetadata');
  if (metadata === undefined) return operation;
  // Where arguments go is of no matter to a tool that is called by its name.
  const { parameters: _, sourceProtocol: __, ...extras } = objectMember(metadata, 'routing') ?? {};
  const routing = routingMetadata(extras, below(pointer, 'toolMetadata', 'routing'), warnings);
  const { facts } = operation;
  const safety = safetyOf(facts.safety, objectMember(metadata, 'safety') ?? metadata);
  return { ...operation, facts: { ...facts, safety, routing: { ...facts.routing, ...routing } } };
}

/** Adds what a gateway's entry says: the endpoint behind the tool, where arguments go, and its policy. */
export function withRoute(
  operation: DescribedOperation,
  placed: PlacedTool,
  warnings: WarningSink,
): DescribedOperation {
  const { tool } = placed;
  const { parameters } = objectMember(objectMember(tool, 'toolMetadata'), 'routing') ?? {};
  const { facts, ...rest } = withMetadata(operation, placed, warnings);
  const kept = entriesOf(tool).filter(([key, value]) => KEPT.includes(key) && value !== null);
  const { endpoint = operation.endpoint, ...place } = placeOf(tool) ?? {};
  const routes = { ...facts.routing?.parameters, ...routesOf(parameters, facts.inputSchema) };
  return {
    ...rest,
    endpoint,
    facts: {
      ...facts,
      ...place,
      routing: { ...facts.routing, parameters: routes },
      extras: { ...facts.extras, ...Object.fromEntries(kept) },
    },
  };
}

/** Reads what the tool stands for: `<path>@<method>`; nothing of a call, which is the tool itself. */
function placeOf(tool: JsonObject): { endpoint: string; path: string; method: string } | undefined {
  const [path, method] = [textMember(tool, 'path'), textMember(tool, 'method')?.toLowerCase()];
  const endpoint = textMember(tool, 'endpoint') ?? (path && method ? `${path}@${method}` : undefined);
  if (endpoint === undefined || endpoint.endsWith('@call')) return undefined;
  const at = endpoint.lastIndexOf('@');
  if (at < 1) return undefined;
  return { endpoint, path: path ?? endpoint.slice(0, at), method: method ?? endpoint.slice(at + 1) };
}

/** Reads a route, or the location alone. */
function routesOf(
  parameters: Json | undefined,
  inputSchema: Readonly<Record<string, unknown>> = {},
): Record<string, ParameterRoute> {
  const known = new Set(entriesOf(inputSchema['properties']).map(([name]) => name));
  const routes = entriesOf(parameters).flatMap(([name, to]): [string, ParameterRoute][] => {
    const location = locations.find((place) => place === to || place === member(to, 'in'));
    if (location === undefined || !known.has(name)) return [];
    const wire = member(to, 'name');
    return [[name, { in: location, name: typeof wire === 'string' ? wire : name }]];
  });
  return Object.fromEntries(routes);
}

function safetyOf(safety: SafetyFacts = {}, said: Json | undefined): SafetyFacts {
  if (!isObject(said)) return safety;
  const flag = (...names: string[]) =>
    names.map((name) => said[name]).find((value) => typeof value === 'boolean');
  const approval = flag('humanApprovalRequired', 'approvalRequired', 'requiresApproval');
  const readOnly = flag('readOnly', 'read_only') ?? safety.readOnly ?? false;
  return {
    readOnly,
    idempotent: flag('idempotent') ?? (readOnly || (safety.idempotent ?? false)),
    destructive: flag('destructive') ?? safety.destructive ?? false,
    ...(approval !== undefined && { humanApprovalRequired: approval }),
  };
}
