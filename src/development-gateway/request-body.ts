/** Makes the body of a request: JSON, a form, the parts of a multipart, or what is sent as it is. */
import { randomUUID } from 'node:crypto';
import { isObject } from '../documents/json.js';
import type { ParameterRoute } from '../gateways/shared.js';
import { invalidArgument } from './call-result.js';
import { bytesIn, bytesOf, imageType, schemaBelow, schemaOf, schemaOfItems } from './bytes-argument.js';
import { inForm, inPart, isJson, pairsOf, textOf } from './parameter-text.js';
import type { Placed, Requested } from './placed-argument.js';

export interface Body {
  readonly content: string | Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

/** Makes the body; undefined where no argument goes there, and it may be left out. */
export function bodyOf(tool: Requested, members: readonly Placed[]): Body | undefined {
  const routes = Object.values(tool.parameters).filter((each) => each.in === 'body');
  if (members.length === 0 && !routes.some(({ always }) => always === true)) return undefined;
  const mediaType = mediaTypeOf(routes);
  const whole = members.find(({ route }) => route.name === '');
  const headers = { 'content-type': mediaType };
  if (isJson(mediaType))
    return { content: JSON.stringify(whole === undefined ? named(members) : whole.value), headers };
  const isForm = /^(application\/x-www-form-urlencoded|multipart\/)/i.test(mediaType);
  if (isForm && whole !== undefined && !isObject(whole.value))
    return { content: formText(whole, mediaType), headers };
  const schema = whole && schemaOf(tool.inputSchema, whole.argument);
  const fields =
    whole === undefined ? membersAsFields(tool, members) : fieldsOf(whole, schema, tool.inputSchema);
  if (/^application\/x-www-form-urlencoded/i.test(mediaType))
    return { content: fields.flatMap((field) => said(tool, field, formFields(field))).join('&'), headers };
  if (/^multipart\//i.test(mediaType))
    return multipart(
      mediaType,
      fields.flatMap((field) => said(tool, field, partsOf(field, tool.inputSchema))),
    );
  if (whole === undefined) return { content: JSON.stringify(named(members)), headers };
  const isBinary = typeof whole.value === 'string' && bytesIn(schema, tool.inputSchema) !== undefined;
  if (!isBinary) return { content: textOf(whole.value), headers };
  const content = bytesOf(whole);
  const isAnyImage = /^image\/\*/i.test(routes[0]?.mediaType ?? '');
  return { content, headers: isAnyImage ? { 'content-type': imageType(content) ?? mediaType } : headers };
}

/** A form that comes as one text, written already. */
function formText({ argument, value }: Placed, mediaType: string): string {
  if (typeof value === 'string' && !/^multipart/i.test(mediaType)) return value;
  throw invalidArgument(argument, 'is no object, whose members the fields of the form are');
}

const named = (members: readonly Placed[]) =>
  Object.fromEntries(members.map(({ route, value }) => [route.name, value]));

/** Media type of the body; JSON where any is allowed. */
function mediaTypeOf(routes: readonly ParameterRoute[]): string {
  const { mediaType = 'application/json' } = routes[0] ?? {};
  const [kind = ''] = mediaType.split('/');
  if (!mediaType.includes('*')) return mediaType;
  return rangeTypes[kind.toLowerCase()] ?? 'application/octet-stream';
}

/** What is sent where a document allows all media types of a kind. */
const rangeTypes: Readonly<Record<string, string>> = {
  '*': 'application/json',
  application: 'application/json',
  text: 'text/plain',
  multipart: 'multipart/form-data',
};

/** A field of a form, or a part of a multipart body. */
interface Field extends Placed {
  readonly schema: unknown;
  /** Whether it is a member of the argument, and not the argument itself. */
  readonly isWithin?: true;
}

const membersAsFields = ({ inputSchema }: Requested, members: readonly Placed[]): readonly Field[] =>
  members.map((member) => ({ ...member, schema: schemaOf(inputSchema, member.argument) }));

/** The members of a form that is one argument. */
function fieldsOf(
  { argument, value }: Placed,
  schema: unknown,
  root: Requested['inputSchema'],
): readonly Field[] {
  if (!isObject(value)) return [];
  return Object.entries(value).map(([name, item]) => {
    return {
      argument,
      route: { in: 'body', name },
      value: item,
      schema: schemaBelow(schema, name, root),
      isWithin: true,
    };
  });
}

/** Refuses an argument that is required, and of which nothing would be written: an empty list. */
function said<Written>(
  { inputSchema: { required } }: Requested,
  { argument, value, isWithin }: Field,
  written: readonly Written[],
): readonly Written[] {
  const isNothing = written.length === 0 && value !== null;
  if (isNothing && Array.isArray(required) && required.includes(argument) && isWithin !== true)
    throw invalidArgument(argument, 'is required and empty, which a form can’t say: give something in it');
  return written;
}

/** Writes a field of a form; an object without a style as JSON, as OpenAPI 3.1 says. */
function formFields({ route, value }: Placed): readonly string[] {
  if (value === null) return [];
  const asJson = route.partType === undefined ? isObject(value) && !hasStyle(route) : isJson(route.partType);
  const pairs = pairsOf(route, asJson ? JSON.stringify(value) : value, inForm);
  return pairs.map((pair) => pair.join('='));
}

const hasStyle = ({ style, explode }: ParameterRoute): boolean =>
  style !== undefined || explode !== undefined;

/** One part of a multipart body; with a file name where it is bytes. */
interface Part {
  readonly name: string;
  readonly content: string | Uint8Array<ArrayBuffer>;
  readonly type?: string | undefined;
  readonly fileName?: string;
}

/** The items of a list are parts of the same name, unless the whole list is said to be JSON. */
function partsOf(field: Field, root: Requested['inputSchema']): readonly Part[] {
  const { route, value, schema } = field;
  const { name, partType } = route;
  if (value === null) return [];
  if (partType !== undefined && isJson(partType))
    return [{ name, content: JSON.stringify(value), type: partType }];
  if (partType === undefined && hasStyle(route) && typeof value === 'object')
    return pairsOf(route, value, inPart).map(([key, content]) => ({ name: key, content }));
  if (!Array.isArray(value)) return [partOf(field, root)];
  const ofItems = schemaOfItems(schema, root);
  return value.map((item: unknown) => partOf({ ...field, value: item, schema: ofItems }, root));
}

function partOf(field: Field, root: Requested['inputSchema']): Part {
  const { route, value, schema } = field;
  const { name, partType } = route;
  const bytes = typeof value === 'string' ? bytesIn(schema, root) : undefined;
  if (bytes !== undefined) {
    const type = partType ?? bytes.mediaType ?? 'application/octet-stream';
    return { name, content: bytesOf(field), type, fileName: name };
  }
  const isNested = typeof value === 'object' && value !== null;
  return { name, content: textOf(value), type: partType ?? (isNested ? 'application/json' : undefined) };
}

function multipart(mediaType: string, parts: readonly Part[]): Body {
  const boundary = `part-${randomUUID()}`;
  const written = parts.flatMap(({ name, content, type, fileName }) => [
    `--${boundary}\r\n`,
    `Content-Disposition: form-data; name="${quoted(name)}"`,
    ...(fileName === undefined ? [] : [`; filename="${quoted(fileName)}"`]),
    ...(type === undefined ? [] : [`\r\nContent-Type: ${type.replaceAll(/[^\t\x20-\x7e]/g, '')}`]),
    ...['\r\n\r\n', content, '\r\n'],
  ]);
  const chunks = [...written, `--${boundary}--\r\n`].map((each) =>
    typeof each === 'string' ? Buffer.from(each) : each,
  );
  const content = Buffer.concat(chunks);
  const [bare = mediaType] = mediaType.split(';');
  return { content, headers: { 'content-type': `${bare.trim()}; boundary=${boundary}` } };
}

/** As browsers write names of parts. */
function quoted(text: string): string {
  return text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
