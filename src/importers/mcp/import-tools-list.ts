import type { ImportedDocument, ImportedEndpoint, ParameterRoute } from '../imported.js';
import {
  below,
  entriesOf,
  isObject,
  member,
  textMember,
  type Json,
  type JsonObject,
} from '../../documents/json.js';
import type { DocumentLimits } from '../../documents/limits.js';
import type { WarningLog } from '../../documents/findings.js';
import { namedEndpoints, refuseTooMany, type UnnamedEndpoint } from '../named-endpoints.js';
import { routerTools, withMetadata, withRoute } from './router-tools.js';
import { inputSchemaOf, outputSchemaOf } from './tool-schemas.js';
import { pagesOf } from './tools-list-pages.js';

/** `endpoint` of the catalog's tables holds no more. */
const LONGEST_NAME = 1_000;
/** A list does not say which revision of MCP it is of; this is the one that it is read by. */
const READ_BY = '2025-11-25';
const KEPT = ['annotations', 'icons', '_meta', 'execution'];

/** Makes endpoints of the tools of an MCP server, as its `tools/list` answers them, or of those that a gateway routes. */
export function importToolsList(
  document: Json,
  limits: DocumentLimits,
  warnings: WarningLog,
): ImportedDocument {
  const router = routerTools(document);
  const pages = router ? [router] : (pagesOf(document) ?? []);
  const tools = pages.flatMap(({ tools, pointer }) =>
    tools.map((tool, index) => ({ tool, pointer: below(pointer, index) })),
  );
  refuseTooMany(tools.length, limits, '');
  if (pages.at(-1)?.nextCursor !== undefined) {
    warnings.warn(
      'pages_missing',
      pages.at(-1)?.pointer ?? '',
      'The last page names a next one (`nextCursor`): tools may be missing. Send all pages as a list.',
    );
  }
  const read = new Map<string, UnnamedEndpoint>();
  for (const { tool, pointer } of tools) {
    const listed = readTool(tool, pointer, limits, warnings);
    if (!listed) continue;
    const more = { pointer, warnings };
    const endpoint = router
      ? withRoute(listed, tool as JsonObject, more)
      : withMetadata(listed, tool as JsonObject, more);
    if (read.has(endpoint.key))
      warnings.warn(
        'tool_skipped',
        pointer,
        `The name "${endpoint.path}" was met before; the first tool of that name was taken.`,
      );
    else read.set(endpoint.key, endpoint);
  }
  return {
    format: 'mcp',
    formatVersion: textMember(document, 'protocolVersion') ?? READ_BY,
    endpoints: namedEndpoints([...read.values()]),
    warnings: warnings.all(),
  };
}

function readTool(
  tool: Json,
  pointer: string,
  limits: DocumentLimits,
  warnings: WarningLog,
): UnnamedEndpoint | undefined {
  const name = textMember(tool, 'name');
  if (!isObject(tool) || name === undefined || name.length > LONGEST_NAME) {
    warnings.warn(
      'tool_skipped',
      pointer,
      'A tool needs a name of at most 1,000 characters; it was left out.',
    );
    return undefined;
  }
  const inputSchema = inputSchemaOf(tool, pointer, limits, warnings);
  if (!inputSchema) return undefined;
  const outputSchema = outputSchemaOf(tool, pointer, limits, warnings);
  const annotations = member(tool, 'annotations');
  const title = textMember(tool, 'title') ?? textMember(annotations, 'title');
  return {
    key: `${name}@call`,
    method: 'call',
    path: name,
    sourceName: name,
    ...(title === undefined ? {} : { title }),
    description: textMember(tool, 'description') ?? '',
    inputSchema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    parameters: routesOf(inputSchema),
    safety: safetyOf(annotations),
    lifecycleStatus: 'active',
    tags: [],
    scopes: [],
    extras: Object.fromEntries(
      entriesOf(tool).filter(([key, value]) => KEPT.includes(key) && value !== null),
    ),
  };
}

function routesOf(inputSchema: JsonObject): Record<string, ParameterRoute> {
  const names = entriesOf(inputSchema['properties']).map(([name]) => name);
  return Object.fromEntries(names.map((name) => [name, { in: 'argument', name } as const]));
}

/**
 * Safety as the annotations say it, with MCP's defaults (a tool that is not read-only is destructive) where one of the
 * three hints stands. A tool that says nothing about itself is neither (contract 4).
 */
function safetyOf(annotations: Json | undefined): ImportedEndpoint['safety'] {
  const hint = (name: string) => {
    const value = member(annotations, name);
    return typeof value === 'boolean' ? value : undefined;
  };
  const [readOnlyHint, destructiveHint, idempotentHint] = [
    'readOnlyHint',
    'destructiveHint',
    'idempotentHint',
  ].map(hint);
  const readOnly = readOnlyHint ?? false;
  const speaks = [readOnlyHint, destructiveHint, idempotentHint].some((value) => value !== undefined);
  return {
    readOnly,
    idempotent: readOnly || (idempotentHint ?? false),
    destructive: speaks && !readOnly && (destructiveHint ?? true),
  };
}
