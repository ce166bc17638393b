import fc from 'fast-check';
import { brokenLaws } from '../../../test/import-laws.js';
import { UnreadableDocument, type Json, type JsonObject } from '../imported.js';
import { parseDocument } from '../parse-document.js';

const names = ['id', 'name', 'Node', 'a/b', 'x y', 'größe', '__path', 'constructor', '~odd%'];
const name = fc.constantFrom(...names);
const reference = fc
  .constantFrom(...names, 'missing')
  .map((target) => ({ $ref: `#/components/schemas/${target.replaceAll('~', '~0').replaceAll('/', '~1')}` }));

const { schema } = fc.letrec<{ schema: JsonObject }>((tie) => ({
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
    reference,
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
}));

const parameter = fc.record({
  name,
  in: fc.constantFrom('path', 'query', 'header', 'cookie'),
  required: fc.boolean(),
  schema,
});
const operation = fc.record(
  {
    operationId: fc.oneof(name, fc.string({ minLength: 60, maxLength: 110 })),
    deprecated: fc.boolean(),
    tags: fc.array(name, { maxLength: 2 }),
    parameters: fc.array(parameter, { maxLength: 3 }),
    requestBody: fc.record({
      required: fc.boolean(),
      content: fc.dictionary(
        fc.constantFrom('application/json', 'multipart/form-data', 'text/plain', 'image/png'),
        fc.record({ schema }),
        { minKeys: 1, maxKeys: 2 },
      ),
    }),
    responses: fc.constant({
      '200': { content: { 'application/json': { schema: { $ref: '#/components/schemas/Node' } } } },
    }),
  },
  { requiredKeys: [] },
);
const path = fc
  .array(fc.constantFrom('things', '{id}', '{name}', 'sub', '{größe}'), { maxLength: 4 })
  .map((steps) => `/${steps.join('/')}`);
const document = fc.record({
  openapi: fc.constantFrom('3.0.3', '3.1.0'),
  info: fc.constant({ title: 'Generated', version: '1' }),
  paths: fc.dictionary(
    path,
    fc.dictionary(fc.constantFrom('get', 'put', 'post', 'delete', 'patch'), operation, { maxKeys: 3 }),
    {
      maxKeys: 5,
    },
  ),
  components: fc.record({ schemas: fc.dictionary(name, schema, { maxKeys: 6 }) }),
}) as unknown as fc.Arbitrary<JsonObject>;

/** The same document with the members of every object the other way round. */
function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversed(inner)]),
  );
}

const read = (source: JsonObject) => parseDocument(source, { format: 'auto' });

describe('laws of importing OpenAPI', () => {
  it('holds keys, fitting unique names, required path parameters and schemas that stand alone', async () => {
    await fc.assert(
      fc.asyncProperty(document, async (source) => {
        expect(brokenLaws(await read(source))).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it('gives the same twice, and leaves what it was given as it is', async () => {
    await fc.assert(
      fc.asyncProperty(document, async (source) => {
        const before = JSON.stringify(source);
        const [one, other] = [await read(source), await read(source)];
        expect(JSON.stringify(other)).toBe(JSON.stringify(one));
        expect(JSON.stringify(source)).toBe(before);
      }),
      { numRuns: 60 },
    );
  });

  it('gives the same keys and names whatever the order of the document', async () => {
    await fc.assert(
      fc.asyncProperty(document, async (source) => {
        const [one, other] = [await read(source), await read(reversed(source) as JsonObject)];
        const named = ({ endpoints }: typeof one) => endpoints.map(({ key, name }) => [key, name]);
        expect(named(other)).toEqual(named(one));
      }),
      { numRuns: 60 },
    );
  });

  it('reads or refuses whatever stands where an operation should', async () => {
    const anything = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;
    const odd = fc.dictionary(
      fc.constantFrom('get', 'post', 'parameters', '$ref', 'x-a', 'servers'),
      anything,
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('2.0', '3.1.0'),
        fc.dictionary(path, fc.oneof(odd, anything)),
        async (version, paths) => {
          const head: JsonObject = version === '2.0' ? { swagger: version } : { openapi: version };
          try {
            expect(brokenLaws(await read({ ...head, paths: paths }))).toEqual([]);
          } catch (fault) {
            expect(fault).toBeInstanceOf(UnreadableDocument);
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});
