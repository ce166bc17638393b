import { isAnnotation } from '../../../packages/schema-reading/keywords.js';
import {
  below,
  byCodePoint,
  entriesOf,
  flagMember,
  isObject,
  listMember,
  member,
  objectMember,
  textMember,
  type Json,
  type JsonObject,
} from '../../documents/json.js';
import type { ParameterRoute } from '../format.js';
import type { Copied, SchemaCopier } from '../schema/copier.js';
import type { OpenApiDocument } from './document.js';
import { examplesOf } from './examples.js';
import { objectShape } from '../schema/object-shape.js';
import type { ObjectShape } from '../schema/shape.js';
import { xmlOutline } from './xml-outline.js';

/** What an operation is sent beside its parameters. */
export interface RequestBody {
  readonly required: boolean;
  readonly description: string | undefined;
  readonly pointer: string;
  /** The properties of the body, where it is an object that names some; else the body as a whole. */
  readonly shape?: ObjectShape;
  readonly schema: Json;
  /** Of the body as a whole. */
  readonly examples: readonly Json[];
  routeOf(property: string): ParameterRoute;
}

export function readBody(
  document: OpenApiDocument,
  value: Json | undefined,
  pointer: string,
): RequestBody | undefined {
  if (value === undefined) return undefined;
  const part = document.part(value, pointer, 'request body');
  if (!part) return wholeBody({}, {}, 'application/json', pointer);
  const content = objectMember(part.value, 'content') ?? {};
  const mediaType = choose(content);
  if (mediaType === undefined) return wholeBody(part.value, {}, 'application/json', part.pointer);
  const placed = document.media(content, mediaType, part.pointer);
  const media = placed?.value;
  const at = below(part.pointer, 'content', mediaType, 'schema');
  const schema = document.schemaAt(member(media, 'schema') ?? {});
  if (holdsNothing(schema) && !flagMember(part.value, 'required')) return undefined;
  const isStructured = isJson(mediaType) || isForm(mediaType);
  const shown = (): Json[] =>
    examplesOf(placed ? [placed] : [], document).filter(
      (example) => isStructured || (isText(mediaType) && typeof example === 'string'),
    );
  if (isXml(mediaType))
    return { ...xmlBody(document, part.value, { schema, media, mediaType, pointer: at }), examples: shown() };
  const shape =
    isStructured || isText(mediaType) ? objectShape(schema, document.source, document.onCircle) : undefined;
  if (!shape) {
    const whole = isStructured ? schema : textSchema(schema, mediaType);
    return { ...wholeBody(part.value, whole, mediaType, at), examples: shown() };
  }
  const encoding = member(media, 'encoding');
  return {
    ...wholeBody(part.value, schema, mediaType, at),
    shape: /^multipart\//i.test(mediaType) ? withBytes(shape, encoding, document) : shape,
    routeOf: (name) => routeOf(name, mediaType, member(encoding, name)),
  };
}

/** XML travels as one text. What stands in it is said by an outline. */
function xmlBody(
  document: OpenApiDocument,
  body: JsonObject,
  { schema, media, mediaType, pointer }: XmlContent,
): RequestBody {
  const described = textSchema(schema, mediaType);
  const reference = textMember(member(media, 'schema'), '$ref');
  const name = reference?.split('/').at(-1) ?? 'root';
  const outline = xmlOutline(schema, name, document);
  const said = textMember(described, 'description') ?? textMember(body, 'description');
  const description = [said, outline && `XML of this form: ${outline}`].filter((text) => text !== undefined);
  const note = description.length > 0 ? { description: description.join('\n') } : {};
  return wholeBody(body, { ...(isObject(described) ? described : {}), ...note }, mediaType, pointer);
}

interface XmlContent {
  readonly schema: Json;
  readonly media: JsonObject | undefined;
  readonly mediaType: string;
  readonly pointer: string;
}

/** The parts that are bytes by their media type, which OpenAPI 3.1 says without an encoding, are arguments in base64. */
function withBytes(shape: ObjectShape, encoding: Json | undefined, document: OpenApiDocument): ObjectShape {
  const properties = [...shape.properties].map(([name, schema]): [string, Json] => [
    name,
    withBytesWithin(schema, partTypeOf(member(encoding, name)), document),
  ]);
  return { ...shape, properties: new Map(properties) };
}

