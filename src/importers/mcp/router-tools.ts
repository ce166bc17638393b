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
import type { ParameterRoute } from '../imported.js';
import type { WarningLog } from '../../documents/findings.js';
import type { UnnamedEndpoint } from '../named-endpoints.js';
import { routingExtras } from '../routing-extras.js';
import type { ToolsPage } from './tools-list-pages.js';

/** The `mcp-router.tools` part of a gateway's values.yml, its name written with a dot or as two levels. */
export function routerTools(document: Json): ToolsPage | undefined {
  const dotted = member(document, 'mcp-router.tools');
  if (Array.isArray(dotted)) return { pointer: below('', 'mcp-router.tools'), tools: dotted };
  const tools = member(member(document, 'mcp-router'), 'tools');
  return Array.isArray(tools) ? { pointer: below('', 'mcp-router', 'tools'), tools } : undefined;
}

/** Members of an entry that say where the gateway sends a call. */
const KEPT = ['protocol', 'serviceId', 'envTag', 'targetHost', 'apiType'];
const locations = ['path', 'query', 'header', 'cookie', 'body'] as const;

/** A tool with the words of the catalog that its server lists beside it: what it means, and how safe it is. */
export function withMetadata(
  endpoint: UnnamedEndpoint,
  entry: JsonObject,
  { pointer, warnings }: { readonly pointer: string; readonly warnings: WarningLog },
): UnnamedEndpoint {
  const metadata = objectMember(entry, 'toolMetadata');
  if (metadata === undefined) return endpoint;
  // Where arguments go is of no matter to a tool that is called by its name.
  const { parameters: _, sourceProtocol: __, ...extras } = objectMember(metadata, 'routing') ?? {};
  const routing = routingExtras(extras, below(pointer, 'toolMetadata', 'routing'), warnings);
  return {
    ...endpoint,
    safety: safetyOf(endpoint, objectMember(metadata, 'safety') ?? metadata),
    ...(Object.keys(routing).length > 0 && { routing }),
  };
}

/** A tool with what the gateway's entry says beside it: the endpoint behind it, where arguments go, and its policy. */
export function withRoute(
  endpoint: UnnamedEndpoint,
  entry: JsonObject,
  { pointer, warnings }: { readonly pointer: string; readonly warnings: WarningLog },
): UnnamedEndpoint {
  const { parameters } = objectMember(objectMember(entry, 'toolMetadata'), 'routing') ?? {};
  const said = withMetadata(endpoint, entry, { pointer, warnings });
  const kept = entriesOf(entry).filter(([key, value]) => KEPT.includes(key) && value !== null);
  return {
    ...said,
    ...placeOf(entry),
    parameters: { ...endpoint.parameters, ...routesOf(parameters, endpoint) },
    extras: { ...endpoint.extras, ...Object.fromEntries(kept) },
  };
}

/** What the tool stands for: `<path>@<method>`, of a call the tool itself. */
function placeOf(entry: JsonObject): Partial<Pick<UnnamedEndpoint, 'key' | 'method' | 'path'>> {
  const [path, method] = [textMember(entry, 'path'), textMember(entry, 'method')?.toLowerCase()];
  const key = textMember(entry, 'endpoint') ?? (path && method ? `${path}@${method}` : undefined);
  if (key === undefined || key.endsWith('@call')) return {};
  const at = key.lastIndexOf('@');
  return at < 1 ? {} : { key, path: path ?? key.slice(0, at), method: method ?? key.slice(at + 1) };
}

/** A route, or the location alone. */
function routesOf(
  parameters: Json | undefined,
  { inputSchema }: UnnamedEndpoint,
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

function safetyOf({ safety }: UnnamedEndpoint, said: Json | undefined): UnnamedEndpoint['safety'] {
  if (!isObject(said)) return safety;
  const flag = (...names: string[]) =>
    names.map((name) => said[name]).find((value) => typeof value === 'boolean');
  const approval = flag('humanApprovalRequired', 'approvalRequired', 'requiresApproval');
  const readOnly = flag('readOnly', 'read_only') ?? safety.readOnly;
  return {
    readOnly,
    idempotent: flag('idempotent') ?? (readOnly || safety.idempotent),
    destructive: flag('destructive') ?? safety.destructive,
    ...(approval !== undefined && { humanApprovalRequired: approval }),
  };
}
