import { UnreadableDocument, WarningLog, type DocumentWarning } from '../documents/findings.js';
import { byCodePoint } from '../documents/json.js';
import { documentLimits, type DocumentLimits } from '../documents/limits.js';
import { readSource } from '../documents/read-source.js';
import { endpointOffer, type EndpointOffer } from './endpoint-facts.js';
import { saidFacts, type ApiInfo, type Description, type Enrichment, type ReadContext } from './format.js';
import { formatOf, formatSigns, type DescribedApiType, type WantedFormat } from './formats.js';
import { nameAll } from './naming.js';
import { fitOperation, warnOfSize } from './schema/fitting.js';

export interface ReadOptions {
  /** `auto`: recognised by what stands in the document. */
  readonly format: WantedFormat;
  /** `apiType` of the API version; named in errors. */
  readonly apiType?: string;
  /** Content type that the document came with; one of YAML admits YAML that starts with a brace. */
  readonly mediaType?: string;
  readonly limits?: Partial<DocumentLimits>;
}

/** A description that was read, whatever its format. */
export interface ReadDescription extends ApiInfo {
  /** The API type that the document is of. */
  readonly format: DescribedApiType;
  readonly formatVersion: string;
  /** As it may be stored: secrets replaced. */
  readonly text: string;
  /** Ordered by key, code point by code point; no key twice. */
  readonly offers: readonly EndpointOffer[];
  readonly enrichment?: Enrichment | undefined;
  readonly warnings: readonly DocumentWarning[];
}

/**
 * Reads an API description: bytes or text or the parsed object, to the facts of the endpoints in it. Opens no connection,
 * reads no file and runs nothing, whatever the document says.
 *
 * @throws UnreadableDocument what is wrong, with line and column or a pointer, and what to do
 */
export async function readDescription(
  source: Uint8Array | string | object,
  options: ReadOptions,
): Promise<ReadDescription> {
  try {
    return await read(source, options);
  } catch (fault) {
    // The engine gives up: a text too long to be one, a recursion too deep for the stack.
    if (!(fault instanceof RangeError)) throw fault;
    const detail = `The document can't be read with the means at hand (${fault.message}). Split it into several, or simplify it.`;
    throw new UnreadableDocument('document_too_expensive', detail);
  }
}

async function read(
  source: Uint8Array | string | object,
  { mediaType = '', format: wanted, apiType, limits: given }: ReadOptions,
): Promise<ReadDescription> {
  const limits = { ...documentLimits, ...given };
  const warnings = new WarningLog();
  const hints = { mediaType, format: wanted === 'auto' ? apiType : wanted, signs: formatSigns };
  const document = await readSource(source, hints, limits, warnings);
  const format = formatOf(document.value, wanted, apiType);
  const { title, version, formatVersion, operations, enrichment } = await format.read(document, {
    limits,
    warnings,
  });
  const said = format.apiType as DescribedApiType;
  const fitted = operations.map((operation) => fitOperation(operation, warnings));
  const offers = offersOf(fitted, said, { limits, warnings });
  const { text } = document;
  return { format: said, formatVersion, title, version, text, offers, enrichment, warnings: warnings.all() };
}

/** Many operations may each carry the same large definitions: what they come to together is limited too. */
function offersOf(
  operations: Description['operations'],
  format: DescribedApiType,
  { limits: { totalLength }, warnings }: ReadContext,
): EndpointOffer[] {
  const names = nameAll(
    operations.map(({ endpoint, toolName, facts: { sourceName, method, path } }) => {
      return { key: endpoint, toolName: toolName ?? sourceName, method, path };
    }),
  );
  let length = 0;
  const offers = operations.map((operation) => {
    const { endpoint, facts, pointer } = operation;
    const name = names.get(endpoint) ?? '';
    const offer = endpointOffer(endpoint, saidFacts({ ...facts, name, sourceProtocol: format }));
    length += offer.facts.length;
    warnOfSize(operation, offer.facts.length, warnings);
    if (length <= totalLength) return offer;
    throw new UnreadableDocument(
      'document_too_large',
      `With what they refer to, the operations are longer than ${String(totalLength / 1024 / 1024)} MiB. Split the document into several.`,
      pointer,
    );
  });
  return offers.sort((a, b) => byCodePoint(a.endpoint, b.endpoint));
}
