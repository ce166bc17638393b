import { cleanDocument } from './clean-document.js';
import { lookedFor } from './detect-format.js';
import { collectTexts } from './document-texts.js';
import { UnreadableDocument } from './imported.js';
import type { ImportLimits } from './import-limits.js';
import { readJson } from './json/read-json.js';
import { warnOfModelAddresses } from './model-addresses.js';
import { plainTextFormat } from './plain-text.js';
import { redactSecrets } from './redact-secrets.js';
import { findSecrets } from '../platform/validation/secrets.js';
import { vetText } from './vet-text.js';
import { readUpload, type FileReader } from './upload/read-upload.js';
import { uploadIn } from './upload/uploaded-files.js';
import type { ReadSource, SourceHints } from './source.js';
import {
  noting,
  warnOfClosers,
  warnOfDuplicate,
  type NotedWarnings,
  type WarningLog,
  type WarningSink,
} from './warning-log.js';
import { readYaml } from './yaml/read-yaml.js';

/**
 * Reads JSON, YAML, or a text of a format with a language of its own, or several such files in one upload; given as bytes, text or parsed object. A text that starts like JSON is JSON and nothing
 * else, unless `mediaType` says YAML: what is broken must not pass as something laxer.
 *
 * @throws UnreadableDocument with line and column
 */
export async function readSource(
  source: Uint8Array | string | object,
  hints: SourceHints,
  limits: ImportLimits,
  warnings: WarningLog,
): Promise<ReadSource> {
  const read: FileReader = (content, sink) =>
    readOne(content, { mediaType: '', format: undefined }, limits, sink);
  const noted = noting(warnings);
  const parsed = parsedOf(source, hints, limits, noted);
  const upload = uploadIn(parsed.raw, limits);
  if (upload !== undefined) return readUpload(upload, hints, read, { limits, warnings });
  return vetted(parsed, limits, noted);
}

async function readOne(
  source: Uint8Array | string,
  hints: SourceHints,
  limits: ImportLimits,
  warnings: WarningSink,
): Promise<ReadSource> {
  const noted = noting(warnings);
  return vetted(parsedOf(source, hints, limits, noted), limits, noted);
}

/** A source parsed, and not yet looked at. */
interface Parsed {
  /** The text of a language of its own, or the value. */
  readonly raw: unknown;
  /** What was parsed; undefined where it was given as an object. */
  readonly text: string | undefined;
  readonly isJson: boolean;
}

function parsedOf(
  source: Uint8Array | string | object,
  { mediaType, format }: SourceHints,
  limits: ImportLimits,
  warnings: WarningSink,
): Parsed {
  if (typeof source !== 'string' && !(source instanceof Uint8Array))
    return { raw: structuredClone(source), text: undefined, isJson: true };
  const text = decode(source, limits, warnings);
  if (isPlainText(text, format)) return { raw: text, text, isJson: false };
  const isJson = startsLikeJson(text) && !/yaml/i.test(mediaType);
  const onDuplicate = (pointer: string): void => {
    warnOfDuplicate(pointer, warnings);
  };
  const raw = isJson
    ? readJson(text, limits.nodes, onDuplicate)
    : readYaml(refuseForeign(text), limits, {
        onDuplicate,
        onShallowClosers: (line, count) => {
          warnOfClosers(line, count, warnings);
        },
      });
  if (typeof raw !== 'object' || raw === null) throw notADocument(text);
  return { raw, text, isJson };
}

async function vetted(
  { raw, text, isJson }: Parsed,
  limits: ImportLimits,
  warnings: NotedWarnings,
): Promise<ReadSource> {
  if (typeof raw === 'string') {
    const plain = await vetText(raw, warnings);
    return { text: plain, value: plain };
  }
  const value = cleanDocument(raw, limits, warnings);
  const texts = collectTexts(value);
  const redacted = await redactSecrets(value, texts, warnings);
  warnOfModelAddresses(value, redacted ? collectTexts(value) : texts, warnings);
  // What was left out nobody has looked at.
  const isWhole = !redacted && ![...warnings.codes].some((code) => leavesOut.has(code));
  const asGiven = text !== undefined && isWhole && (isJson || !(await secretInComments(text, warnings)));
  return { text: asGiven ? text : checkSize(JSON.stringify(value), limits), value };
}

/** Warnings of what a text says and its value does not. */
const leavesOut = new Set(['duplicate_member', 'member_dropped']);

function decode(source: Uint8Array | string, limits: ImportLimits, warnings: WarningSink): string {
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

/** Formats with a language of their own, told by their first words or named by the caller. */
function isPlainText(text: string, format: SourceHints['format']): boolean {
  if (startsLikeJson(text)) return false;
  return format === 'grpc' || format === 'graphql' || plainTextFormat(text) !== undefined;
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
    `This is ${kind}, which can't be imported. ${lookedFor}`,
  );
}

const foreign: readonly { sign: RegExp; kind: string }[] = [
  { sign: /^<!doctype html|^<html/i, kind: 'an HTML page' },
  { sign: /^<\?xml|^<[a-z][\w:.-]*[\s>/]/i, kind: 'an XML document (WSDL, WADL or another)' },
  { sign: /^#%RAML/, kind: 'RAML' },
  { sign: /^#\s*API Blueprint|^FORMAT:\s*1A/i, kind: 'API Blueprint' },
];

/** It is not quoted: the value may be a secret, whole or cut. */
function notADocument(text: string): UnreadableDocument {
  const length = String(text.trim().length);
  const detail = `This is a single value (of ${length} characters), not a document. ${lookedFor}`;
  return new UnreadableDocument('unknown_format', detail);
}

async function secretInComments(text: string, warnings: WarningSink): Promise<boolean> {
  const [first] = await findSecrets(text);
  if (!first) return false;
  warnings.warn(
    'secret_redacted',
    '',
    `A secret (${first.kind}) stands in a comment; the document is stored without comments.`,
  );
  return true;
}
