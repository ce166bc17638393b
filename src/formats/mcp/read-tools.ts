import { typesMeant } from '../../../packages/schema-reading/keywords.js';
import { UnreadableDocument, warningsWithin, type WarningSink } from '../../documents/findings.js';
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
import { type SafetyFacts, safetyOfHints } from '../endpoint-facts.js';
import {
  argumentRoutes,
  refuseTooMany,
  type DescribedOperation,
  type Description,
  type ParameterRoute,
  type ReadContext,
} from '../format.js';
import { routingMetadata } from '../routing-metadata.js';
import { SchemaCopier } from '../schema/copier.js';
import { SchemaSource } from '../schema/source.js';
import { standalone } from '../schema/standalone.js';
import { type ToolsPage, wrappings } from './tool-pages.js';

/** `endpoint` of the catalog's tables holds no more. */
const MAX_NAME_LENGTH = 1_000;
/** A list does not say which revision of MCP it is of; this is the one that it is read by. */
const READ_BY = '2025-11-25';
const KEPT = ['annotations', 'icons', '_meta', 'execution'];

/** Reads the tools of an MCP server, as its `tools/list` answers them. */
export function readToolsList(
  document: Json,
  pages: readonly ToolsPage[],
  context: ReadContext,
): Description {
  const last = pages.at(-1);
  if (last?.nextCursor !== undefined) {
    const detail =
      'The last page names a next one (`nextCursor`): tools may be missing. Send all pages as a list.';
    context.warnings.warn('pages_missing', last.pointer, detail);
  }
  const formatVersion = textMember(document, 'protocolVersion') ?? READ_BY;
  return { formatVersion, operations: readPages(pages, withMetadata, context) };
}

/** Reads the tools that a gateway routes. */
export function readRouterTools(page: ToolsPage | undefined, context: ReadContext): Description {
  if (page === undefined) throw new UnreadableDocument('malformed_router', 'There is no `mcp-router.tools`.');
  return { formatVersion: READ_BY, operations: readPages([page], withRoute, context) };
}

function readPages(
  pages: readonly ToolsPage[],
  complete: typeof withMetadata,
  context: ReadContext,
): DescribedOperation[] {
  const { limits, warnings } = context;
  const tools = pages.flatMap(({ tools, pointer }) =>
    tools.flatMap((tool, index) => asListed(tool, below(pointer, index))),
  );
  refuseTooMany(tools.length, limits, '');
  const read = new Map<string, DescribedOperation>();
  for (const { tool, pointer } of tools) {
    const name = textMember(tool, 'name');
    if (!isObject(tool) || name === undefined || name.length > MAX_NAME_LENGTH) {
      const detail = 'A tool needs a name of at most 1,000 characters; it was left out.';
      warnings.warn('tool_skipped', pointer, detail);
      continue;
    }
    const listed = readTool(name, { tool, pointer }, context);
    const operation = listed && complete(listed, { tool, pointer }, warnings);
    if (operation === undefined) continue;
    if (!read.has(operation.endpoint)) read.set(operation.endpoint, operation);
    else {
      const detail = `The name "${operation.facts.path}" was met before; the first tool of that name was taken.`;
      warnings.warn('tool_skipped', pointer, detail);
    }
  }
  return [...read.values()];
}

/** The input schema as MCP spells it, and as the interfaces of models do. */
const schemaMembers = [
  ...['inputSchema', 'input_schema', 'parameters'],
  ...['parametersJsonSchema', 'parameters_json_schema'],
];

/** A tool as a server lists it, and where it stands. */
interface Listed {
  readonly tool: Json;
  readonly pointer: string;
}

/** Takes tools out of the wrapping that interfaces of models have around one or several. */
function asListed(tool: Json, pointer: string): readonly Listed[] {
  for (const name of wrappings) {
    const inner = member(tool, name);
    const at = below(pointer, name);
    if (Array.isArray(inner)) return inner.map((each, index) => ({ tool: each, pointer: below(at, index) }));
    if (isObject(inner)) return [{ tool: inner, pointer: at }];
  }
  return [{ tool, pointer }];
}

function readTool(name: string, placed: PlacedTool, context: ReadContext): DescribedOperation | undefined {
  const { tool } = placed;
  const inputSchema = inputSchemaOf(placed, context);
  if (!inputSchema) return undefined;
  const annotations = member(tool, 'annotations');
  return {
    endpoint: `${name}@call`,
    pointer: placed.pointer,
    facts: {
      method: 'call',
      path: name,
      sourceName: name,
      title: textMember(tool, 'title') ?? textMember(annotations, 'title'),
      description: textMember(tool, 'description'),
      inputSchema,
      outputSchema: outputSchemaOf(placed, context),
      routing: { parameters: argumentRoutes(inputSchema) },
      safety: safetyOfHints(annotations),
      lifecycleStatus: 'active',
      extras: Object.fromEntries(
        entriesOf(tool).filter(([key, value]) => KEPT.includes(key) && value !== null),
      ),
    },
  };
}

