import {
  below,
  flagMember,
  isObject,
  member,
  objectMember,
  textMember,
  type Json,
  type JsonObject,
} from '../../documents/json.js';
import type { ParameterRoute } from '../imported.js';
import { isAnnotation } from '../../../packages/schema-reading/keywords.js';
import { choose, isForm, isJson, isText } from './media-types.js';
import { objectShape } from './object-shape.js';
import type { ObjectShape } from './shape-parts.js';
import type { OpenApiDocument } from './openapi-document.js';

/** What an operation is sent beside its parameters. */
export interface RequestBody {
  readonly required: boolean;
  readonly mediaType: string;
  readonly description?: string;
  readonly pointer: string;
  /** The properties of the body, where it is an object that names some; else the body as a whole. */
  readonly shape?: ObjectShape;
  readonly schema: Json;
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
  const media = document.media(content, mediaType, part.pointer)?.value;
  const at = below(part.pointer, 'content', mediaType, 'schema');
  const schema = document.schemaAt(member(media, 'schema') ?? {});
  if (holdsNothing(schema) && !flagMember(part.value, 'required')) return undefined;
  const shape =
    isJson(mediaType) || isForm(mediaType) || isText(mediaType)
      ? objectShape(schema, document.source)
      : undefined;
  const whole = wholeBody(part.value, shape ? schema : wholeSchema(schema, mediaType), mediaType, at);
  return shape
    ? { ...whole, shape, routeOf: (name) => routeOf(name, mediaType, member(media, 'encoding')) }
    : whole;
}

/** An object that may have no members: generators write it of operations that are sent nothing. */
function holdsNothing(schema: Json): boolean {
  if (!isObject(schema) || schema['type'] !== 'object' || schema['additionalProperties'] !== false)
    return false;
  const others = Object.keys(schema).filter((keyword) => !['type', 'additionalProperties'].includes(keyword));
  return others.every((keyword) => isAnnotation(keyword) || isEmpty(schema[keyword]));
}

const isEmpty = (value: Json | undefined): boolean =>
  value !== undefined && ['{}', '[]'].includes(JSON.stringify(value));

function wholeBody(body: JsonObject, schema: Json, mediaType: string, pointer: string): RequestBody {
  const description = textMember(body, 'description');
  return {
    required: flagMember(body, 'required'),
    mediaType,
    pointer,
    schema,
    ...(description === undefined ? {} : { description }),
    routeOf: () => ({ in: 'body', name: '', ...named(mediaType) }),
  };
}

function named(mediaType: string): Pick<ParameterRoute, 'mediaType'> {
  return mediaType === 'application/json' ? {} : { mediaType };
}

/** What is neither JSON nor a form travels as one text: as it is, or in base64 where it is binary. */
function wholeSchema(schema: Json, mediaType: string): Json {
  if (isJson(mediaType) || isForm(mediaType)) return schema;
  const described = isObject(schema) ? schema : {};
  if (described['type'] === 'string' && !isBinary(described)) return described;
  const { description } = described;
  const note = typeof description === 'string' ? { description } : {};
  return isText(mediaType)
    ? { ...note, type: 'string' }
    : { ...note, type: 'string', format: 'binary', contentMediaType: mediaType };
}

function isBinary(schema: JsonObject): boolean {
  return schema['type'] === 'file' || schema['format'] === 'binary';
}

function routeOf(name: string, mediaType: string, encoding: Json | undefined): ParameterRoute {
  const own = member(encoding, name);
  const style = textMember(own, 'style');
  const explode = member(own, 'explode');
  return {
    in: 'body',
    name,
    ...(style === undefined ? {} : { style }),
    ...(typeof explode === 'boolean' ? { explode } : {}),
    ...named(mediaType),
  };
}
