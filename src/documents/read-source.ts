import { findSecrets } from '../platform/validation/secrets.js';
import { cleanDocument } from './clean-document.js';
import { recordingCodes, UnreadableDocument, type WarningSink } from './findings.js';
import type { DocumentLimits } from './limits.js';
import { readJson } from './json.js';
import { readUpload, uploadIn, type FormatSigns, type ReadSource, type SourceHints } from './upload.js';
import { vetDocument, vetText } from './vetting.js';
import { readYaml } from './yaml.js';

/**
 * Reads JSON, YAML, or a text of a format with a language of its own, or several such files in one upload; given as
 * bytes, text or parsed object. A text that starts like JSON is JSON and nothing else, unless `mediaType` says YAML:
 * what is broken must not pass as something laxer.
 *
 * @throws UnreadableDocument with line and column
 */
export async function readSource(
  source: Uint8Array | string | object,
  hints: SourceHints,
  limits: DocumentLimits,
  warnings: WarningSink,
): Promise<ReadSource> {
  const noted = recordingCodes(warnings);
  const parsed = parse(source, hints, limits, noted);
  const upload = uploadIn(parsed.raw, limits);
  if (upload === undefined) return vetted(parsed, limits, noted);
  const read = (content: string, sink: WarningSink): Promise<ReadSource> => {
    const own = recordingCodes(sink);
    return vetted(parse(content, { ...hints, mediaType: '', format: undefined }, limits, own), limits, own);
  };
  return readUpload(upload, hints, read, { limits, warnings });
}

interface Parsed {
  /** The text of a language of its own, or the value. */
  readonly raw: unknown;
  /** What was parsed; undefined where it was given as an object. */
  readonly text: string | undefined;
  readonly isJson: boolean;
}