/**
 * Copies the input schema of a tool as JSON Schema 2020-12 that stands alone, always of an object. One that is missing is
 * mended (any object is accepted); undefined, with a warning, where no object could ever fit it.
 */
function inputSchemaOf({ tool, pointer }: PlacedTool, context: ReadContext): JsonObject | undefined {
  const { limits, warnings } = context;
  const keyword = schemaMembers.find((each) => tool[each] !== undefined) ?? 'inputSchema';
  const wrapped = objectMember(tool[keyword], 'json');
  const isWrapped = wrapped !== undefined && Object.keys(tool[keyword] ?? {}).length === 1;
  const given = isWrapped ? wrapped : tool[keyword];
  const at = isWrapped ? below(pointer, keyword, 'json') : below(pointer, keyword);
  if (given === undefined || given === null || given === true) {
    warnings.warn('input_schema_mended', at, 'The tool has no input schema; any object is accepted.');
    return { type: 'object' };
  }
  if (!isObject(given) || !mayBeObject(given)) {
    warnings.warn('tool_skipped', at, 'The input schema must be that of an object; the tool was left out.');
    return undefined;
  }
  const copied = copy(given, at, limits.inputSchemaLength, warnings);
  if (given['type'] !== 'object' && copied['type'] !== 'object') {
    const detail = 'The input schema does not say that it is of an object; it was made to.';
    warnings.warn('input_schema_mended', at, detail);
  }
  return { ...copied, type: 'object' };
}

function outputSchemaOf({ tool, pointer }: PlacedTool, context: ReadContext): JsonObject | undefined {
  const { limits, warnings } = context;
  const given = tool['outputSchema'];
  if (!isObject(given) || Object.keys(given).length === 0) return undefined;
  const copied = copy(given, below(pointer, 'outputSchema'), limits.outputSchemaLength, warnings);
  // MCP: structured content is an object.
  return copied['properties'] === undefined ? copied : { type: 'object', ...copied };
}

function mayBeObject({ type }: JsonObject): boolean {
  const { types } = typesMeant(type ?? null);
  return type === undefined || types.includes('object');
}

/** Each schema is a document of its own: references in it start at its root. */
function copy(schema: JsonObject, at: string, maxLength: number, warnings: WarningSink): JsonObject {
  const definitions = member(schema, '$defs') === undefined ? '/definitions/' : '/$defs/';
  const source = new SchemaSource(schema, definitions);
  const copier = new SchemaCopier(source, 'both', warningsWithin(warnings, at));
  const reference = member(schema, '$ref');
  const target = typeof reference === 'string' ? source.find(reference) : undefined;
  const root = target?.kind === 'local' ? copier.definition(target.pointer) : copier.copyRoot(schema, '');
  return standalone(root, copier, maxLength, '');
}

/** Members of an entry that say where the gateway sends a call. */
const KEPT_OF_ENTRY = ['protocol', 'serviceId', 'envTag', 'targetHost', 'apiType'];
const locations = ['path', 'query', 'header', 'cookie', 'body'] as const;

/** A tool as its server lists it, and its place. */
interface PlacedTool {
  readonly tool: JsonObject;
  readonly pointer: string;
}

/** Adds what the list says beside a tool about its meaning, and how safe it is. */
function withMetadata(
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
  const safety = saidSafety(facts.safety, objectMember(metadata, 'safety') ?? metadata);
  return { ...operation, facts: { ...facts, safety, routing: { ...facts.routing, ...routing } } };
}

/** Adds what a gateway's entry says: the endpoint behind the tool, where arguments go, and its policy. */
function withRoute(
  operation: DescribedOperation,
  placed: PlacedTool,
  warnings: WarningSink,
): DescribedOperation {
  const { tool } = placed;
  const { parameters } = objectMember(objectMember(tool, 'toolMetadata'), 'routing') ?? {};
  const { facts, ...rest } = withMetadata(operation, placed, warnings);
  const kept = entriesOf(tool).filter(([key, value]) => KEPT_OF_ENTRY.includes(key) && value !== null);
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

function saidSafety(safety: SafetyFacts = {}, said: Json | undefined): SafetyFacts {
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