/** Schemas within schemas where bytes are looked for: a list that may be null, of files that may be. */
const MAX_NESTED = 4;

/** Gives the schema itself where neither it nor its items or alternatives are bytes. */
function withBytesWithin(
  schema: Json,
  mediaType: string | undefined,
  document: OpenApiDocument,
  depth = 0,
): Json {
  const described = document.schemaAt(schema);
  const bytes = asBytes(described, mediaType);
  if (bytes !== undefined || !isObject(described) || depth === MAX_NESTED) return bytes ?? schema;
  const inner = (each: Json): Json => withBytesWithin(each, mediaType, document, depth + 1);
  const changed: JsonObject = {};
  const { items } = described;
  if (items !== undefined && inner(items) !== items) changed['items'] = inner(items);
  for (const keyword of ['anyOf', 'oneOf']) {
    const listed = listMember(described, keyword);
    if (listed.some((each) => inner(each) !== each)) changed[keyword] = listed.map(inner);
  }
  return Object.keys(changed).length === 0 ? schema : { ...described, ...changed };
}

/** A text of a media type that no text has, as one in base64. */
function asBytes(schema: Json, mediaType: string | undefined): JsonObject | undefined {
  if (!isObject(schema)) return undefined;
  const { type, contentEncoding, contentMediaType, format } = schema;
  const types = [type].flat().filter((name) => name !== 'null');
  if (types.length !== 1 || types[0] !== 'string') return undefined;
  if (contentEncoding !== undefined || format !== undefined) return undefined;
  const said = typeof contentMediaType === 'string' ? contentMediaType : mediaType;
  if (said === undefined || !isBytes(said)) return undefined;
  return { ...schema, contentEncoding: 'base64', contentMediaType: said };
}

/** Tells of an object that may have no members: generators write it of operations that are sent nothing. */
function holdsNothing(schema: Json): boolean {
  if (!isObject(schema) || schema['type'] !== 'object' || schema['additionalProperties'] !== false)
    return false;
  const others = Object.keys(schema).filter((keyword) => !['type', 'additionalProperties'].includes(keyword));
  const isEmpty = (value: Json | undefined): boolean =>
    value !== undefined && ['{}', '[]'].includes(JSON.stringify(value));
  return others.every((keyword) => isAnnotation(keyword) || isEmpty(schema[keyword]));
}

function wholeBody(body: JsonObject, schema: Json, mediaType: string, pointer: string): RequestBody {
  return {
    required: flagMember(body, 'required'),
    description: textMember(body, 'description'),
    ...{ pointer, schema, examples: [] },
    routeOf: () => ({ in: 'body', name: '', ...mediaTypeOf(mediaType) }),
  };
}

function routeOf(name: string, mediaType: string, encoding: Json | undefined): ParameterRoute {
  const style = textMember(encoding, 'style');
  const explode = member(encoding, 'explode');
  const partType = isForm(mediaType) ? partTypeOf(encoding) : undefined;
  return {
    in: 'body',
    name,
    ...(style !== undefined && { style }),
    ...(typeof explode === 'boolean' && { explode }),
    ...mediaTypeOf(mediaType),
    ...(partType !== undefined && { partType }),
  };
}

/** The media type of a part: the first that is one, of those that the document allows. */
const partTypeOf = (encoding: Json | undefined): string | undefined =>
  textMember(encoding, 'contentType')
    ?.split(',')
    .map((type) => type.trim())
    .find((type) => type !== '' && !type.includes('*'));

const mediaTypeOf = (mediaType: string): Pick<ParameterRoute, 'mediaType'> =>
  mediaType === 'application/json' ? {} : { mediaType };

/** What is neither JSON nor a form travels as one text: as it is, or in base64 where it is binary. */
function textSchema(schema: Json, mediaType: string): Json {
  const described = isObject(schema) ? schema : {};
  const { type, format, description } = described;
  const bytes = asBytes(described, mediaType);
  if (bytes !== undefined) return bytes;
  if (type === 'string' && format !== 'binary') return described;
  const note = typeof description === 'string' ? { description } : {};
  if (isText(mediaType)) return { ...note, type: 'string' };
  return { ...note, type: 'string', format: 'binary', contentMediaType: mediaType };
}

const PREFERRED = ['200', '201', '202', '203'];

