/**
 * Reads of an OpenAPI document, 2.0 to 3.2, what a request of an operation is to look like. It shares no code with the importer,
 * and reads no more than judging takes.
 */
import { isObject, type JsonObject } from '../../src/documents/json.js';
import { targetOf } from './provider-rules.js';

export type Place = 'path' | 'query' | 'header' | 'cookie';

export interface DescribedParameter {
  readonly name: string;
  readonly in: Place;
  /** OpenAPI 3.2: the parameter is the query string as a whole. */
  readonly isWholeQuery: boolean;
  readonly required: boolean;
  readonly style: string;
  readonly explode: boolean;
  readonly mediaType: string | undefined;
}

export interface DescribedMedia {
  readonly schema: JsonObject;
  readonly encoding: Readonly<Record<string, Encoding>>;
}

export interface Encoding {
  readonly contentType?: string;
  readonly style?: string;
  readonly explode?: boolean;
}

export interface DescribedBody {
  readonly required: boolean;
  readonly contents: ReadonlyMap<string, DescribedMedia>;
}

export interface DescribedOperation {
  readonly path: string;
  readonly method: string;
  readonly parameters: readonly DescribedParameter[];
  readonly body: DescribedBody | undefined;
}

export const object = (value: unknown): JsonObject => (isObject(value) ? value : {});
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What a part of a document is where it is a reference, however long the chain; what stands beside it comes first. */
export function followed(value: unknown, document: JsonObject): JsonObject {
  let found = object(value);
  for (let step = 0; step < 50 && typeof found['$ref'] === 'string'; step += 1) {
    const { $ref, ...beside } = found;
    const target = targetOf($ref, document);
    if (target === undefined) return beside;
    found = { ...target, ...beside };
  }
  return found;
}

/** Names of headers that OpenAPI 3 says are no parameters, and that HTTP keeps for itself. */
const notParameters =
  /^(accept|content-type|authorization|host|connection|content-length|cookie|te|trailer|transfer-encoding|upgrade|keep-alive|proxy-.*|expect)$/i;
