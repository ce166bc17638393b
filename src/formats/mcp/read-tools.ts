import { UnreadableDocument, warningsWithin, type WarningSink } from '../../documents/findings.js';
import {
  below,
  entriesOf,
  isObject,
  member,
  textMember,
  type Json,
  type JsonObject,
} from '../../documents/json.js';
import type { SafetyFacts } from '../endpoint-facts.js';
import {
  argumentRoutes,
  refuseTooMany,
  type DescribedOperation,
  type Description,
  type ReadContext,
} from '../format.js';
import { SchemaCopier } from '../schema/copier.js';
import { SchemaSource } from '../schema/source.js';
import { standalone } from '../schema/standalone.js';
import { withMetadata, withRoute, type PlacedTool } from './tool-metadata.js';
import type { ToolsPage } from './tool-pages.js';

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
    tools.map((tool, index) => ({ tool, pointer: below(pointer, index) })),
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

function readTool(name: string, placed: PlacedTool, context: ReadContext): DescribedOperation | undefined {
  const { tool } = placed;
  const inputSchema = inputSchemaOf(placed, context);
  if (!inputSchema) return undefined;
  const annotations = member(tool, 'annotations');
  return {
    endpoint: `${name}@call`,
    facts: {
      method: 'call',
      path: name,
      sourceName: name,
      title: textMember(tool, 'title') ?? textMember(annotations, 'title'),
      description: textMember(tool, 'description'),
      inputSchema,
      outputSchema: outputSchemaOf(placed, context),
      routing: { parameters: argumentRoutes(inputSchema) },
      safety: safetyOf(annotations),
      lifecycleStatus: 'active',
      extras: Object.fromEntries(
        entriesOf(tool).filter(([key, value]) => KEPT.includes(key) && value !== null),
      ),
    },
  };
}

/**
 * Reads safety as the annotations say it, with MCP's defaults (a tool that is not read-only is destructive) where one of
 * the three hints stands. A tool that says nothing about itself is neither.
 */
function safetyOf(annotations: Json | undefined): SafetyFacts {
  const hint = (name: string) => {
    const value = member(annotations, name);
    return typeof value === 'boolean' ? value : undefined;
  };
  const [readOnly, destructive, idempotent] = ['readOnlyHint', 'destructiveHint', 'idempotentHint'].map(hint);
  const speaks = [readOnly, destructive, idempotent].some((value) => value !== undefined);
  return {
    readOnly: readOnly ?? false,
    idempotent: readOnly === true || (idempotent ?? false),
    destructive: speaks && readOnly !== true && (destructive ?? true),
  };
}

/**
 * Copies the input schema of a tool as JSON Schema 2020-12 that stands alone, always of an object. One that is missing is
 * mended (any object is accepted); undefined, with a warning, where no object could ever fit it.
 */
function inputSchemaOf({ tool, pointer }: PlacedTool, context: ReadContext): JsonObject | undefined {
  const { limits, warnings } = context;
  const given = tool['inputSchema'];
  const at = below(pointer, 'inputSchema');
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
  return type === undefined || (Array.isArray(type) ? type : [type]).includes('object');
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
