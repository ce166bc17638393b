import { posix } from 'node:path';
import { checkPath, checkSize, malformed } from './archive-file.js';
import { UnreadableDocument, warningsWithin, type WarningSink } from './findings.js';
import { below, isObject, NOWHERE, textMember, type Json, type JsonObject } from './json.js';
import { uploadLimits, type DocumentLimits } from './limits.js';

/** A document parsed and made safe, and its text as it may be stored. */
export interface ReadSource {
  /** The text that was given, or that of the parsed document where secrets had to go. */
  readonly text: string;
  /** Of a format that is neither JSON nor YAML, the text. */
  readonly value: Json;
  /** The texts of such a format, where they were sent as several files. */
  readonly parts?: readonly { readonly path: string; readonly text: string }[];
}

/** How descriptions are recognised. */
export interface FormatSigns {
  /** Names the format of a document, or of a text that is neither JSON nor YAML. */
  recognise(document: Json): string | undefined;
  /** Tells whether a format has a language of its own. */
  isText(format: string | undefined): boolean;
  /** Names what is looked for, for whoever sent something else. */
  readonly lookedFor: string;
}

/** What is known of a source before it is read. */
export interface SourceHints {
  /** One of YAML admits YAML that starts with a brace. */
  readonly mediaType: string;
  /** What it should be, where somebody knows. */
  readonly format: string | undefined;
  readonly signs: FormatSigns;
}

/** Several files that were sent together, by path; `main` where the sender says which of them is the description. */
export interface Upload {
  readonly files: ReadonlyMap<string, string>;
  readonly main: string | undefined;
}

const READ = /\.(json|ya?ml|proto|graphqls?|gql)$/i;
/** Files that packers and editors add. */
const NOISE = /(^|\/)(__MACOSX|\.[^/]*|node_modules)(\/|$)/;
const USUAL = /(^|\/)(openapi|swagger|lightapi|openrpc|api|index|main|root|spec)[^/]*$/i;
/** Member of the description that holds the other files. */
const HOLDER = 'files';

/** Takes the files of `{files: {path: text}, main?}`; undefined of anything else. */
export function uploadIn(source: unknown, limits: DocumentLimits): Upload | undefined {
  if (!isObject(source)) return undefined;
  const { files, main, ...rest } = source;
  if (!isObject(files) || Object.keys(rest).length > 0) return undefined;
  if (main !== undefined && typeof main !== 'string') return undefined;
  const entries = Object.entries(files).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  if (entries.length === 0 || entries.length < Object.keys(files).length) return undefined;
  return { files: chosen(entries, limits), main };
}

/** Checks every path, also of files that are not read: who sends a way out of the folder is refused. */
function chosen(entries: readonly [string, string][], limits: DocumentLimits): ReadonlyMap<string, string> {
  for (const [path] of entries) {
    checkPath(path);
    if (path.split('/').includes('__proto__')) throw malformed('a file is called __proto__');
  }
  const files = entries.filter(([path]) => READ.test(path) && !NOISE.test(path));
  const size = files.reduce((sum, [, text]) => sum + text.length, 0);
  checkSize(entries.length, size, { files: uploadLimits.files, bytes: limits.bytes });
  if (files.length > 0) return new Map(files.sort(([a], [b]) => (a < b ? -1 : 1)));
  throw new UnreadableDocument(
    'document_empty',
    'None of the files is a description. Looked for .json, .yaml, .yml, .proto, .graphql, .graphqls and .gql.',
  );
}

/** Reads one text of an upload, as if it had been sent alone. */
export type FileReader = (content: string, warnings: WarningSink) => Promise<ReadSource>;

/**
 * Reads several files to one document: those of JSON and YAML bundled into the one that is the description, those of a
 * language of their own side by side. What refers out of the upload is not followed.
 */
export async function readUpload(
  { files, main }: Upload,
  hints: SourceHints,
  read: FileReader,
  { limits, warnings }: { readonly limits: DocumentLimits; readonly warnings: WarningSink },
): Promise<ReadSource> {
  const sources = new Map<string, ReadSource>();
  for (const [path, content] of files) {
    const at = below('', HOLDER, path);
    try {
      sources.set(path, await read(content, warningsWithin(warnings, at)));
    } catch (fault) {
      // A file that can't be read costs the others nothing, unless it is the description.
      if (!(fault instanceof UnreadableDocument)) throw fault;
      if (path === main) throw new UnreadableDocument(fault.code, `${path}: ${fault.detail}`, at);
      warnings.warn('file_skipped', at, `${path} was left out: ${fault.detail}`);
    }
  }
  const texts = [...sources].filter(([, { value }]) => typeof value === 'string');
  const documents = new Map(
    [...sources].flatMap(([path, { value }]): [string, Json][] =>
      typeof value === 'string' ? [] : [[path, value]],
    ),
  );
  if (texts.length > 0 && (documents.size === 0 || hints.signs.isText(hints.format))) {
    const parts = texts.map(([path, { text }]) => ({ path, text }));
    return { text: stored(sources), value: parts.map(({ text }) => text).join('\n'), parts };
  }
  const description = mainFile(documents, main, hints);
  const text = stored(sources, description);
  if (text.length > 2 * limits.bytes)
    throw new UnreadableDocument('document_too_large', 'The files are too large together.');
  return { text, value: bundle(description, documents) };
}

