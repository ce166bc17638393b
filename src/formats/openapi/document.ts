import { upgradeFromTwoToThree } from '@scalar/openapi-upgrader/2.0-to-3.0';
import type { WarningSink } from '../../documents/findings.js';
import {
  below,
  entriesOf,
  isObject,
  member,
  objectMember,
  textMember,
  textsOf,
  type Json,
  type JsonObject,
} from '../../documents/json.js';
import { withEnumText } from '../schema/enum-texts.js';
import { circle } from '../schema/faults.js';
import { SchemaSource } from '../schema/source.js';
import { writeSubtypes } from './subtypes.js';

/** A value and its place in the document. */
export interface Placed<Value extends Json = JsonObject> {
  readonly value: Value;
  readonly pointer: string;
}

/** An OpenAPI document of any version: its parts by place, with references between parts followed. */
export class OpenApiDocument {
  readonly source: SchemaSource;
  readonly version: string;
  readonly isSwagger2: boolean;

  constructor(
    readonly root: JsonObject,
    readonly warnings: WarningSink,
  ) {
    writeSubtypes(root, warnings);
    const version = root['swagger'] ?? root['openapi'];
    // YAML reads `swagger: 2.0` as the number 2.
    this.version =
      version === 2 || version === 3
        ? `${String(version)}.0`
        : String(typeof version === 'string' || typeof version === 'number' ? version : '');
    this.isSwagger2 = root['openapi'] === undefined;
    this.source = new SchemaSource(root, this.isSwagger2 ? '/definitions/' : '/components/schemas/');
  }

  /** Tells of a schema at that place that is a part of itself. */
  readonly onCircle = (pointer: string): void => {
    this.warnings.warn(circle.code, pointer, circle.detail);
  };

  /**
   * Follows references of a part (path item, parameter, body, response). Undefined, with a warning, where they lead out
   * of the document or nowhere, or where there is no object.
   */
  part(value: Json | undefined, pointer: string, noun: string): Placed | undefined {
    if (!isObject(value)) {
      if (value !== undefined)
        this.warnings.warn('part_dropped', pointer, `This ${noun} is no object; it was left out.`);
      return undefined;
    }
    const reference = textMember(value, '$ref');
    if (reference === undefined) return { value, pointer };
    const target = this.source.find(reference);
    if (target.kind === 'local' && isObject(target.schema)) {
      const { $ref: _, ...beside } = value;
      return { value: { ...target.schema, ...beside }, pointer: target.pointer };
    }
    const what =
      target.kind === 'external' ? 'refers out of the document, which is not followed' : 'refers to nothing';
    const code = target.kind === 'external' ? 'external_reference' : 'broken_reference';
    this.warnings.warn(code, pointer, `This ${noun} ${what}; it was left out.`);
    return undefined;
  }

  /** What some content says of a media type; since 3.2 that may be a reference. */
  media(content: JsonObject, mediaType: string, pointer: string): Placed | undefined {
    const value = member(content, mediaType);
    return isObject(value) ? this.part(value, below(pointer, 'content', mediaType), 'media type') : undefined;
  }

  /** What a schema that is no more than a reference refers to, else the schema itself. */
  schemaAt(schema: Json): Json {
    const reference = textMember(schema, '$ref');
    const target = reference === undefined ? undefined : this.source.find(reference);
    return target?.kind === 'local' && isObject(schema) && Object.keys(schema).length === 1
      ? target.schema
      : schema;
  }
}

/** What a parameter of 2.0 may say of its values; `items` says it again, one level down. */
const VALUE_KEYWORDS = [
  ...'type format default enum maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength'.split(
    ' ',
  ),
  ...'pattern maxItems minItems uniqueItems multipleOf x-nullable collectionFormat'.split(' '),
];

/**
 * Rewrites an operation of 2.0 as one of 3.0: body and form parameters as `requestBody`, responses with `content`, value
 * keywords of parameters under `schema`, `collectionFormat` as `style`. Operations are upgraded one by one, cut down to what
 * concerns them and with references in place of their schemas: one that the library can't read takes no other with it,
 * and nothing in a schema reaches its walk over the document (which is exponential in nested `headers`).
 */
export function upgradeOperation(
  document: OpenApiDocument,
  operation: Placed,
  parameters: readonly Placed[],
): JsonObject {
  const { root } = document;
  const fragment = {
    swagger: '2.0',
    ...mediaTypes(root),
    paths: {
      '/': {
        post: {
          ...mediaTypes(operation.value),
          parameters: parameters.map(cutParameter),
          responses: cutResponses(document, operation),
        },
      },
    },
  };
  const upgraded = upgradeFromTwoToThree(structuredClone(fragment)) as unknown as Json;
  const item = member(member(upgraded, 'paths'), '/');
  const post = member(item, 'post');
  if (!isObject(post)) return {};
  const { requestBody } = post;
  // The library keeps `required` of a body parameter, and loses that of form fields.
  const isRequired = parameters.some(({ value }) => value['in'] === 'formData' && value['required'] === true);
  if (!isObject(requestBody)) return post;
  const content = withListStyles(objectMember(requestBody, 'content') ?? {}, parameters);
  return { ...post, requestBody: { ...requestBody, content, ...(isRequired && { required: true }) } };
}

