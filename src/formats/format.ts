import { UnreadableDocument, type WarningSink } from '../documents/findings.js';
import { entriesOf, textMember, type Json } from '../documents/json.js';
import type { DocumentLimits } from '../documents/limits.js';
import type { ReadSource } from '../documents/upload.js';
import type { EndpointFacts } from './endpoint-facts.js';

/** One format of API descriptions. {@link formats} lists them; whatever depends on a format follows from that list. */
export interface Format {
  /** Names the format in requests. */
  readonly name: string;
  /** Type of the API versions that its documents go into, by which reports name the format. */
  readonly apiType: string;
  /** Names a document of the format within a sentence. */
  readonly title: string;
  /** Says what a document is recognised by, for whoever sent something else. */
  readonly signs: string;
  /** Whether its documents are texts of a language of their own, neither JSON nor YAML. */
  readonly isText?: boolean;
  recognise(document: Json): boolean;
  /** Whether a document that says too little of itself is read as this format where the caller names it. */
  accepts?(document: Json): boolean;
  /**
   * Reads the operations of a document. Loads the parser when it is called: the service and the command line know the
   * formats, only workers parse.
   *
   * @throws UnreadableDocument
   */
  read(source: ReadSource, context: ReadContext): Promise<Description>;
}

export interface ReadContext {
  readonly limits: DocumentLimits;
  readonly warnings: WarningSink;
}

/** What a document says of its API. */
export interface Description extends Partial<ApiInfo> {
  /** `3.1.0`, `2025-11-25`, `proto3`, …; where the document does not say, the version that it is read by. */
  readonly formatVersion: string;
  /** No key twice. */
  readonly operations: readonly DescribedOperation[];
  /** Where the document can speak of endpoints that have another source. */
  readonly enrichment?: Enrichment;
}

export interface ApiInfo {
  readonly title?: string | undefined;
  readonly version?: string | undefined;
}

export interface DescribedOperation {
  /** Endpoint key: `/accounts/{accountNo}@get`, `<toolName>@call`. */
  readonly endpoint: string;
  /** RFC 6901, where it stands in the document; for faults. */
  readonly pointer?: string;
  /** What a tool of it is to be called; its source name where left out. Made to fit, and unique in the document. */
  readonly toolName?: string | undefined;
  /** All but what follows: the name, and the format as `sourceProtocol`. */
  readonly facts: GivenFacts & { readonly method: string; readonly path: string };
}

/** Facts with members that may be undefined or empty, which is not said. */
export type GivenFacts = { readonly [Member in keyof EndpointFacts]: EndpointFacts[Member] | undefined };

/** What a document says of an endpoint that another document says how to call. */
export interface EnrichingOperation {
  /** The endpoint's key where it enriches none. */
  readonly key: string;
  /** The key that it had in versions of this program that made another one of it. */
  readonly formerKey?: string;
  /** Whether it is called over HTTP; else it is one that is called by name. */
  readonly isHttp: boolean;
  /** Variables of its path that no input fills. */
  readonly unfilled: readonly string[];
  /** How the source may call the endpoint, or its tool. */
  readonly operationId: string;
  /** Key of the endpoint, where the document says it, and that of its method and path. */
  readonly named?: string;
  readonly called?: string;
  readonly facts: EndpointFacts;
  /** What holds of it because it holds of the API, or because the part on the API names it. */
  readonly inherited: EndpointFacts;
  /** The API version that the operation was exported from, where nobody has altered it since. */
  readonly exportedFrom?: string;
}

export interface Enrichment {
  readonly operations: readonly EnrichingOperation[];
  /** What holds of every endpoint of the API that no operation speaks of. */
  readonly inherited: EndpointFacts;
  /** Whether the document speaks of the whole API, or of its operations alone. */
  readonly wholeApi: boolean;
  /** As with an operation, of what is said of the API. */
  readonly exportedFrom?: string;
}

/** Where one property of the logical input schema goes on the wire. */
export type ParameterRoute = {
  readonly in: 'path' | 'query' | 'header' | 'cookie' | 'body' | 'argument';
  /**
   * Name on the wire; the empty string for a body that is no object (property `body`), and for a parameter that is the
   * whole query string (OpenAPI 3.2). Arguments without a route, where the schema admits them, are members of the body.
   */
  readonly name: string;
  /** OpenAPI serialization, where it is not the default of the location. */
  readonly style?: string;
  readonly explode?: boolean;
  /** Where it is not `application/json` in a body; of a parameter that is encoded in a media type. */
  readonly mediaType?: string;
  /** Of a part of a multipart body or a field of a form: its own media type, where the document says it. */
  readonly partType?: string;
  /** Of a member of a body that is required though none of its members are: it is sent, and be it empty. */
  readonly always?: boolean;
};

/** Routes each property of a schema as an argument of a call by name. */
export function argumentRoutes(
  schema: Readonly<Record<string, unknown>>,
  wireNames: ReadonlyMap<string, string> = new Map(),
): Record<string, ParameterRoute> {
  const names = entriesOf(schema['properties']).map(([name]) => name);
  return Object.fromEntries(
    names.map((name) => [name, { in: 'argument', name: wireNames.get(name) ?? name } as const]),
  );
}

/** Members that are not said where they are empty. */
const emptyIsUnsaid: ReadonlySet<string> = new Set(
  'description tags scopes extras routing safety'.split(' '),
);

/** Leaves out what is not said. */
export function saidFacts(given: GivenFacts): EndpointFacts {
  const said = Object.entries(given).filter(([member, value]: [string, unknown]) => {
    if (value === undefined || value === '') return false;
    const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
    return !(isEmpty && emptyIsUnsaid.has(member));
  });
  return Object.fromEntries(said);
}

/** Reads the title and the version of an API from the member `info` of its description. */
export function infoOf(info: Json | undefined): ApiInfo {
  return { title: textMember(info, 'title'), version: textMember(info, 'version') };
}

/** @throws UnreadableDocument `document_too_large` */
export function refuseTooMany(operations: number, limits: DocumentLimits, pointer: string): void {
  if (operations <= limits.operations) return;
  throw new UnreadableDocument(
    'document_too_large',
    `The document has ${String(operations)} operations; at most ${String(limits.operations)} can be imported. Split it into several.`,
    pointer,
  );
}

/** The first line that is no comment is a member with a value. */
const startsLikeYaml = /^(\s*(#[^\n]*)?\n|---[^\n]*\n)*\s*(['"]?)[\w$.-]+\3\s*:(\s|$)/;
/** Comments and a description, which may stand on one line with what they describe. */
const preamble = /^(?:\s|#[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\/|"""[\s\S]*?"""|"[^"\n]*")+/;

/** Tells whether a document is a text, no YAML, and begins with one of these signs. */
export function isTextWith(document: Json, signs: readonly RegExp[]): boolean {
  if (typeof document !== 'string') return false;
  const start = document.slice(0, 20_000);
  if (startsLikeYaml.test(start)) return false;
  const body = start.replace(preamble, '');
  return signs.some((sign) => sign.test(body));
}
