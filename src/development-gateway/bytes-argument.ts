/** Arguments that are bytes: JSON has none, so they come in base64, and their schema says so. */
import { definitionNamed, isObject } from '../documents/json.js';
import { invalidArgument } from './call-result.js';
import type { Placed, Requested } from './placed-argument.js';

type Root = Requested['inputSchema'];

/** What the schema of the tool says of an argument. */
export const schemaOf = (root: Root, argument: string): unknown => memberOf(root['properties'], argument);

/** What the schema of an object says of a member, and that of a list of its items. */
export const schemaBelow = (schema: unknown, name: string): unknown =>
  memberOf(memberOf(schema, 'properties'), name);
export const schemaOfItems = (schema: unknown): unknown => memberOf(schema, 'items');

/** Tells, with the media type where it is said, whether a schema is of bytes: by `contentEncoding: base64`, formerly `format: binary`. */
export function bytesIn(
  schema: unknown,
  root: Root,
  seen = new Set<unknown>(),
): { readonly mediaType?: string } | undefined {
  if (!isObject(schema) || seen.has(schema)) return undefined;
  seen.add(schema);
  const { contentEncoding, contentMediaType, format, $ref } = schema;
  if (contentEncoding === 'base64' || format === 'binary')
    return typeof contentMediaType === 'string' ? { mediaType: contentMediaType } : {};
  const target = typeof $ref === 'string' ? definition($ref, root) : undefined;
  const branches = ['anyOf', 'oneOf', 'allOf'].flatMap((keyword) => {
    const listed = schema[keyword];
    return Array.isArray(listed) ? listed : [];
  });
  for (const branch of [target, ...branches]) {
    const found = bytesIn(branch, root, seen);
    if (found !== undefined) return found;
  }
  return undefined;
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
