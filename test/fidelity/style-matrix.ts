/** Documents with one operation for each way to write each kind of value, in each place. */
import type { TriedDocument } from './documents.js';

const point = {
  type: 'object',
  required: ['x'],
  properties: { x: { type: 'integer' }, name: { type: 'string' } },
};
const texts = { type: 'array', minItems: 1, items: { type: 'string' } };
const schemas: Readonly<Record<string, object>> = {
  text: { type: 'string' },
  integer: { type: 'integer' },
  flag: { type: 'boolean' },
  texts,
  numbers: { type: 'array', minItems: 1, items: { type: 'number' } },
  points: { type: 'array', minItems: 1, items: point },
  point,
  map: { type: 'object', minProperties: 1, additionalProperties: { type: 'string' } },
  nested: { type: 'object', required: ['at'], properties: { at: point, texts } },
  either: { oneOf: [{ type: 'integer' }, texts] },
  perhaps: { type: ['string', 'null'] },
  bytes: { type: 'string', contentEncoding: 'base64' },
  binary: { type: 'string', format: 'binary' },
  any: {},
};
const styles: Readonly<Record<string, readonly string[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
};
/** Kinds that a style has no way to write. */
const isUndefined = (style: string, kind: string): boolean => {
  const isObject = ['point', 'map', 'nested'].includes(kind);
  if (style === 'deepObject') return !isObject;
  if (style === 'spaceDelimited' || style === 'pipeDelimited') return !['texts', 'numbers'].includes(kind);
  return false;
};

const mediaTypes = [
  'application/json',
  'application/merge-patch+json',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'text/plain',
  'text/csv',
  'application/xml',
  'application/octet-stream',
  'application/pdf',
  'image/*',
  '*/*',
];

type Paths = Record<string, object>;

/** All pairs of the one with the other. */
const pairsOf = <One, Other>(one: readonly One[], other: readonly Other[]): (readonly [One, Other])[] =>
  one.flatMap((each) => other.map((more) => [each, more] as const));

const kinds = Object.entries(schemas);

function parameters(): Paths {
  const ways = Object.entries(styles).flatMap(([place, names]) =>
    pairsOf(names, [true, false]).map(([style, explode]) => ({ place, style, explode })),
  );
  const paths = pairsOf(ways, kinds)
    .filter(([{ style }, [kind]]) => !isUndefined(style, kind))
    .map(([{ place, style, explode }, [kind, schema]]) => {
      const at = `/${place}-${style}-${String(explode)}-${kind}`;
      const parameter = { name: 'given', in: place, required: true, style, explode, schema };
      return [place === 'path' ? `${at}/{given}` : at, { get: { parameters: [parameter] } }];
    });
  return Object.fromEntries(paths) as Paths;
}

/** Whether a body of that type can be of that kind: a text, or bytes, where it is neither JSON nor a form. */
function isBody(mediaType: string, kind: string, shape: string): boolean {
  if (/form/.test(mediaType)) {
    const isWhole = ['point', 'nested', 'map', ...(/multipart/.test(mediaType) ? [] : ['text'])].includes(
      kind,
    );
    return shape === 'member' || isWhole;
  }
  if (/json|^\*/.test(mediaType)) return true;
  const isText = /xml|text/.test(mediaType);
  return shape === 'whole' && (isText ? ['text', 'any'] : ['text', 'bytes', 'binary', 'any']).includes(kind);
}

function bodies(): Paths {
  const paths = pairsOf(pairsOf(mediaTypes, kinds), ['whole', 'member'])
    .filter(([[mediaType, [kind]], shape]) => isBody(mediaType, kind, shape))
    .map(([[mediaType, [kind, schema]], shape]) => {
      const properties = { given: schema, other: { type: 'string' } };
      const member = { type: 'object', required: ['given'], properties };
      const content = { [mediaType]: { schema: shape === 'whole' ? schema : member } };
      const at = `/body-${mediaType.replaceAll('/', '-').replaceAll('*', 'any')}-${shape}-${kind}`;
      return [at, { post: { requestBody: { required: true, content } } }];
    });
  return Object.fromEntries(paths) as Paths;
}

const saidOfParts: readonly {
  readonly style?: string;
  readonly explode?: boolean;
  readonly contentType?: string;
}[] = [
  { style: 'form', explode: true },
  { style: 'form', explode: false },
  { style: 'pipeDelimited', explode: false },
  { style: 'spaceDelimited', explode: false },
  { style: 'deepObject', explode: true },
  { contentType: 'application/json' },
  { contentType: 'text/plain' },
  { contentType: 'image/png, image/jpeg' },
];