/** Writes the files as they are kept, and read again by a resync. */
function stored(sources: ReadonlyMap<string, ReadSource>, main?: string): string {
  const files = Object.fromEntries([...sources].map(([path, { text }]) => [path, text]));
  return JSON.stringify({ ...(main !== undefined && { main }), files });
}

/**
 * Finds the file that is the description: the one that is named; else of those that are one (of the format wanted) the
 * one nearest to the top, and of several there the one with a usual name.
 *
 * @throws UnreadableDocument `main_unknown` where there is none, or more than one
 */
function mainFile(
  documents: ReadonlyMap<string, Json>,
  named: string | undefined,
  { format: wanted, signs }: SourceHints,
): string {
  if (named !== undefined) {
    if (documents.has(named)) return named;
    throw mainUnknown(`There is no readable file ${named}`, documents.keys());
  }
  const known = [...documents].flatMap(([path, document]) => {
    const format = signs.recognise(document);
    return format === undefined ? [] : [{ path, format }];
  });
  const fitting = known.filter(({ format }) => format === wanted);
  const candidates = (fitting.length > 0 ? fitting : known).map(({ path }) => path);
  const depthOf = (path: string): number => path.split('/').length;
  const depth = Math.min(...candidates.map(depthOf));
  const top = candidates.filter((path) => depthOf(path) === depth);
  const usual = top.filter((path) => USUAL.test(path));
  const [first, ...others] = usual.length === 1 ? usual : top;
  if (first !== undefined && others.length === 0) return first;
  if (first === undefined) throw mainUnknown('None of the files is a description', documents.keys());
  throw mainUnknown('Several files are descriptions', top);
}

function mainUnknown(why: string, paths: Iterable<string>): UnreadableDocument {
  const listed = [...paths].slice(0, 10).join(', ');
  return new UnreadableDocument(
    'main_unknown',
    `${why}: ${listed}. Name the one to import as \`main\`, and send the files that it needs along.`,
    '/main',
  );
}

/**
 * Makes one document of several: the others stand under `files` by their paths, and references to them lead there. What
 * refers out of the upload stays as it is, and is not followed. The main document is changed.
 */
function bundle(main: string, documents: ReadonlyMap<string, Json>): Json {
  const root = documents.get(main);
  if (!isObject(root) || documents.size === 1) return root ?? null;
  const seen = new Set<object>();
  for (const [path, document] of documents) rewrite(document, path, { main, documents, seen });
  root[HOLDER] = Object.fromEntries([...documents].filter(([path]) => path !== main));
  return root;
}

interface Files {
  readonly main: string;
  readonly documents: ReadonlyMap<string, Json>;
  /** Done already: what aliases of YAML repeat is one object. */
  readonly seen: Set<object>;
}

/** @param isAddressed within a schema with an address (`$id`): references are relative to that, not to the document */
function rewrite(value: Json, path: string, files: Files, isAddressed = false): void {
  if (typeof value !== 'object' || value === null || files.seen.has(value)) return;
  files.seen.add(value);
  if (Array.isArray(value)) for (const item of value) rewrite(item, path, files, isAddressed);
  if (!isObject(value)) return;
  const id = textMember(value, '$id');
  const within = isAddressed || (id !== undefined && URL.canParse(id, NOWHERE));
  for (const [key, inner] of Object.entries(value)) {
    if (key === '$ref' && typeof inner === 'string') value[key] = placed(inner, path, files, within);
    else if (key === 'mapping' && isObject(inner)) rewriteMapping(inner, path, files);
    else rewrite(inner, path, files, within);
  }
}

/** Rewrites a discriminator's references, where they are no bare names. */
function rewriteMapping(mapping: JsonObject, path: string, files: Files): void {
  if (files.seen.has(mapping)) return;
  files.seen.add(mapping);
  for (const [name, target] of Object.entries(mapping)) {
    if (typeof target === 'string' && /[./#]/.test(target)) mapping[name] = placed(target, path, files);
  }
}

/**
 * Turns a reference into one that leads there from the main document. Within a schema with an address, what leads to a
 * file becomes absolute, and the rest stays.
 */
function placed(reference: string, from: string, { main, documents }: Files, isAddressed = false): string {
  if (isAddressed && reference.startsWith('#')) return reference;
  const [file = '', ...fragments] = reference.split('#');
  if (/^[a-z][a-z\d+.-]*:|^\/|\\/i.test(file)) return reference;
  const path = file === '' ? from : posix.join(posix.dirname(from), decoded(file));
  const fragment = fragments.join('#');
  if (!documents.has(path) || (fragment !== '' && !fragment.startsWith('/'))) return reference;
  const at = path === main ? '' : below('', HOLDER, path).replaceAll('%', '%25');
  const place = `#${at}${fragment}`;
  return isAddressed && place !== reference ? `${NOWHERE}${place}` : place;
}

function decoded(file: string): string {
  try {
    return decodeURIComponent(file);
  } catch {
    return file;
  }
}