/** Copies the schema of what comes back when all goes well: of the first success status that describes its JSON. */
export function outputSchema(
  document: OpenApiDocument,
  responses: Json | undefined,
  pointer: string,
  copier: SchemaCopier,
): Copied | undefined {
  for (const status of successes(responses)) {
    const part = document.part(member(responses, status), below(pointer, status), 'response');
    const content = objectMember(part?.value, 'content');
    const mediaType = content && jsonIn(content);
    if (!part || !content || mediaType === undefined) continue;
    const media = document.media(content, mediaType, part.pointer)?.value;
    // OpenAPI 3.2 describes the items of a stream (JSON Lines) by themselves.
    const items = member(media, 'itemSchema');
    const schema = member(media, 'schema') ?? (items === undefined ? undefined : { type: 'array', items });
    if (schema === undefined) continue;
    const copied = copier.copyTarget(schema, below(part.pointer, 'content', mediaType, 'schema'));
    if (Object.keys(copied.schema).length > 0) return copied;
  }
  return undefined;
}

function successes(responses: Json | undefined): readonly string[] {
  const rank = (status: string) => {
    const preferred = PREFERRED.indexOf(status);
    return preferred < 0 ? PREFERRED.length : preferred;
  };
  const statuses = entriesOf(responses).map(([status]) => status);
  const good = statuses.filter((status) => /^2(\d\d|XX)$/i.test(status));
  if (good.length === 0 && statuses.length === 1 && statuses[0] === 'default') return statuses;
  return good.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

/** Names the media type of the JSON, else of the lines of it: a stream, by whatever name. */
function jsonIn(content: JsonObject): string | undefined {
  const chosen = choose(content);
  if (chosen !== undefined && isJson(chosen)) return chosen;
  return Object.keys(content).sort().find(isJsonLines);
}

const isJson = (mediaType: string): boolean =>
  /^(application|text)\/([\w.-]+\+)?json\b|^\*\/\*|^application\/\*/i.test(mediaType.trim());
const isXml = (mediaType: string): boolean =>
  /^(application|text)\/([\w.-]+\+)?xml\b/i.test(mediaType.trim());
/** Media types that are never texts. */
const isBytes = (mediaType: string): boolean =>
  /^(image|audio|video|font)\/(?!svg)|^application\/(octet-stream|pdf|zip|gzip|x-(tar|gzip|zip)|vnd\.(openxml|ms-))/i.test(
    mediaType.trim(),
  );
const isForm = (mediaType: string): boolean =>
  /^(application\/x-www-form-urlencoded|multipart\/)/i.test(mediaType.trim());
const isJsonLines = (mediaType: string): boolean =>
  /^application\/(x-)?(jsonl|jsonlines|json-lines|ndjson)\b/i.test(mediaType.trim());
const isText = (mediaType: string): boolean =>
  isJsonLines(mediaType) ||
  /^text\/|^application\/([\w.-]+\+)?(xml|yaml|graphql|javascript|sql)\b|^application\/x-yaml/i.test(
    mediaType.trim(),
  );

type Test = (mediaType: string) => boolean;
const structured: readonly Test[] = [
  (mediaType) => /^application\/json\s*(;|$)/i.test(mediaType),
  isJson,
  (mediaType) => /^application\/x-www-form-urlencoded/i.test(mediaType),
  (mediaType) => /^multipart\/form-data/i.test(mediaType),
  isForm,
];
const texts: readonly Test[] = [(mediaType) => /^text\/plain/i.test(mediaType), isText];

/**
 * Chooses the media type that an agent's arguments fit best: JSON before forms before text before all else. JSON and
 * forms that have no schema (an example at most) come after those that have one.
 */
export function choose(content: JsonObject): string | undefined {
  const isDescribed = (media: Json | undefined): boolean =>
    ['schema', 'itemSchema', '$ref'].some((name) => member(media, name) !== undefined);
  const rank = (mediaType: string) => {
    const found = structured.findIndex((test) => test(mediaType));
    if (found >= 0) return isDescribed(content[mediaType]) ? found : structured.length + found;
    const text = texts.findIndex((test) => test(mediaType));
    return 2 * structured.length + (text < 0 ? texts.length : text);
  };
  return Object.keys(content).toSorted((a, b) => rank(a) - rank(b) || byCodePoint(a, b))[0];
}
