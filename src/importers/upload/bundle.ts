import { posix } from 'node:path';
import type { Json, JsonObject } from '../imported.js';
import { below, isObject, textMember } from '../json-reading.js';
import { NOWHERE } from '../schema/resource-ids.js';

/** Where the other files stand in the one that is imported. */
const HOLDER = 'files';

/**
 * Makes one document of several: the others stand under `files` by their paths, and references to them lead there. What
 * refers out of the upload stays as it is, and is not followed. The main document is changed.
 */
export function bundle(main: string, documents: ReadonlyMap<string, Json>): Json {
  const root = documents.get(main);
  if (!isObject(root) || documents.size === 1) return root ?? null;
  const seen = new Set<object>();
  for (const [path, document] of documents) rewrite(document, path, { main, documents, seen });
  const others = [...documents].filter(([path]) => path !== main);
  root[HOLDER] = Object.fromEntries(others);
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
  const within = isAddressed || isAddress(textMember(value, '$id'));
  for (const [key, inner] of Object.entries(value)) {
    if (key === '$ref' && typeof inner === 'string')
      value[key] = within ? placedWithin(inner, path, files) : placed(inner, path, files);
    else if (key === 'mapping' && isObject(inner)) rewriteMapping(inner, path, files);
    else rewrite(inner, path, files, within);
  }
}

const isAddress = (id: string | undefined): boolean => id !== undefined && URL.canParse(id, NOWHERE);

/** The same below a schema with an address: what stands there stays, what leads to a file is absolute. */
function placedWithin(reference: string, from: string, files: Files): string {
  if (reference.startsWith('#')) return reference;
  const place = placed(reference, from, files);
  return place === reference ? reference : `${NOWHERE}${place}`;
}

/** Of a discriminator: names to references, where they are no bare names. */
function rewriteMapping(mapping: JsonObject, path: string, files: Files): void {
  if (files.seen.has(mapping)) return;
  files.seen.add(mapping);
  for (const [name, target] of Object.entries(mapping)) {
    if (typeof target === 'string' && /[./#]/.test(target)) mapping[name] = placed(target, path, files);
  }
}

/** The reference as it leads from the main document. */
function placed(reference: string, from: string, { main, documents }: Files): string {
  const [file = '', ...fragments] = reference.split('#');
  if (/^[a-z][a-z\d+.-]*:|^\/|\\/i.test(file)) return reference;
  const path = file === '' ? from : posix.join(posix.dirname(from), decoded(file));
  const fragment = fragments.join('#');
  if (!documents.has(path) || (fragment !== '' && !fragment.startsWith('/'))) return reference;
  return path === main ? `#${fragment}` : `#${encoded(below('', HOLDER, path))}${fragment}`;
}

function decoded(file: string): string {
  try {
    return decodeURIComponent(file);
  } catch {
    return file;
  }
}

function encoded(pointer: string): string {
  return pointer.replaceAll('%', '%25');
}
