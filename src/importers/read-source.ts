import { cleanDocument } from './clean-document.js';
import { UnreadableDocument, type Json } from './imported.js';
import type { ImportLimits } from './import-limits.js';
import { readJson } from './json/read-json.js';
import { redactSecrets } from './redact-secrets.js';
import { findSecrets } from './secrets.js';
import type { WarningLog } from './warning-log.js';
import { readYaml } from './yaml/read-yaml.js';

/** A document parsed and made safe, and its text as it may be stored. */
export interface ReadSource {
  /** The text that was given, or that of the parsed document where secrets had to go. */
  readonly text: string;
  readonly value: Json;
}

/**
 * Reads JSON or YAML, given as bytes, text or parsed object. A text that starts like JSON is JSON and nothing
 * else, unless `mediaType` says YAML: what is broken must not pass as something laxer.
 *
 * @throws UnreadableDocument with line and column
 */
export async function readSource(
  source: Uint8Array | string | object,
  mediaType: string,
  limits: ImportLimits,
  warnings: WarningLog,
): Promise<ReadSource> {
  const given =
    typeof source === 'string' || source instanceof Uint8Array ? undefined : structuredClone(source);
  if (given !== undefined) {
    const value = cleanDocument(given, limits, warnings);
    await redactSecrets(value, warnings);
    return { text: checkSize(JSON.stringify(value), limits), value };
  }
  const text = decode(source as Uint8Array | string, limits, warnings);
  const json = startsLikeJson(text) && !/yaml/i.test(mediaType);
  const value = cleanDocument(
    json ? readJson(text, limits.nodes) : readYaml(refuseForeign(text), limits),
    limits,
    warnings,
  );
  if (typeof value !== 'object' || value === null) throw notADocument(text);
  const redacted = await redactSecrets(value, warnings);
  const leftOver = !json && !redacted && (await secretInComments(text, warnings));
  return { text: redacted || leftOver ? JSON.stringify(value) : text, value };
}

function decode(source: Uint8Array | string, limits: ImportLimits, warnings: WarningLog): string {
  const text = typeof source === 'string' ? source.replace(/^\ufeff/, '') : decodeBytes(source, limits);
  checkSize(text, limits);
  if (text.trim() === '') {
    throw new UnreadableDocument(
      'document_empty',
      'The document is empty. Send the text of an API description.',
    );
  }
  // Decoding leaves no lone surrogates: U+FFFD stands for them. A search for it is quick, the expression is not.
  const halves = typeof source === 'string' && /\p{Surrogate}/u.test(text);
  if (!halves && !text.includes('\0') && !text.includes('\ufffd')) return text;
  const fit = text.replace(/[\0\p{Surrogate}]/gu, '\ufffd');
  warnings.warn(
    'characters_replaced',
    '',
    'The text holds characters that could not be read; U+FFFD stands for them.',
  );
  return fit;
}

function decodeBytes(bytes: Uint8Array, limits: ImportLimits): string {
  if (bytes.byteLength > limits.bytes) throw tooLarge(limits);
  const utf16 =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : undefined;
  return new TextDecoder(utf16 ?? 'utf-8').decode(bytes);
}

function checkSize(text: string, limits: ImportLimits): string {
  if (text.length > limits.bytes) throw tooLarge(limits);
  return text;
}

function tooLarge(limits: ImportLimits): UnreadableDocument {
  const mebibytes = String(limits.bytes / 1024 / 1024);
  return new UnreadableDocument(
    'document_too_large',
    `The document is larger than ${mebibytes} MiB. Split it into several.`,
  );
}

function startsLikeJson(text: string): boolean {
  return /^\s*[{[]/.test(text);
}

/** Says what a text is that is neither JSON nor YAML, where its first characters tell. */
function refuseForeign(text: string): string {
  const start = text.slice(0, 2_000).trimStart();
  const kind = foreign.find(({ sign }) => sign.test(start))?.kind;
  if (kind === undefined) return text;
  throw new UnreadableDocument(
    'unsupported_format',
    `This is ${kind}, which can't be imported. Looked for OpenAPI 2.0 to 3.2 (JSON or YAML) and an MCP tools/list answer (JSON).`,
  );
}

const foreign: readonly { sign: RegExp; kind: string }[] = [
  { sign: /^<!doctype html|^<html/i, kind: 'an HTML page' },
  { sign: /^<\?xml|^<[a-z][\w:.-]*[\s>/]/i, kind: 'an XML document (WSDL, WADL or another)' },
  { sign: /^PK\u0003\u0004/, kind: 'a zip archive' },
  { sign: /^\u001f/, kind: 'compressed data' },
  { sign: /^#%RAML/, kind: 'RAML' },
  { sign: /(^|\n)\s*syntax\s*=\s*["']proto[23]["']/, kind: 'a gRPC .proto file' },
  {
    sign: /(^|\n)\s*(schema\s*\{|(extend\s+)?type\s+\w+[^:\n]*\{|interface\s+\w+[^:\n]*\{|scalar\s+\w+)/,
    kind: 'a GraphQL schema',
  },
  { sign: /^#\s*API Blueprint|^FORMAT:\s*1A/i, kind: 'API Blueprint' },
];

function notADocument(text: string): UnreadableDocument {
  const start = text.trim().slice(0, 40).replace(/\s+/g, ' ');
  return new UnreadableDocument(
    'unknown_format',
    `This is a single value ("${start}"), not a document. Looked for OpenAPI 2.0 to 3.2 (JSON or YAML) and an MCP tools/list answer (JSON).`,
  );
}

async function secretInComments(text: string, warnings: WarningLog): Promise<boolean> {
  const [first] = await findSecrets(text);
  if (!first) return false;
  warnings.warn(
    'secret_redacted',
    '',
    `A secret (${first.kind}) stands in a comment; the document is stored without comments.`,
  );
  return true;
}
