import { detectFormat, formatSigns, type WantedFormat } from './detect-format.js';
import { UnreadableDocument, WarningLog } from '../documents/findings.js';
import type { DocumentFormat, ImportedDocument } from './imported.js';
import type { JsonObject } from '../documents/json.js';
import { documentLimits, type DocumentLimits } from '../documents/limits.js';
import { readSource } from '../documents/read-source.js';
import type { ReadSource } from '../documents/upload.js';
import { importGraphQl } from './graphql/import-graphql.js';
import { importProto } from './grpc/import-proto.js';
import { importLightApi } from './lightapi/import-lightapi.js';
import { importToolsList } from './mcp/import-tools-list.js';
import { importOpenApi } from './openapi/import-openapi.js';
import { importOpenRpc } from './openrpc/import-openrpc.js';

export interface ParseOptions {
  /** `auto`: told by what stands in the document. */
  readonly format: WantedFormat;
  /** `apiType` of the API version; named in errors. */
  readonly apiType?: string;
  /** Content type that the document came with; one of YAML admits YAML that starts with a brace. */
  readonly mediaType?: string;
  readonly limits?: Partial<DocumentLimits>;
}

/** An imported document, and its text as it may be stored: secrets replaced. */
export interface ParsedDocument extends ImportedDocument {
  readonly text: string;
}

/**
 * Reads an API description: bytes or text (JSON, YAML) or the parsed object, to the endpoints in it. Opens no
 * connection, reads no file and runs nothing, whatever the document says.
 *
 * @throws UnreadableDocument what is wrong, with line and column or a pointer, and what to do
 */
export async function parseDocument(
  source: Uint8Array | string | object,
  options: ParseOptions,
): Promise<ParsedDocument> {
  const limits = { ...documentLimits, ...options.limits };
  try {
    return await parse(source, options, limits);
  } catch (fault) {
    if (fault instanceof RangeError) throw tooExpensive(fault);
    throw fault;
  }
}

/** The engine gives up: a text too long to be one, a recursion too deep for the stack. */
function tooExpensive(fault: RangeError): UnreadableDocument {
  return new UnreadableDocument(
    'document_too_expensive',
    `The document can't be read with the means at hand (${fault.message}). Split it into several, or simplify it.`,
  );
}

type Importer = (source: ReadSource, limits: DocumentLimits, warnings: WarningLog) => ImportedDocument;

const importers: Readonly<Record<DocumentFormat, Importer>> = {
  openapi: ({ value }, ...rest) => importOpenApi(value as JsonObject, ...rest),
  mcp: ({ value }, ...rest) => importToolsList(value, ...rest),
  lightapi: ({ value }, ...rest) => importLightApi(value as JsonObject, ...rest),
  openrpc: ({ value }, ...rest) => importOpenRpc(value, ...rest),
  graphql: ({ value }, ...rest) => importGraphQl(value, ...rest),
  grpc: ({ text, parts = [{ path: '', text }] }, ...rest) => importProto(parts, ...rest),
};

async function parse(
  source: Uint8Array | string | object,
  options: ParseOptions,
  limits: DocumentLimits,
): Promise<ParsedDocument> {
  const warnings = new WarningLog();
  const { mediaType = '', format: wanted, apiType } = options;
  const hint = wanted === 'auto' ? apiType : wanted;
  const read = await readSource(source, { mediaType, format: hint, signs: formatSigns }, limits, warnings);
  const format = detectFormat(read.value, wanted, apiType);
  return { ...importers[format](read, limits, warnings), text: read.text };
}
