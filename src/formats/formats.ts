import { UnreadableDocument } from '../documents/findings.js';
import { isObject, member, textMember, type Json } from '../documents/json.js';
import type { FormatSigns } from '../documents/upload.js';
import type { Format } from './format.js';
import { graphql } from './graphql/format.js';
import { grpc } from './grpc/format.js';
import { lightapi } from './lightapi/format.js';
import { mcp, mcpRouter } from './mcp/format.js';
import { openapi } from './openapi/format.js';
import { openrpc } from './openrpc/format.js';

/** Every format that can be imported. No two recognise the same document. */
export const formats = [openapi, mcp, mcpRouter, lightapi, openrpc, grpc, graphql] as const;

type KnownFormat = (typeof formats)[number];
export type FormatName = KnownFormat['name'];
/** The type of an API version, by which the format of its document is reported. */
export type DescribedApiType = KnownFormat['apiType'];
export type ApiType = DescribedApiType | 'agent';

/** An agent is an API version of its own type, without a document. */
export const apiTypes: readonly ApiType[] = [...new Set(formats.map(({ apiType }) => apiType)), 'agent'];

/** What a caller may say that a document is. */
export const formatNames: readonly ('auto' | FormatName)[] = ['auto', ...formats.map(({ name }) => name)];
export type WantedFormat = (typeof formatNames)[number];

const all: readonly Format[] = formats;
const recognised = (document: Json): Format | undefined => all.find((format) => format.recognise(document));
const formatNamed = (name: string | undefined): Format | undefined =>
  all.find((format) => format.name === name);

/** How files are recognised while they are read. */
export const formatSigns: FormatSigns = {
  recognise: (document) => recognised(document)?.apiType,
  isText: (name) => formatNamed(name)?.isText === true,
  lookedFor: `Looked for ${all
    .map(({ signs }) => signs)
    .join(', ')
    .replace(/, (?!.*, )/, ', and ')}.`,
};

/**
 * Finds the format that reads the document. What the caller names must fit what the document is.
 *
 * @throws UnreadableDocument `unknown_format`, `unsupported_format`, `format_mismatch`
 */
export function formatOf(document: Json, wanted: WantedFormat, apiType?: string): Format {
  const said = formatNamed(wanted === 'auto' ? apiType : wanted);
  const found = recognised(document) ?? (said?.accepts?.(document) === true ? said : undefined);
  if (found === undefined) throw notRead(document, said?.name ?? apiType);
  if (wanted === 'auto' || said === undefined || said.name === found.name || said.name === found.apiType)
    return found;
  throw new UnreadableDocument(
    'format_mismatch',
    `The format was said to be ${said.title}, but this is ${found.title}. Say "${found.name}" or "auto".`,
  );
}

/** What else a document may be, recognised by a member at its top. */
const others: readonly (readonly [name: string, kind: string])[] = [
  ['asyncapi', 'AsyncAPI'],
  ['arazzo', 'an Arazzo workflow'],
  ['overlay', 'an OpenAPI overlay'],
  ['smithy', 'a Smithy model'],
  ['swaggerVersion', 'Swagger 1.x'],
];

function otherKind(document: Json): string | undefined {
  const tops = [document, member(document, 'data')];
  const sign = others.find(([name]) => tops.some((top) => member(top, name) !== undefined));
  if (sign) return sign[1];
  const info = member(document, 'info');
  const isPostman =
    member(info, '_postman_id') !== undefined || textMember(info, 'schema')?.includes('postman') === true;
  return isPostman ? 'a Postman collection' : undefined;
}

function notRead(document: Json, expected: string | undefined): UnreadableDocument {
  const { lookedFor } = formatSigns;
  const kind = otherKind(document);
  if (kind !== undefined) {
    const detail = `This is ${kind}, which can't be imported yet. ${lookedFor}`;
    return new UnreadableDocument('unsupported_format', detail);
  }
  const hint = expected === undefined ? '' : ` It was said to be ${expected}.`;
  const found = isObject(document)
    ? `an object with ${describeMembers(Object.keys(document))}`
    : `a list of ${String(Array.isArray(document) ? document.length : 0)} items that are neither tools nor methods`;
  const detail = `The format is not known: found ${found}.${hint} ${lookedFor}`;
  return new UnreadableDocument('unknown_format', detail);
}

function describeMembers(keys: readonly string[]): string {
  if (keys.length === 0) return 'no members';
  const shown = keys.slice(0, 5).map((key) => `"${key.slice(0, 30)}"`);
  return `${shown.join(', ')}${keys.length > 5 ? ' and more' : ''} at the top`;
}
