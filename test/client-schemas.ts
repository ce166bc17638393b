import fc from 'fast-check';
import type { Json, JsonObject } from '../packages/schema-reading/keywords.js';

const names = ['a', 'b', 'c', 'a/b~', 'é\u{1f600}'];
const name = fc.constantFrom(...names);
const few = { maxLength: 3 };

const entries = (value: fc.Arbitrary<Json>): fc.Arbitrary<JsonObject> =>
  fc.array(fc.tuple(name, value), few).map((members) => Object.fromEntries<Json>(members));

const scalar = fc.constantFrom<Json>(
  null,
  true,
  false,
  0,
  1,
  -1,
  1.5,
  2,
  10,
  '',
  'a',
  'ab',
  '1',
  '\u{1f600}',
  'a\n',
);

/** JSON values that schemas of {@link schemas} take now and then. */
export const values: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), few),
    entries(tie('value')),
  ),
})).value;

const count = fc.integer({ min: 0, max: 3 });
const number = fc.constantFrom<Json>(-1, 0, 0.5, 1, 2, 10);
const type = fc.constantFrom<Json>(
  'null',
  'boolean',
  'object',
  'array',
  'number',
  'string',
  'integer',
  ['string', 'null'],
  ['object', 'array'],
);
const pattern = fc.constantFrom('^a', 'b$', '^.$', '\\d', '^[^a]*$', '^(a|b)+$', '\\bа?a\\b', '^\\S{2,}$');
const schemaList = (schema: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  fc.array(schema, { minLength: 1, maxLength: 3 });
const nameList: fc.Arbitrary<Json> = fc.uniqueArray(name, few);

function keywords(
  schema: fc.Arbitrary<Json>,
  reference: fc.Arbitrary<string>,
): readonly fc.Arbitrary<[string, Json]>[] {
  const of = (keyword: string, value: fc.Arbitrary<Json>): fc.Arbitrary<[string, Json]> =>
    value.map((each) => [keyword, each]);
  const members = entries(schema);
  return [
    of('type', type),
    of('const', values),
    of('enum', fc.array(values, { minLength: 1, maxLength: 4 })),
    ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map((each) => of(each, number)),
    of('multipleOf', fc.constantFrom(0.5, 1, 2, 3)),
    ...['Length', 'Items', 'Properties'].flatMap((each) => [
      of(`min${each}`, count),
      of(`max${each}`, count),
    ]),
    of('pattern', pattern),
    of('uniqueItems', fc.boolean()),
    of('items', schema),
    of('items', fc.constant({ $ref: '#' })),
    of('prefixItems', schemaList(schema)),
    of('contains', schema),
    of('minContains', count),
    of('maxContains', count),
    ...['properties', 'properties', 'properties', 'dependentSchemas'].map((each) => of(each, members)),
    of('required', nameList),
    of('additionalProperties', schema),
    of(
      'patternProperties',
      fc.tuple(pattern, schema).map(([one, each]) => ({ [one]: each })),
    ),
    of('propertyNames', schema),
    of('dependentRequired', entries(nameList)),
    ...['allOf', 'anyOf', 'oneOf'].map((each) => of(each, schemaList(schema))),
    ...['not', 'if', 'then', 'else'].map((each) => of(each, schema)),
    of('$ref', reference),
  ];
}

function schemasOf(reference: fc.Arbitrary<string> | undefined): fc.Arbitrary<Json> {
  return fc.letrec<{ schema: Json }>((tie) => {
    const all = keywords(tie('schema'), reference ?? fc.constant('#/$defs/none'));
    const usable = reference === undefined ? all.slice(0, -1) : all;
    const some = fc.uniqueArray(fc.oneof(...usable), {
      // Beside prefixItems, ajv takes for contains what is shorter.
      selector: ([keyword]) => (keyword === 'contains' ? 'prefixItems' : keyword),
      minLength: 1,
      maxLength: 4,
    });
    return {
      schema: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom<Json>(true, {}, false),
        some.map((each) => Object.fromEntries<Json>(each)),
      ),
    };
  }).schema;
}

/** Input schemas of one required argument `value`, with definitions. */
export const schemas: fc.Arbitrary<JsonObject> = fc
  .record({
    value: schemasOf(fc.constantFrom('#/$defs/one', '#/$defs/other%20one')),
    one: schemasOf(undefined),
    other: schemasOf(undefined),
  })
  .map(({ value, one, other }) => ({
    type: 'object',
    required: ['value'],
    properties: { value },
    $defs: { one, 'other one': other },
  }));
