import { unpacked } from '../documents/archive.stream.js';
import { UnreadableDocument, WarningLog, type DocumentWarning, type Fault } from '../documents/findings.js';
import { isObject, readJson, type Json, type JsonObject } from '../documents/json.js';
import { warnOfDuplicate } from '../documents/read-source.js';
import { refusalWithoutSecrets, withoutQuotedSecrets } from '../documents/vetting.js';
import { sha256Hex } from '../kernel/canonical-json.js';
import {
  type EndpointOffer,
  type Enrichment,
  formatNames,
  readDescription,
  type ReadDescription,
  type WantedFormat,
} from '../formats/shared.js';
import { packText, unpackText } from '../platform/database/packed-text.js';

/** A document that was read: all that takes long is done, off the main thread. */
export interface ReadDocument extends Omit<ReadDescription, 'text'> {
  /** The text as it may be stored: secrets replaced, packed. */
  readonly spec: string;
  /** Hex SHA-256 of the UTF-8 bytes of the text. */
  readonly digest: string;
  /** Characters of all members, about. */
  readonly length: number;
}

/** What is to be read. */
export interface ReadTask {
  readonly body: Uint8Array | string;
  readonly mediaType: string;
  /**
   * Whether the body is the document, or a JSON object that holds the document as one member beside fields on it:
   * the name of that member. `document?`: an object that holds it if it looks like one, else the document.
   * `packed`: a document that was read before, as it is stored.
   */
  readonly holds: 'packed' | 'document' | 'spec' | 'document?';
  /** The format, where the body does not name it. */
  readonly format?: WantedFormat;
  readonly apiType?: string;
}

/** Why a document can't be read: what is wrong, where, and what to do. */
export interface Refusal {
  readonly code: string;
  readonly detail: string;
  /** Places within the document, and what is wrong there. */
  readonly faults: readonly Fault[];
}

export interface ReadResult {
  /** The fields beside the document. */
  readonly envelope: JsonObject;
  /** Absent where there is none, or it is refused. */
  readonly document?: ReadDocument;
  /** A result, not an error: the fields beside the document are looked at first. */
  readonly refusal?: Refusal;
}

/** Members that may stand beside a document in a body that may also be the document itself. */
const besides = new Set(['document', 'format', 'layer', 'publish', 'onConflict', 'createTags', 'dryRun']);

/**
 * Reads the body of an import. Throws UnreadableDocument where the body around the document can't be read. No word of the
 * answer quotes a secret of the document.
 */
export async function readImport(task: ReadTask): Promise<ReadResult> {
  try {
    const result = await readBody(task);
    if (jsonBytes(result.envelope) <= MAX_ENVELOPE_BYTES) return result;
    throw new UnreadableDocument(
      'invalid_body',
      `What stands beside the document in the body is longer than ${String(MAX_ENVELOPE_BYTES / 1024)} KiB, or too deeply nested. Leave out what does not belong there.`,
    );
  } catch (fault) {
    throw fault instanceof UnreadableDocument ? await refusalWithoutSecrets(fault) : fault;
  }
}

/** Bytes of the fields beside a document: more of them would be a load on the main thread. */
const MAX_ENVELOPE_BYTES = 256 * 1024;

/** Infinity where the value is nested too deeply to be walked. */
function jsonBytes(value: unknown): number {
  try {
    return Buffer.byteLength(JSON.stringify(value));
  } catch (error) {
    if (error instanceof RangeError) return Infinity;
    throw error;
  }
}

async function readBody(task: ReadTask): Promise<ReadResult> {
  if (task.holds === 'packed') {
    const text = await unpackText(String(task.body));
    return { envelope: {}, ...(await readOrRefuse(text, { ...task, mediaType: storedAs(text) }, {})) };
  }
  const twice: string[] = [];
  const whole = envelopeOf(task, (pointer) => twice.push(pointer));
  if (whole === undefined) return { envelope: {}, ...(await readOrRefuse(task.body, task, {})) };
  const name = memberOf(task.holds);
  const { [name]: document, ...envelope } = whole;
  if (document === undefined) return { envelope };
  const log = new WarningLog();
  for (const pointer of twice.filter((place) => place.startsWith(`/${name}/`)))
    warnOfDuplicate(pointer.slice(name.length + 1), log);
  return { envelope, ...(await readOrRefuse(document, task, envelope, log)) };
}

