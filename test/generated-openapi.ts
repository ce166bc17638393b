/** OpenAPI documents of any content, 2.0 and 3.x, sound and odd, for the laws of imports. */
import fc from 'fast-check';
import type { JsonObject } from '../src/documents/json.js';

const names = ['id', 'name', 'Node', 'a/b', 'x y', 'größe', '__path', 'constructor', '~odd%'];
const name = fc.constantFrom(...names);
const referenceTo = (place: string) =>
  fc
    .constantFrom(...names, 'missing')
    .map((target) => ({ $ref: `#${place}/${target.replaceAll('~', '~0').replaceAll('/', '~1')}` }));

/** @param definitions where the document has its schemas */
const schemaIn = (definitions: string): fc.Arbitrary<JsonObject> =>
  fc.letrec<{ schema: JsonObject }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      fc.constantFrom<JsonObject>(
        { type: 'string', nullable: true, example: 'x' },
        { type: 'integer', minimum: 1, exclusiveMinimum: true },
        { type: 'string', enum: ['a', 'b', 'a'], readOnly: true },
        { type: 'string', format: 'binary' },
        { type: 'string', pattern: '^\\_[a-z]+$' },
        { type: 'any' } as JsonObject,
        { required: true, minLength: -1, description: 5 } as unknown as JsonObject,
        {},
      ),
      referenceTo(definitions),
      fc.record({
        $ref: fc.constantFrom('http://127.0.0.1:9/x.json#/a', './other.yaml'),
        nullable: fc.boolean(),
      }),
      fc.record({
        type: fc.constant('object'),
        properties: fc.dictionary(name, tie('schema'), { maxKeys: 3 }),
        required: fc.uniqueArray(name, { maxLength: 2 }),
      }),
      fc.record({ type: fc.constant('array'), items: tie('schema') }),
      fc
        .tuple(
          fc.constantFrom('allOf', 'oneOf', 'anyOf'),
          fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
        )
        .map(([keyword, parts]) => ({ [keyword]: parts })),
      fc.record({ not: tie('schema') }),
    ),
  })).schema;

const path = fc
  .array(fc.constantFrom('things', '{id}', '{name}', 'sub', '{größe}'), { maxLength: 4 })
  .map((steps) => `/${steps.join('/')}`);
const info = fc.constant({ title: 'Generated', version: '1' });
const common = {
  operationId: fc.oneof(name, fc.string({ minLength: 60, maxLength: 110 })),
  deprecated: fc.boolean(),
  tags: fc.array(name, { maxLength: 2 }),
};
/** Operations by path and method, some of them with parameters of the path. */
const pathsOf = (operation: fc.Arbitrary<object>, parameters: fc.Arbitrary<object[]>) => {
  const method = fc.constantFrom('get', 'put', 'post', 'delete', 'patch');
  const item = fc
    .tuple(fc.dictionary(method, operation, { maxKeys: 3 }), fc.option(parameters, { nil: undefined }))
    .map(([operations, shared]) =>
      shared === undefined ? operations : { ...operations, parameters: shared },
    );
  return fc.dictionary(path, item, { maxKeys: 5 });
};

function openApi3(): fc.Arbitrary<object> {
  const schema = schemaIn('/components/schemas');
  const parameter = fc.record({
    name,
    in: fc.constantFrom('path', 'query', 'header', 'cookie'),
    required: fc.boolean(),
    schema,
  });
  const parameters = fc.array(parameter, { maxLength: 3 });
  const mediaType = fc.constantFrom('application/json', 'multipart/form-data', 'text/plain', 'image/png');
  const content = fc.dictionary(mediaType, fc.record({ schema }), { minKeys: 1, maxKeys: 2 });
  const node = { schema: { $ref: '#/components/schemas/Node' } };
  const operation = fc.record(
    {
      ...common,
      parameters,
      requestBody: fc.record({ required: fc.boolean(), content }),
      responses: fc.constant({ '200': { content: { 'application/json': node } } }),
    },
    { requiredKeys: [] },
  );
  return fc.record({
    openapi: fc.constantFrom('3.0.3', '3.1.0'),
    info,
    paths: pathsOf(operation, parameters),
    components: fc.record({ schemas: fc.dictionary(name, schema, { maxKeys: 6 }) }),
  });
}

function swagger2(): fc.Arbitrary<object> {
  const schema = schemaIn('/definitions');
  const value = fc.constantFrom<JsonObject>(
    { type: 'string', minLength: 1 },
    { type: 'integer', format: 'int64', default: 1 },
    { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, collectionFormat: 'multi' },
    { type: 'array', collectionFormat: 'tsv' },
    { type: 'file' },
    {},
  );
  const plain = fc
    .record({ name, in: fc.constantFrom('path', 'query', 'header', 'formData'), required: fc.boolean() })
    .chain((parameter) => value.map((said) => ({ ...parameter, ...said })));
  const body = fc.record({ name, in: fc.constant('body'), required: fc.boolean(), schema });
  const parameter = fc.oneof(plain, body);
  const parameters = fc.array(fc.oneof(parameter, referenceTo('/parameters')), { maxLength: 4 });
  const mediaTypes = fc.array(
    fc.constantFrom(
      'application/json',
      'multipart/form-data',
      'application/x-www-form-urlencoded',
      'text/csv',
    ),
    { maxLength: 2 },
  );
  const operation = fc.record(
    {
      ...common,
      parameters,
      consumes: mediaTypes,
      produces: mediaTypes,
      responses: fc.record({ '200': fc.oneof(fc.record({ schema }), referenceTo('/responses')) }),
    },
    { requiredKeys: [] },
  );
  return fc.record(
    {
      swagger: fc.constant('2.0'),
      info,
      consumes: mediaTypes,
      paths: pathsOf(operation, parameters),
      parameters: fc.dictionary(name, parameter, { maxKeys: 4 }),
      responses: fc.dictionary(name, fc.record({ schema }), { maxKeys: 2 }),
      definitions: fc.dictionary(name, schema, { maxKeys: 6 }),
    },
    { requiredKeys: ['swagger', 'info', 'paths'] },
  );
}

export const generatedPath = path;
export const generatedDocument = fc.oneof(swagger2(), openApi3()) as fc.Arbitrary<JsonObject>;