function parse(
  source: Uint8Array | string | object,
  { mediaType, format, signs }: SourceHints,
  limits: DocumentLimits,
  warnings: WarningSink,
): Parsed {
  if (typeof source !== 'string' && !(source instanceof Uint8Array))
    return { raw: structuredClone(source), text: undefined, isJson: true };
  const text = decode(source, limits, warnings);
  const startsLikeJson = /^\s*[{[]/.test(text);
  if (!startsLikeJson && (signs.isText(format) || signs.recognise(text) !== undefined))
    return { raw: text, text, isJson: false };
  const isJson = startsLikeJson && !/yaml/i.test(mediaType);
  const onDuplicate = (pointer: string): void => {
    warnOfDuplicate(pointer, warnings);
  };
  const onShallowLines = (line: number, count: number): void => {
    const like = count > 1 ? `, as were ${String(count - 1)} lines like it below` : '';
    const detail = `Line ${String(line)} stands within a list, mapping or quoted text and no further in than its key, which YAML forbids; it was read as if it stood further in${like}.`;
    warnings.warn('yaml_mended', '', detail);
  };
  if (!isJson) refuseForeign(text, signs);
  const raw = isJson
    ? readJson(text, { maxNodes: limits.nodes, onDuplicate })
    : readYaml(text, limits, { onDuplicate, onShallowLines });
  if (typeof raw === 'object' && raw !== null) return { raw, text, isJson };
  // The value is not quoted: it may be a secret, whole or cut.
  const detail = `This is a single value (of ${String(text.trim().length)} characters), not a document. ${signs.lookedFor}`;
  throw new UnreadableDocument('unknown_format', detail);
}

/** Warns of a member that stands twice in one object, or a key in one mapping. */
export function warnOfDuplicate(pointer: string, warnings: WarningSink): void {
  const detail = 'This member stands there more than once; the last one was taken, the others are lost.';
  warnings.warn('duplicate_member', pointer, detail);
}

/** Warnings of parts of the text that its parsed value lacks, and that no check of the value has seen. */
const leavesOut = ['duplicate_member', 'member_dropped'];

async function vetted(
  { raw, text, isJson }: Parsed,
  limits: DocumentLimits,
  warnings: ReturnType<typeof recordingCodes>,
): Promise<ReadSource> {
  if (typeof raw === 'string') {
    const plain = await vetText(raw, warnings);
    return { text: plain, value: plain };
  }
  const value = cleanDocument(raw, limits, warnings);
  const redacted = await vetDocument(value, warnings);
  const isWhole = !redacted && !leavesOut.some((code) => warnings.codes.has(code));
  const asGiven = text !== undefined && isWhole && (isJson || !(await secretInComments(text, warnings)));
  return { text: asGiven ? text : checkSize(JSON.stringify(value), limits), value };
}

async function secretInComments(text: string, warnings: WarningSink): Promise<boolean> {
  const [first] = await findSecrets(text);
  if (!first) return false;
  const detail = `A secret (${first.kind}) stands in a comment; the document is stored without comments.`;
  warnings.warn('secret_redacted', '', detail);
  return true;
}

function decode(source: Uint8Array | string, limits: DocumentLimits, warnings: WarningSink): string {
  const text = typeof source === 'string' ? source.replace(/^\ufeff/, '') : decodeBytes(source, limits);
  checkSize(text, limits);
  if (text.trim() === '') {
    const detail = 'The document is empty. Send the text of an API description.';
    throw new UnreadableDocument('document_empty', detail);
  }
  // Decoding leaves no lone surrogates: U+FFFD stands for them. A search for it is quick, the expression is not.
  const halves = typeof source === 'string' && /\p{Surrogate}/u.test(text);
  if (!halves && !text.includes('\0') && !text.includes('\ufffd')) return text;
  refuseBinary(text);
  const detail = 'The text holds characters that could not be read; U+FFFD stands for them.';
  warnings.warn('characters_replaced', '', detail);
  return text.replace(/[\0\p{Surrogate}]/gu, '\ufffd');
}

/** Pictures, archives and programs: of the first characters more than one in fifty is one that no text has. */
function refuseBinary(text: string): void {
  const start = text.slice(0, 65_536);
  const controls = start.match(/[\0-\x08\x0e-\x1f]/g) ?? [];
  if (controls.length * 50 <= start.length) return;
  const detail = 'This is no text file. Choose an API description: YAML, JSON, .proto or GraphQL.';
  throw new UnreadableDocument('unsupported_format', detail);
}

function decodeBytes(bytes: Uint8Array, limits: DocumentLimits): string {
  if (bytes.byteLength > limits.bytes) throw tooLarge(limits);
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  return new TextDecoder(first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8').decode(bytes);
}

function checkSize(text: string, limits: DocumentLimits): string {
  if (text.length > limits.bytes) throw tooLarge(limits);
  return text;
}

function tooLarge({ bytes }: DocumentLimits): UnreadableDocument {
  const detail = `The document is larger than ${String(bytes / 1024 / 1024)} MiB. Split it into several.`;
  return new UnreadableDocument('document_too_large', detail);
}

/** Texts that are neither JSON nor YAML, recognised by their first characters. */
const foreign: readonly (readonly [sign: RegExp, kind: string])[] = [
  [/^<!doctype html|^<html/i, 'an HTML page'],
  [/^<\?xml|^<[a-z][\w:.-]*[\s>/]/i, 'an XML document (WSDL, WADL or another)'],
  [/^#%RAML/, 'RAML'],
  [/^#\s*API Blueprint|^FORMAT:\s*1A/i, 'API Blueprint'],
];

function refuseForeign(text: string, { lookedFor }: FormatSigns): void {
  const start = text.slice(0, 2_000).trimStart();
  const kind = foreign.find(([sign]) => sign.test(start))?.[1];
  if (kind === undefined) return;
  const detail = `This is ${kind}, which can't be imported. ${lookedFor}`;
  throw new UnreadableDocument('unsupported_format', detail);
}