/** YAML may begin like JSON: a stored text that is no JSON is YAML. */
function storedAs(text: string): string {
  try {
    if (/^\s*[{[]/.test(text)) JSON.parse(text);
    return '';
  } catch {
    return 'application/yaml';
  }
}

async function readOrRefuse(
  source: Uint8Array | Json,
  task: ReadTask,
  fields: JsonObject,
  /** Warnings from before the document was read. */
  log = new WarningLog(),
): Promise<{ document: ReadDocument } | { refusal: Refusal }> {
  try {
    const document = await read(source, task, fields);
    const warnings = await withoutQuotedSecrets([...log.all(), ...document.warnings]);
    return { document: { ...document, warnings } };
  } catch (fault) {
    if (!(fault instanceof UnreadableDocument)) throw fault;
    const { code, detail, faults } = await refusalWithoutSecrets(fault);
    return { refusal: { code, detail, faults } };
  }
}

/** The member of a body that holds the document. */
const memberOf = (holds: ReadTask['holds']): string => (holds === 'spec' ? 'spec' : 'document');

/** The body as an object that holds a document; undefined where it may be the document itself, and is. */
function envelopeOf(
  { body, mediaType, holds }: ReadTask,
  onDuplicate: (pointer: string) => void,
): JsonObject | undefined {
  const optional = holds === 'document?';
  if (optional && !(/json/i.test(mediaType) && startsLikeEnvelope(body))) return undefined;
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const value = readJson(text, { onDuplicate, document: memberOf(holds) });
  if (isObject(value) && (!optional || Object.keys(value).every((name) => besides.has(name)))) return value;
  if (optional) return undefined;
  throw new UnreadableDocument('malformed_body', 'The body must be a JSON object.');
}

/** Decides by the first member, so that a document of megabytes is not parsed for it. */
function startsLikeEnvelope(body: Uint8Array | string): boolean {
  const start =
    typeof body === 'string' ? body.slice(0, 1_000) : new TextDecoder().decode(body.subarray(0, 1_000));
  const first = /^\s*\{\s*"(\w+)"/.exec(start)?.[1];
  return first !== undefined && besides.has(first);
}

async function read(source: Uint8Array | Json, task: ReadTask, fields: JsonObject): Promise<ReadDocument> {
  if (source === null || (typeof source !== 'string' && typeof source !== 'object')) {
    throw new UnreadableDocument('malformed_document', 'The document is neither a text nor an object.');
  }
  const said = fields['format'] ?? task.format;
  const { apiType, mediaType } = task;
  const {
    offers: all,
    text,
    enrichment,
    warnings,
    ...about
  } = await readDescription(await unpacked(source), {
    // Another value is refused where the envelope is checked.
    format: formatNames.find((name) => name === said) ?? 'auto',
    ...(apiType !== undefined && { apiType }),
    mediaType,
  });
  const [offers, unfit] = [all.filter(hasFitKey), all.filter((offer) => !hasFitKey(offer))];
  const spec = await packText(text);
  const fit = enrichment && withFitKeys(enrichment);
  return {
    ...about,
    spec,
    digest: sha256Hex(text),
    offers,
    enrichment: fit,
    warnings: [...warnings, ...unfit.map(keyTooLong)],
    length: offers.reduce(
      (sum, { facts }) => sum + facts.length,
      spec.length + JSON.stringify(fit ?? {}).length,
    ),
  };
}

/** Bytes of an endpoint key: it is indexed, and PostgreSQL's index entries are small. */
const MAX_KEY_BYTES = 1024;

const isFit = (key: string | undefined): boolean =>
  key === undefined || Buffer.byteLength(key) <= MAX_KEY_BYTES;

const hasFitKey = ({ endpoint }: EndpointOffer): boolean => isFit(endpoint);

/** Removes endpoint keys that are too long for any endpoint. */
function withFitKeys({ operations, ...enrichment }: Enrichment): Enrichment {
  const fit = operations
    .filter(({ key }) => isFit(key))
    .map(({ named, called, ...operation }) => ({
      ...operation,
      ...(named !== undefined && isFit(named) && { named }),
      ...(called !== undefined && isFit(called) && { called }),
    }));
  return { ...enrichment, operations: fit };
}

function keyTooLong({ endpoint }: EndpointOffer): DocumentWarning {
  const start = Array.from(endpoint).slice(0, 40).join('');
  const detail = `The endpoint ${start}… has a key of more than ${String(MAX_KEY_BYTES)} bytes; it was left out.`;
  return { code: 'operation_skipped', pointer: '', detail };
}