/** Says of the lists among form fields how they are written, as `encoding` does since 3.0; the library loses some of it. */
function withListStyles(content: JsonObject, parameters: readonly Placed[]): JsonObject {
  const styles = parameters.flatMap(({ value }): [string, JsonObject][] => {
    const style = value['in'] === 'formData' ? listStyle(value) : undefined;
    return style === undefined ? [] : [[textMember(value, 'name') ?? '', style]];
  });
  if (styles.length === 0) return content;
  const encoding = Object.fromEntries(styles);
  return Object.fromEntries(
    entriesOf(content).map(([mediaType, media]) => [
      mediaType,
      isObject(media) && isForm(mediaType) ? { ...media, encoding } : media,
    ]),
  );
}

const isForm = (mediaType: string): boolean => /^(multipart\/|application\/x-www-form-)/i.test(mediaType);

/** Styles of lists by `collectionFormat`; later versions have none for `tsv`. */
const LIST_STYLES = new Map([
  ['ssv', 'spaceDelimited'],
  ['tsv', 'tabDelimited'],
  ['pipes', 'pipeDelimited'],
]);

/** How 2.0 writes a list: by commas where nothing is said. Undefined for what is no list, and for lists of files. */
function listStyle(value: JsonObject): JsonObject | undefined {
  if (value['type'] !== 'array' || member(value['items'], 'type') === 'file') return undefined;
  const format = textMember(value, 'collectionFormat') ?? 'csv';
  const isNamed = value['in'] === 'query' || value['in'] === 'formData';
  const style = LIST_STYLES.get(format) ?? (isNamed ? 'form' : 'simple');
  return { style, explode: isNamed && format === 'multi' };
}

/** `consumes` and `produces`, where they are lists of texts; an empty list leaves the choice to the default. */
function mediaTypes(value: JsonObject): JsonObject {
  const named = ['consumes', 'produces'].map((name): [string, Json[]] => [name, [...textsOf(value, name)]]);
  return Object.fromEntries(named.filter(([, types]) => types.length > 0));
}

function pick(value: Json, names: readonly string[]): JsonObject {
  const picked: JsonObject = {};
  for (const name of names) {
    const found = member(value, name);
    if (found !== undefined) picked[name] = found;
  }
  return picked;
}

function cutParameter({ value, pointer }: Placed): JsonObject {
  const plain = pick(withEnumText(value), ['name', 'in', 'description', 'required', 'deprecated']);
  if (value['in'] === 'body' && member(value, 'schema') !== undefined)
    return { ...plain, schema: referenceTo(below(pointer, 'schema')) };
  return { ...plain, ...cutValues(value), ...(value['in'] !== 'formData' && listStyle(value)) };
}

function referenceTo(pointer: string): JsonObject {
  return { $ref: `#${encodeURI(pointer)}` };
}

function cutValues(value: JsonObject): JsonObject {
  const items = member(value, 'items');
  return { ...pick(value, VALUE_KEYWORDS), ...(isObject(items) && { items: cutItems(items) }) };
}

function cutItems(items: JsonObject): JsonObject {
  return { ...pick(withEnumText(items), ['description']), ...cutValues(items) };
}

function cutResponses(document: OpenApiDocument, operation: Placed): JsonObject {
  const responses: JsonObject = {};
  for (const [status, response] of entriesOf(operation.value['responses'])) {
    if (!/^(2|default)/.test(status)) continue;
    const part = document.part(response, below(operation.pointer, 'responses', status), 'response');
    if (!part) continue;
    const hasSchema = member(part.value, 'schema') !== undefined;
    responses[status] = {
      ...pick(part.value, ['description']),
      ...(hasSchema && { schema: referenceTo(below(part.pointer, 'schema')) }),
    };
  }
  return responses;
}

/** Addresses of a 2.0 document, as 3.0 gives them. */
export function serversOf(root: JsonObject): Json {
  const { host, basePath } = root;
  const path = typeof basePath === 'string' ? basePath : '';
  if (typeof host !== 'string') return path === '' ? [] : [{ url: path }];
  const schemes = textsOf(root, 'schemes');
  return (schemes.length > 0 ? schemes : ['https']).map((scheme) => ({ url: `${scheme}://${host}${path}` }));
}
