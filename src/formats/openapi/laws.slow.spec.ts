import fc from 'fast-check';
import { generatedDocument, generatedPath } from '../../../test/generated-openapi.js';
import { brokenLaws } from '../../../test/import-laws.js';
import { UnreadableDocument } from '../../documents/findings.js';
import type { Json, JsonObject } from '../../documents/json.js';
import { readFlat } from '../../../test/flat-endpoints.js';
import { many } from '../../../test/soak.js';

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

const read = (source: JsonObject) => readFlat(source, { format: 'auto' });

describe('laws of importing OpenAPI', () => {
  it('holds every operation, keys, fitting unique names, required path parameters and schemas that stand alone', async () => {
    await fc.assert(
      fc.asyncProperty(generatedDocument, async (source) => {
        const imported = await read(source);
        expect(brokenLaws(imported)).toEqual([]);
        const items = Object.values(source['paths'] as JsonObject) as JsonObject[];
        const operations = items.flatMap(({ parameters: _, ...methods }) => Object.keys(methods));
        expect(imported.endpoints).toHaveLength(operations.length);
      }),
      many(200),
    );
  });

  it('gives the same twice, and leaves what it was given as it is', async () => {
    await fc.assert(
      fc.asyncProperty(generatedDocument, async (source) => {
        const before = JSON.stringify(source);
        const [one, other] = [await read(source), await read(source)];
        expect(JSON.stringify(other)).toBe(JSON.stringify(one));
        expect(JSON.stringify(source)).toBe(before);
      }),
      many(60),
    );
  });

  it('gives the same keys and names whatever the order of the document', async () => {
    await fc.assert(
      fc.asyncProperty(generatedDocument, async (source) => {
        const [one, other] = [await read(source), await read(reversed(source) as JsonObject)];
        const named = ({ endpoints }: typeof one) => endpoints.map(({ key, name }) => [key, name]);
        expect(named(other)).toEqual(named(one));
      }),
      many(60),
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
        fc.dictionary(generatedPath, fc.oneof(odd, anything)),
        async (version, paths) => {
          const head: JsonObject = version === '2.0' ? { swagger: version } : { openapi: version };
          try {
            expect(brokenLaws(await read({ ...head, paths: paths }))).toEqual([]);
          } catch (fault) {
            expect(fault).toBeInstanceOf(UnreadableDocument);
          }
        },
      ),
      many(200),
    );
  });
});
