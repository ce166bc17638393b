import {
  UnreadableDocument,
  type ImportedDocument,
  type ImportedEndpoint,
  type Json,
  type JsonObject,
  type ParameterRoute,
} from '../imported.js';
import type { ImportLimits } from '../import-limits.js';
import { below, byCodePoint, entriesOf, isObject, member, textMember } from '../json-reading.js';
import { nameAll } from '../naming.js';
import type { WarningLog } from '../warning-log.js';
import { inputSchemaOf, outputSchemaOf } from './tool-schemas.js';
import { pagesOf } from './tools-list-pages.js';

type UnnamedTool = Omit<ImportedEndpoint, 'name'>;

/** `endpoint` of the catalog's tables holds no more. */
const LONGEST_NAME = 1_000;
const KEPT = ['annotations', 'icons', '_meta', 'execution'];

/** Makes endpoints of the tools of an MCP server, as its `tools/list` answers them. */
export function importToolsList(
  document: Json,
  limits: ImportLimits,
  warnings: WarningLog,
): ImportedDocument {
  const pages = pagesOf(document) ?? [];
  const tools = pages.flatMap(({ tools, pointer }) =>
    tools.map((tool, index) => ({ tool, pointer: below(pointer, index) })),
  );
  if (tools.length > limits.operations) {
    throw new UnreadableDocument(
      'document_too_large',
      `The list has ${String(tools.length)} tools; at most ${String(limits.operations)} can be imported.`,
    );
  }
  if (pages.at(-1)?.nextCursor !== undefined) {
    warnings.warn(
      'pages_missing',
      pages.at(-1)?.pointer ?? '',
      'The last page names a next one (`nextCursor`): tools may be missing. Send all pages as a list.',
    );
  }
  const read = new Map<string, UnnamedTool>();
  for (const { tool, pointer } of tools) {
    const endpoint = readTool(tool, pointer, limits, warnings);
    if (!endpoint) continue;
    if (read.has(endpoint.key))
      warnings.warn(
        'tool_skipped',
        pointer,
        `The name "${endpoint.path}" was met before; the first tool of that name was taken.`,
      );
    else read.set(endpoint.key, endpoint);
  }
  const names = nameAll([...read.values()]);
  const endpoints = [...read.values()].map((endpoint) => ({
    ...endpoint,
    name: names.get(endpoint.key) ?? '',
  }));
  return {
    format: 'mcp',
    formatVersion: '',
    endpoints: endpoints.toSorted((a, b) => byCodePoint(a.key, b.key)),
    warnings: warnings.all(),
  };
}

function readTool(
  tool: Json,
  pointer: string,
  limits: ImportLimits,
  warnings: WarningLog,
): UnnamedTool | undefined {
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
