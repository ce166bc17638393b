import { UnreadableDocument, type DocumentFormat, type Json } from './imported.js';
import { isObject, member, textMember } from './json-reading.js';
import { isToolsList } from './mcp/tools-list-pages.js';

const LOOKED_FOR =
  'Looked for OpenAPI 2.0 to 3.2 (`swagger` or `openapi` at the top) and an MCP tools/list answer (`tools`, a JSON-RPC result, pages, or a list of tools).';

/** Formats that an importer exists for. */
export type ImportableFormat = 'openapi' | 'mcp';

/**
 * Which importer reads the document. What the caller names must fit what the document is.
 *
 * @throws UnreadableDocument `unknown_format`, `unsupported_format`, `format_mismatch`
 */
export function detectFormat(
  document: Json,
  wanted: 'auto' | DocumentFormat,
  apiType?: string,
): ImportableFormat {
  const found = recognise(document);
  const named = wanted === 'auto' ? undefined : wanted;
  if (found === undefined) {
    const other = recogniseOther(document);
    if (other !== undefined || (named !== undefined && named !== 'openapi' && named !== 'mcp')) {
      throw unsupported(other ?? names[named as DocumentFormat]);
    }
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

function recognise(document: Json): ImportableFormat | undefined {
  if (member(document, 'openapi') !== undefined || member(document, 'swagger') !== undefined)
    return 'openapi';
  return isToolsList(document) ? 'mcp' : undefined;
}

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
  ['lightapi', names.lightapi],
  ['openrpc', names.openrpc],
  ['__schema', names.graphql],
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
    `This is ${kind}, which can't be imported yet. ${LOOKED_FOR}`,
  );
}

function unknown(document: Json, expected?: string): UnreadableDocument {
  const hint = expected === undefined ? '' : ` It was said to be ${expected}.`;
  const found = isObject(document)
    ? `an object with ${describeMembers(Object.keys(document))}`
    : `a list of ${String(Array.isArray(document) ? document.length : 0)} items that are no tools`;
  return new UnreadableDocument(
    'unknown_format',
    `The format can't be told: found ${found}.${hint} ${LOOKED_FOR}`,
  );
}

function describeMembers(keys: readonly string[]): string {
  if (keys.length === 0) return 'no members';
  const shown = keys.slice(0, 5).map((key) => `"${key.slice(0, 30)}"`);
  return `${shown.join(', ')}${keys.length > 5 ? ' and more' : ''} at the top`;
}
