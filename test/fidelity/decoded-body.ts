/** Takes the body of a request apart by its content type and what the document says of it. */
import { isObject, type JsonObject } from '../../src/documents/json.js';
import {
  asJson,
  asText,
  decoded,
  type JudgedCall,
  pairFaults,
  pairsIn,
  same,
  sameTexts,
  wrong,
  type WrongPart,
} from './written-texts.js';
import { type DescribedMedia, type Encoding, followed, propertiesOf } from './described-operations.js';

/** What was asked for as the body: of one argument as a whole, or of those that are its members. */
function askedBody({ routes, args }: JudgedCall): unknown {
  const members: [string, unknown][] = [];
  for (const [argument, value] of Object.entries(args)) {
    const route = Object.hasOwn(routes, argument) ? routes[argument] : undefined;
    if (route !== undefined && route.in !== 'body') continue;
    if (route?.name === '') return value;
    members.push([route?.name ?? argument, value]);
  }
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

export function bodyFaults(call: JudgedCall, contentType: string | undefined): readonly WrongPart[] {
  const { operation, request } = call;
  const { body } = operation;
  const asked = askedBody(call);
  if (body === undefined)
    return request.body.length === 0 && asked === undefined
      ? []
      : [wrong('body: the operation has none', asked)];
  if (contentType === undefined) {
    if (body.required && body.contents.size > 0)
      return [wrong('body: it is required and was not sent', asked)];
    return asked === undefined ? [] : [wrong('body: not sent', asked)];
  }
  const media = mediaFor(contentType, body.contents);
  if (media === undefined && body.contents.size > 0)
    return [wrong('body: a content type that the document does not have', contentType)];
  const described = media ?? { schema: {}, encoding: {} };
  const text = Buffer.from(request.body).toString();
  if (isJson(contentType)) return same('body: JSON', asJson(text), asked ?? {});
  if (/^application\/x-www-form-urlencoded/i.test(contentType))
    return typeof asked === 'string'
      ? same('form: a text as it is', text, asked)
      : formFaults(call, described, asked);
  if (/^multipart\//i.test(contentType)) return multipartFaults(call, described, { asked, contentType });
  const isBytes = isBinary(followed(described.schema, call.document), contentType);
  const wanted = isBytes ? Buffer.from(asText(asked), 'base64') : Buffer.from(asText(asked));
  return Buffer.compare(Buffer.from(request.body), wanted) === 0
    ? []
    : [wrong(isBytes ? 'body: bytes' : 'body: text', { written: text.slice(0, 200), wanted: asked })];
}

const isJson = (type: string): boolean => /^[\w.-]+\/(?:[\w.-]+\+)?json\b/i.test(type.trim());

function mediaFor(
  contentType: string,
  contents: ReadonlyMap<string, DescribedMedia>,
): DescribedMedia | undefined {
  const [bare = ''] = contentType.toLowerCase().split(';');
  const isRange = (range: string): boolean =>
    range === '*/*' || (range.endsWith('/*') && bare.trim().startsWith(range.slice(0, -1)));
  const entries = [...contents].map(
    ([type, media]) => [(type.toLowerCase().split(';')[0] ?? '').trim(), media] as const,
  );
  return (entries.find(([type]) => type === bare.trim()) ?? entries.find(([type]) => isRange(type)))?.[1];
}

/** Whether a value is bytes, which arguments carry in base64. */
function isBinary(schema: JsonObject, mediaType: string | undefined): boolean {
  const { type, format, contentEncoding, contentMediaType } = schema;
  const isText = (said: unknown): boolean =>
    typeof said === 'string' && /^text\/|json|xml|yaml|graphql|javascript|sql|csv|x-www-form/i.test(said);
  if (format === 'binary' || format === 'file' || type === 'file' || contentEncoding === 'base64')
    return true;
  if (type !== undefined && ![type].flat().includes('string')) return false;
  if (contentMediaType !== undefined) return !isText(contentMediaType);
  return mediaType !== undefined && format === undefined && !isText(mediaType);
}

/** A schema as the one alternative that it has beside null. */
function besideNull(value: unknown, document: JsonObject, depth = 0): JsonObject {
  const schema = followed(value, document);
  const alternatives = ['anyOf', 'oneOf', 'allOf'].flatMap((keyword) => {
    const listed = schema[keyword];
    return Array.isArray(listed) ? listed : [];
  });
  const [only, ...others] = alternatives.filter((each) => !isObject(each) || each['type'] !== 'null');
  const isPlain = only === undefined || others.length > 0 || depth > 5;
  return isPlain ? schema : { ...schema, ...besideNull(only, document, depth + 1) };
}

function formFaults(call: JudgedCall, media: DescribedMedia, asked: unknown): readonly WrongPart[] {
  const { request, document } = call;
  const pairs = pairsIn(Buffer.from(request.body).toString(), '&', (name) =>
    decoded(name.replaceAll('+', ' ')),
  );
  const properties = propertiesOf(media.schema, document);
  const faults = Object.entries(isObject(asked) ? asked : {}).flatMap(([name, value]) => {
    if (value === null) return [];
    const said = media.encoding[name] ?? {};
    const isObjectAsJson = isObject(value) && said.style === undefined && said.explode === undefined;
    const asJsonText = said.contentType === undefined ? isObjectAsJson : isJson(said.contentType);
    return pairFaults(
      { name, in: 'form', ...styleOf(said), mediaType: asJsonText ? 'application/json' : undefined },
      value,
      pairs,
    );
  });
  const required = requiredOf(media.schema, document).filter((name) => properties.has(name));
  return [
    ...faults,
    ...missingFields(required, isObject(asked) ? asked : {}),
    ...pairs.filter(({ used }) => !used).map(({ name }) => wrong('form: nothing that was asked for', name)),
  ];
}

function styleOf({
  style = 'form',
  explode = style === 'form',
}: Encoding): Required<Pick<Encoding, 'style' | 'explode'>> {
  return { style, explode };
}

function requiredOf(schema: unknown, document: JsonObject): readonly string[] {
  const { required } = followed(schema, document);
  return Array.isArray(required) ? required.filter((each) => typeof each === 'string') : [];
}

const missingFields = (required: readonly string[], asked: object): readonly WrongPart[] =>
  required
    .filter((name) => !Object.hasOwn(asked, name))
    .map((name) => wrong('form: a required field was not sent', name));

interface Part {
  readonly name: string;
  readonly fileName: string | undefined;
  readonly type: string | undefined;
  readonly content: Buffer;
}

function multipartFaults(
  call: JudgedCall,
  media: DescribedMedia,
  { asked, contentType }: { readonly asked: unknown; readonly contentType: string },
): readonly WrongPart[] {
  const [, boundary = ''] = /boundary=([^;]+)/.exec(contentType) ?? [];
  const parts = partsIn(Buffer.from(call.request.body), boundary);
  if (parts === undefined) return [wrong('multipart: no parts by its boundary', contentType)];
  const properties = propertiesOf(media.schema, call.document);
  const required = requiredOf(media.schema, call.document).filter((name) => properties.has(name));
  const fields = Object.entries(isObject(asked) ? asked : {}).filter(([, value]) => value !== null);
  const left = new Set(parts);
  const faults = fields.flatMap(([name, value]) => {
    const said = media.encoding[name] ?? {};
    const own = parts.filter((part) => part.name === name || part.name.startsWith(`${name}[`));
    const isSpread = said.style !== undefined || said.explode !== undefined;
    const byStyle = said.contentType === undefined && isSpread && typeof value === 'object';
    const { style, explode } = styleOf(said);
    const isSpreadOut = byStyle && isObject(value) && style !== 'deepObject' && explode;
    const mine = isSpreadOut ? parts.filter((part) => Object.hasOwn(value, part.name)) : own;
    for (const part of mine) left.delete(part);
    if (byStyle) {
      const pairs = mine.map((part) => ({ name: part.name, value: part.content.toString(), used: false }));
      return pairFaults({ name, in: 'part', style, explode }, value, pairs);
    }
    const { additionalProperties: others } = followed(media.schema, call.document);
    const schema = besideNull(properties.get(name) ?? others, call.document);
    const isOneJson = said.contentType !== undefined && isJson(said.contentType);
    const isList = Array.isArray(value) && !isOneJson;
    const items = isList ? value : [value];
    const inner = isList ? besideNull(schema['items'], call.document) : schema;
    if (own.length !== items.length)
      return [wrong('multipart: number of parts', { name, parts: own.length, asked: items.length })];
    return own.flatMap((part, index) => partFaults(part, items[index], { schema: inner, said }));
  });
  return [
    ...faults,
    ...missingFields(required, isObject(asked) ? asked : {}),
    ...[...left].map(({ name }) => wrong('multipart: nothing that was asked for', name)),
  ];
}

function partFaults(
  { name, fileName, type, content }: Part,
  asked: unknown,
  { schema, said }: { readonly schema: JsonObject; readonly said: Encoding },
): readonly WrongPart[] {
  const allowed = (said.contentType ?? '').split(',').map((each) => each.trim().toLowerCase());
  const [bare] = (type ?? 'text/plain').toLowerCase().split(';');
  const isAllowed = allowed.some(
    (each) => each === '' || each === bare || each.includes('*') || each.split(';')[0] === bare,
  );
  const faults = isAllowed ? [] : [wrong('multipart: type of a part', { name, type, allowed })];
  if (said.contentType !== undefined && isJson(said.contentType))
    return [...faults, ...same('multipart: JSON of a part', asJson(content.toString()), asked)];
  const single = allowed.find((each) => each !== '' && !each.includes('*'));
  if (typeof asked === 'object' && asked !== null)
    return [
      ...faults,
      ...(type === undefined ? [wrong('multipart: an object without a type', name)] : []),
      ...same('multipart: JSON of a part', asJson(content.toString()), asked),
    ];
  if (typeof asked !== 'string' || !isBinary(schema, single))
    return [...faults, ...sameTexts('multipart: text of a part', [content.toString()], [asked])];
  const isSame = Buffer.compare(content, Buffer.from(asked, 'base64')) === 0;
  return [
    ...faults,
    ...(fileName === undefined ? [wrong('multipart: a file without a name', name)] : []),
    ...(isSame ? [] : [wrong('multipart: bytes of a file', { name, asked })]),
  ];
}

function partsIn(body: Buffer, boundary: string): readonly Part[] | undefined {
  const text = body.toString('latin1');
  if (boundary === '' || !text.trimEnd().endsWith(`--${boundary}--`)) return undefined;
  return text
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((chunk) => {
      const end = chunk.indexOf('\r\n\r\n');
      const head = Buffer.from(chunk.slice(0, end), 'latin1').toString();
      const header = (pattern: RegExp): string | undefined => pattern.exec(head)?.[1];
      const unquoted = (value: string | undefined): string | undefined =>
        value?.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n');
      return {
        name: unquoted(header(/[;\s]name="([^"]*)"/)) ?? '',
        fileName: unquoted(header(/filename="([^"]*)"/)),
        type: header(/content-type:\s*([^\r\n]+)/i),
        content: Buffer.from(chunk.slice(end + 4).replace(/\r\n$/, ''), 'latin1'),
      };
    });
}