/** What a name of a header is made of (RFC 9110): no request can have another. */
const headerName = /^[\w!#$%&'*+.^`|~-]+$/;

const isParameter = (place: string, name: string): boolean =>
  place !== 'header' || (headerName.test(name) && !notParameters.test(name));

/** The operation of a key as the catalog writes them: `/accounts/{id}@get`. Undefined where the document has none. */
export function operationAt(key: string, document: JsonObject): DescribedOperation | undefined {
  const end = key.lastIndexOf('@');
  const [path, method] = [key.slice(0, end), key.slice(end + 1)];
  const item = followed(object(document['paths'])[path], document);
  const additional = object(item['additionalOperations']);
  const found = item[method.toLowerCase()] ?? additional[method] ?? additional[method.toUpperCase()];
  if (found === undefined) return undefined;
  const operation = followed(found, document);
  const parameters = new Map<string, JsonObject>();
  for (const given of [...list(item['parameters']), ...list(operation['parameters'])]) {
    const parameter = followed(given, document);
    parameters.set(`${text(parameter['in'])} ${text(parameter['name'])}`, parameter);
  }
  const all = [...parameters.values()];
  const isOld = document['swagger'] !== undefined;
  return {
    ...{ path, method },
    parameters: all.flatMap((each) => parameterOf(each, isOld)),
    body: isOld ? oldBody(all, operation, document) : bodyOf(operation['requestBody'], document),
  };
}

const places = new Set(['path', 'query', 'header', 'cookie']);

function parameterOf(parameter: JsonObject, isOld: boolean): DescribedParameter[] {
  const isWholeQuery = parameter['in'] === 'querystring';
  const place = isWholeQuery ? 'query' : text(parameter['in']);
  const name = text(parameter['name']);
  if (!places.has(place) || !isParameter(place, name)) return [];
  const [mediaType] = Object.keys(object(parameter['content']));
  const old = oldStyle(text(parameter['collectionFormat']) || 'csv', place);
  const style = isOld ? old.style : text(parameter['style']) || defaultStyle(place);
  const explode = parameter['explode'];
  return [
    {
      ...{ name, in: place as Place, isWholeQuery, mediaType, style },
      required: place === 'path' || parameter['required'] === true,
      explode: isOld ? old.explode : typeof explode === 'boolean' ? explode : style === 'form',
    },
  ];
}

const defaultStyle = (place: string): string => (place === 'query' || place === 'cookie' ? 'form' : 'simple');

/** `collectionFormat` of OpenAPI 2.0 as a style. */
function oldStyle(format: string, place: string): { readonly style: string; readonly explode: boolean } {
  const styles: Record<string, string> = {
    ssv: 'spaceDelimited',
    tsv: 'tabDelimited',
    pipes: 'pipeDelimited',
  };
  return { style: styles[format] ?? defaultStyle(place), explode: format === 'multi' };
}

function bodyOf(given: unknown, document: JsonObject): DescribedBody | undefined {
  if (given === undefined) return undefined;
  const body = followed(given, document);
  const contents = Object.entries(object(body['content'])).map(([mediaType, media]) => {
    const { schema, encoding } = followed(media, document);
    const described = { schema: object(schema), encoding: object(encoding) as DescribedMedia['encoding'] };
    return [mediaType, described] as const;
  });
  return { required: body['required'] === true, contents: new Map(contents) };
}

function oldBody(
  parameters: readonly JsonObject[],
  operation: JsonObject,
  document: JsonObject,
): DescribedBody | undefined {
  const consumes = list(operation['consumes'] ?? document['consumes']).filter(
    (each) => typeof each === 'string',
  );
  const whole = parameters.find((each) => each['in'] === 'body');
  if (whole !== undefined) {
    const media = { schema: object(whole['schema']), encoding: {} };
    const types = consumes.length > 0 ? consumes : ['application/json'];
    return { required: whole['required'] === true, contents: new Map(types.map((type) => [type, media])) };
  }
  const fields = parameters.filter((each) => each['in'] === 'formData');
  if (fields.length === 0) return undefined;
  const hasFile = fields.some(({ type }) => type === 'file');
  const forms = consumes.filter((type) => /form/i.test(type));
  // Where the document names no form, either is one; files are in none but the one.
  const either = ['multipart/form-data', ...(hasFile ? [] : ['application/x-www-form-urlencoded'])];
  const types = forms.length > 0 ? forms : either;
  const media: DescribedMedia = {
    schema: {
      type: 'object',
      properties: Object.fromEntries(fields.map((field) => [text(field['name']), field])),
      required: fields.filter((field) => field['required'] === true).map((field) => text(field['name'])),
    },
    encoding: Object.fromEntries(
      fields
        // Files are parts of their own, however a list is said to be written.
        .filter(({ type, items }) => type === 'array' && object(items)['type'] !== 'file')
        .map((field) => [text(field['name']), oldStyle(text(field['collectionFormat']) || 'csv', 'query')]),
    ),
  };
  const required = fields.some((field) => field['required'] === true);
  return { required, contents: new Map(types.map((type) => [type, media])) };
}

/** Properties of an object by its schema and the parts of it, as far as a request may have them. */
export function propertiesOf(
  schema: unknown,
  document: JsonObject,
  depth = 0,
): ReadonlyMap<string, JsonObject> {
  const found = new Map<string, JsonObject>();
  if (depth > 20) return found;
  const own = followed(schema, document);
  for (const keyword of ['allOf', 'anyOf', 'oneOf'])
    for (const part of list(own[keyword]))
      for (const [name, each] of propertiesOf(part, document, depth + 1)) found.set(name, each);
  for (const [name, each] of Object.entries(object(own['properties']))) {
    const property = followed(each, document);
    found.set(name, property);
  }
  return new Map([...found].filter(([, property]) => property['readOnly'] !== true));
}
