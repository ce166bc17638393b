/** Arguments that are bytes: JSON has none, so they come in base64, and their schema says so. */
import { definitionNamed, isObject } from '../documents/json.js';
import { invalidArgument } from './call-result.js';
import type { Placed, Requested } from './placed-argument.js';

type Root = Requested['inputSchema'];

/** What the schema of the tool says of an argument. */
export const schemaOf = (root: Root, argument: string): unknown => schemaBelow(root, argument, root);

/** What the schema of an object says of a member, and that of a list of its items, whatever either is composed of. */
export function schemaBelow(schema: unknown, name: string, root: Root): unknown {
  return eitherOf(schema, root, (part) => memberOf(part['properties'], name) ?? part['additionalProperties']);
}
export const schemaOfItems = (schema: unknown, root: Root): unknown =>
  eitherOf(schema, root, (part) => part['items']);

function eitherOf(schema: unknown, root: Root, of: (part: Root) => unknown): unknown {
  const found = partsOf(schema, root).map(of).filter(isObject);
  return found.length > 1 ? { anyOf: found } : found[0];
}

/** A schema and those that it is composed of, which speak of the same value: references followed, each once. */
function partsOf(schema: unknown, root: Root): readonly Root[] {
  const found = new Set<Root>();
  const add = (part: unknown): void => {
    if (!isObject(part) || found.has(part)) return;
    found.add(part);
    if (typeof part['$ref'] === 'string') add(definition(part['$ref'], root));
    for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
      const listed = part[keyword];
      if (Array.isArray(listed)) listed.forEach(add);
    }
  };
  add(schema);
  return [...found];
}

/** Tells, with the media type where it is said, whether a schema is of bytes: by `contentEncoding: base64`, formerly `format: binary`. */
export function bytesIn(schema: unknown, root: Root): { readonly mediaType?: string } | undefined {
  const bytes = partsOf(schema, root).find(
    ({ contentEncoding, format }) => contentEncoding === 'base64' || format === 'binary',
  );
  if (bytes === undefined) return undefined;
  const { contentMediaType } = bytes;
  return typeof contentMediaType === 'string' ? { mediaType: contentMediaType } : {};
}

function definition(reference: string, root: Root): unknown {
  const name = definitionNamed(reference);
  return name === undefined ? undefined : memberOf(root['$defs'], name);
}

const memberOf = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** The bytes of a text in base64, also that of addresses (RFC 4648, section 5). */
export function bytesOf({ argument, value }: Placed): Uint8Array<ArrayBuffer> {
  const text = String(value).replaceAll(/\s/g, '');
  const isBase64 = /^[\w+/-]*={0,2}$/.test(text) && text.replaceAll('=', '').length % 4 !== 1;
  if (!isBase64) throw invalidArgument(argument, 'is not in base64, in which bytes are given');
  return Buffer.from(text, 'base64');
}

const images: readonly (readonly [mediaType: string, beginning: RegExp])[] = [
  ['image/png', /^\x89PNG/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8/],
  ['image/webp', /^RIFF.{4}WEBP/s],
];

/** The media type of an image, by how it begins. */
export function imageType(bytes: Uint8Array): string | undefined {
  const beginning = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  return images.find(([, pattern]) => pattern.test(beginning))?.[0];
}
