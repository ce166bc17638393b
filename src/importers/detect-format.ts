import { UnreadableDocument } from '../documents/findings.js';
import type { DocumentFormat } from './imported.js';
import { isObject, member, textMember, type Json } from '../documents/json.js';
import { introspectionMember } from './graphql/introspection.js';
import { routerTools } from './mcp/router-tools.js';
import { isToolsList } from './mcp/tools-list-pages.js';
import { isMethodList, methodDocument } from './openrpc/method-list.js';
import type { FormatSigns } from '../documents/upload.js';
import { plainTextFormat } from './plain-text.js';

/** What a caller may say that a document is; `mcp-router` is the tools of a gateway's values.yml. */
export type WantedFormat = 'auto' | 'mcp-router' | DocumentFormat;

/** For whoever sent something else. */
const lookedFor =
  'Looked for OpenAPI 2.0 to 3.2 (`swagger` or `openapi` at the top), LightAPI 0.1.0 (`lightapi`), OpenRPC (`openrpc`) and ' +
  'JSON-RPC method lists (`methods`), GraphQL (SDL, or an introspection answer), gRPC (.proto text), and an MCP tools/list ' +
  'answer (`tools`, a JSON-RPC result, pages, or a list of tools).';

/**
 * Which importer reads the document. What the caller names must fit what the document is.
 *
 * @throws UnreadableDocument `unknown_format`, `unsupported_format`, `format_mismatch`
 */
export function detectFormat(document: Json, wanted: WantedFormat, apiType?: string): DocumentFormat {
  if (wanted === 'mcp-router') return routed(document);
  const named = wanted === 'auto' ? undefined : wanted;
  const found = recognise(document) ?? takenAtWord(document, named, apiType);
  if (found === undefined) {
    const other = recogniseOther(document);
    if (other !== undefined) throw unsupported(other);
    throw unknown(document, named ?? apiType);
  }
  if (named !== undefined && named !== found) {
    throw new UnreadableDocument(
      'format_mismatch',
      `The format was said to be ${names[named]}, but this is ${names[found]}. Say "${found}" or "auto".`,
    );
  }
  return found;
}

function routed(document: Json): DocumentFormat {
  if (routerTools(document) !== undefined) return 'mcp';
  throw new UnreadableDocument(
    'format_mismatch',
    'The format was said to be mcp-router, but there is no list under `mcp-router.tools`. Send a gateway’s values.yml.',
  );
}

/** A text, or a list of names, may say too little of itself: the caller's word is enough. */
function takenAtWord(
  document: Json,
  named: DocumentFormat | undefined,
  apiType: string | undefined,
): DocumentFormat | undefined {
  if (typeof document === 'string') return named ?? textFormat(apiType);
  const said = named ?? apiType;
  return said === 'openrpc' && methodDocument(document) !== undefined ? said : undefined;
}

function textFormat(apiType: string | undefined): DocumentFormat | undefined {
  return apiType === 'grpc' || apiType === 'graphql' ? apiType : undefined;
}

/** Undefined where it is nothing that can be imported. */
function recognise(document: Json): DocumentFormat | undefined {
  if (typeof document === 'string') return plainTextFormat(document);
  if (member(document, 'openapi') !== undefined || member(document, 'swagger') !== undefined)
    return 'openapi';
  if (member(document, 'lightapi') !== undefined) return 'lightapi';
  if (introspectionMember(document) !== undefined) return 'graphql';
  // A description alone would make a tool of a method.
  if (Array.isArray(document) && isMethodList(document)) return 'openrpc';
  if (isToolsList(document) || routerTools(document) !== undefined) return 'mcp';
  if (Array.isArray(document)) return undefined;
  return methodDocument(document) === undefined ? undefined : 'openrpc';
}

/** How this program's formats are told apart while files are read. */
export const formatSigns: FormatSigns = {
  recognise,
  isText: (format) => format === 'grpc' || format === 'graphql',
  lookedFor,
};

const names: Readonly<Record<DocumentFormat, string>> = {
  openapi: 'OpenAPI',
  mcp: 'an MCP tools/list answer',
  lightapi: 'a LightAPI description',
  openrpc: 'OpenRPC',
  grpc: 'a gRPC .proto file',
  graphql: 'a GraphQL schema',
};

/** What else a document may be, told by a member at its top. */
const signs: readonly (readonly [name: string, kind: string])[] = [
  ['asyncapi', 'AsyncAPI'],
  ['arazzo', 'an Arazzo workflow'],
  ['overlay', 'an OpenAPI overlay'],
  ['smithy', 'a Smithy model'],
  ['swaggerVersion', 'Swagger 1.x'],
];

function recogniseOther(document: Json): string | undefined {
  const sign = signs.find(
    ([name]) => member(document, name) !== undefined || member(member(document, 'data'), name) !== undefined,
  );
  if (sign) return sign[1];
  const info = member(document, 'info');
  if (member(info, '_postman_id') !== undefined || textMember(info, 'schema')?.includes('postman'))
    return 'a Postman collection';
  return undefined;
}

function unsupported(kind: string): UnreadableDocument {
  return new UnreadableDocument(
    'unsupported_format',
    `This is ${kind}, which can't be imported yet. ${lookedFor}`,
  );
}

function unknown(document: Json, expected?: string): UnreadableDocument {
  const hint = expected === undefined ? '' : ` It was said to be ${expected}.`;
  const found = isObject(document)
    ? `an object with ${describeMembers(Object.keys(document))}`
    : `a list of ${String(Array.isArray(document) ? document.length : 0)} items that are neither tools nor methods`;
  return new UnreadableDocument(
    'unknown_format',
    `The format can't be told: found ${found}.${hint} ${lookedFor}`,
  );
}

function describeMembers(keys: readonly string[]): string {
  if (keys.length === 0) return 'no members';
  const shown = keys.slice(0, 5).map((key) => `"${key.slice(0, 30)}"`);
  return `${shown.join(', ')}${keys.length > 5 ? ' and more' : ''} at the top`;
}