function encodings(): Paths {
  const forms = pairsOf(
    ['application/x-www-form-urlencoded', 'multipart/form-data'],
    [...saidOfParts.entries()],
  );
  const paths = pairsOf(forms, kinds)
    .filter(([[, [, { style = '', contentType = '' }]], [kind]]) => {
      if (style !== '') return style === 'form' || !isUndefined(style, kind);
      const isBytes = /^(bytes|binary)$/.test(kind);
      return /json/.test(contentType) ? !isBytes : isBytes || kind === 'text';
    })
    .map(([[mediaType, [index, encoding]], [kind, schema]]) => {
      const member = { type: 'object', required: ['given'], properties: { given: schema } };
      const content = { [mediaType]: { schema: member, encoding: { given: encoding } } };
      const at = `/encoding-${mediaType.slice(0, 5)}-${String(index)}-${kind}`;
      return [at, { post: { requestBody: { required: true, content } } }];
    });
  return Object.fromEntries(paths) as Paths;
}

/** As OpenAPI 2.0 has it: lists by `collectionFormat`. */
function oldParameters(): Paths {
  const formats = pairsOf(
    ['path', 'query', 'header', 'formData'],
    ['csv', 'ssv', 'tsv', 'pipes', 'multi', 'none'],
  );
  const lists = pairsOf(formats, ['string', 'number', 'boolean'])
    .filter(([[place, format]]) => format !== 'multi' || ['query', 'formData'].includes(place))
    .map(([[place, format], items]) => {
      const list = { type: 'array', minItems: 1, items: { type: items } };
      const said = format === 'none' ? {} : { collectionFormat: format };
      const at = `/${place}-${format}-${items}`;
      const operation = { parameters: [{ name: 'given', in: place, required: true, ...list, ...said }] };
      return [place === 'path' ? `${at}/{given}` : at, { post: operation }];
    });
  const forms = pairsOf(
    ['multipart/form-data', 'application/x-www-form-urlencoded'],
    ['string', 'integer', 'boolean', 'file'],
  )
    .filter(([consumes, type]) => type !== 'file' || /multipart/.test(consumes))
    .map(([consumes, type]) => {
      const parameter = { name: 'given', in: 'formData', required: true, type };
      return [
        `/form-${consumes.slice(0, 5)}-${type}`,
        { post: { consumes: [consumes], parameters: [parameter] } },
      ];
    });
  return Object.fromEntries([...lists, ...forms]) as Paths;
}

const oddNames = [
  ...[
    'include[]',
    '$top',
    'filter[status]',
    'user_fields[1]',
    'a b',
    'é',
    'x.y',
    '@type',
    'a/b',
    'n'.repeat(80),
  ],
  ...[
    'toString',
    'constructor',
    '__proto__',
    'hasOwnProperty',
    'body',
    'id',
    '_',
    '-',
    '1',
    'a,b',
    'a=b&c',
    '"q"',
  ],
];

/** Arguments of odd names, one by one in each place, and of one name in all places at once. */
function names(): Paths {
  const paths: Paths = {};
  const given = (name: string, place: string) => ({
    name,
    in: place,
    required: true,
    schema: { type: 'string' },
  });
  for (const [index, name] of oddNames.entries()) {
    const isToken = /^[\w.$@[\]-]+$/.test(name);
    const places = [
      'query',
      ...(isToken ? ['header', 'cookie'] : []),
      ...(/[{}/"]/.test(name) ? [] : ['path']),
    ];
    const parameters = places.map((place) => given(name, place));
    const member = Object.fromEntries([
      [name, { type: 'string' }],
      ['other', { type: 'integer' }],
    ]);
    const schema = { type: 'object', required: [name], properties: member };
    // Documents are read without members of that name, wherever they stand.
    const types = name === '__proto__' ? [] : mediaTypes.slice(0, 4);
    for (const [at, mediaType] of types.entries()) {
      const requestBody = { required: true, content: { [mediaType]: { schema } } };
      const path = `/all-${String(index)}-${String(at)}${places.includes('path') ? `/{${name}}` : ''}`;
      paths[path] = { post: { parameters, requestBody } };
    }
    paths[`/query-${String(index)}`] = { get: { parameters: [given(name, 'query')] } };
  }
  return paths;
}

const info = { title: 'Every way to write every kind of value', version: '1.0.0' };
const document = (name: string, content: object): TriedDocument => ({
  ...{ name, format: 'openapi' },
  document: JSON.stringify({ info, ...content }),
});

export const styleMatrix = (): readonly TriedDocument[] => [
  document('every parameter', { openapi: '3.1.0', paths: parameters() }),
  document('every body', { openapi: '3.1.0', paths: bodies() }),
  document('every encoding', { openapi: '3.1.0', paths: encodings() }),
  document('odd names', { openapi: '3.0.3', paths: names() }),
  document('every parameter of 2.0', {
    swagger: '2.0',
    consumes: ['application/json'],
    paths: oldParameters(),
  }),
];
