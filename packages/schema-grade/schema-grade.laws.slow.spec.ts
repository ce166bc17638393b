import fc from 'fast-check';
import { oracleOf } from '../../test/schema-oracle.js';
import { gradeInput, gradeOutput } from './schema-grade.js';
import { many } from '../../test/soak.js';

type Schema = Record<string, unknown>;

const names = ['a', 'b', 'c'] as const;
const scalars = [null, true, false, 0, 1, 2, 2.5, -3, 50, '', 'a', 'bc', 'def'] as const;

const bounds = fc.record(
  {
    minimum: fc.integer({ min: -3, max: 3 }),
    maximum: fc.integer({ min: 1, max: 60 }),
    exclusiveMinimum: fc.integer({ min: -3, max: 3 }),
  },
  { requiredKeys: [] },
);
const lengths = fc.record(
  { minLength: fc.integer({ min: 0, max: 2 }), maxLength: fc.integer({ min: 1, max: 3 }) },
  { requiredKeys: [] },
);
const counts = fc.record(
  { minItems: fc.integer({ min: 0, max: 2 }), maxItems: fc.integer({ min: 0, max: 3 }) },
  { requiredKeys: [] },
);

/** Small schemas of every kind that a tool has. */
const schemas = fc.letrec<{ schema: Schema; property: Schema | boolean }>((tie) => {
  const inner = tie('schema');
  const list = fc.array(inner, { minLength: 1, maxLength: 3 });
  const object = fc
    .record(
      {
        properties: fc.dictionary(fc.constantFrom(...names), inner, { maxKeys: 3 }),
        required: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 }),
        additionalProperties: fc.oneof(fc.boolean(), inner),
        maxProperties: fc.integer({ min: 1, max: 3 }),
      },
      { requiredKeys: [] },
    )
    .map((members) => ({ type: 'object', ...members }));
  const array = fc
    .record(
      { items: inner, prefixItems: fc.array(inner, { minLength: 1, maxLength: 2 }) },
      { requiredKeys: [] },
    )
    .chain((members) => counts.map((count) => ({ type: 'array', ...members, ...count })));
  return {
    property: fc.oneof(inner, fc.boolean()),
    schema: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      fc.constant({}),
      fc.constantFrom<Schema>(
        { type: 'string' },
        { type: 'boolean' },
        { type: 'null' },
        { type: ['string', 'null'] },
        { type: ['integer', 'string'] },
      ),
      bounds.chain((limits) => fc.constantFrom('integer', 'number').map((type) => ({ type, ...limits }))),
      lengths.map((limits) => ({ type: 'string', ...limits })),
      fc
        .uniqueArray(fc.constantFrom(...scalars), { minLength: 1, maxLength: 4 })
        .map((values) => ({ enum: values })),
      fc.constantFrom(...scalars).map((value) => ({ const: value })),
      object,
      object,
      array,
      list.map((anyOf) => ({ anyOf })),
      list.map((oneOf) => ({ oneOf })),
      list.map((allOf) => ({ allOf })),
    ),
  };
}).schema;

/** Another schema, mostly not far from the first. */
function near(schema: Schema): fc.Arbitrary<Schema> {
  const keys = Object.keys(schema);
  const changes: fc.Arbitrary<Schema>[] = [schemas];
  if (keys.length > 0) {
    const key = fc.constantFrom(...keys);
    changes.push(
      key.map((gone) => Object.fromEntries(Object.entries(schema).filter(([name]) => name !== gone))),
    );
    changes.push(key.chain((one) => nearValue(schema[one]).map((value) => ({ ...schema, [one]: value }))));
    changes.push(key.chain((one) => nearValue(schema[one]).map((value) => ({ ...schema, [one]: value }))));
  }
  changes.push(
    schemas.chain((other) =>
      fc.constantFrom(...Object.keys(other), 'title').map((one) => ({ ...schema, [one]: other[one] ?? 'x' })),
    ),
  );
  return fc.oneof(...changes);
}

function nearValue(value: unknown): fc.Arbitrary<unknown> {
  if (typeof value === 'number')
    return fc.integer({ min: Math.floor(value) - 2, max: Math.floor(value) + 2 });
  if (typeof value === 'boolean') return fc.oneof(fc.boolean(), schemas);
  if (Array.isArray(value)) {
    const items = value as unknown[];
    if (items.length === 0) return fc.constant(items);
    const index = fc.nat(items.length - 1);
    return fc.oneof(
      index.map((at) => items.filter((_, one) => one !== at)),
      index.chain((at) =>
        nearValue(items[at]).map((other) => items.map((item, one) => (one === at ? other : item))),
      ),
      typeof items[0] === 'object' && items[0] !== null
        ? schemas.map((other) => [...items, other])
        : fc.constant(items),
      fc.shuffledSubarray(items, { minLength: items.length }),
    );
  }
  if (typeof value === 'object' && value !== null) {
    const members = value as Schema;
    return 'type' in members || Object.keys(members).every((name) => !names.includes(name as 'a'))
      ? near(members)
      : fc.oneof(
          fc
            .constantFrom(...names)
            .chain((name) => schemas.map((schema) => ({ ...members, [name]: schema }))),
          fc
            .constantFrom(...Object.keys(members))
            .map((gone) => Object.fromEntries(Object.entries(members).filter(([name]) => name !== gone))),
          fc
            .constantFrom(...Object.keys(members))
            .chain((name) => near(members[name] as Schema).map((schema) => ({ ...members, [name]: schema }))),
        );
  }
  return fc.constantFrom(...scalars);
}

/** Values that a caller who knows the schema may send: no member that the schema does not speak of. */
const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom(...scalars),
    fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 3 }),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
})).value;

/** Whether the schemas, which the value meets, say something of each of its members. */
function speakOf(given: readonly unknown[], value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  const about = given.flatMap(parts);
  if (Array.isArray(value)) {
    return value.every((item, place) =>
      speakOf(
        about.map(({ prefixItems, items }) => (prefixItems as unknown[] | undefined)?.[place] ?? items),
        item,
      ),
    );
  }
  return Object.entries(value).every(([name, member]) => {
    const said = about.flatMap(({ properties, additionalProperties: others }) => {
      const own = (properties as Schema | undefined)?.[name];
      return own !== undefined ? [own] : typeof others === 'object' ? [others] : [];
    });
    return said.length > 0 && speakOf(said, member);
  });
}

/** The schema and the branches of which it is put together. */
function parts(schema: unknown): Schema[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = schema as Schema;
  return [
    own,
    ...['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => ((own[keyword] ?? []) as Schema[]).flatMap(parts)),
  ];
}

/** Undefined where the change has left no schema. */
function compiled(schema: Schema): ((value: unknown) => boolean) | undefined {
  try {
    return oracleOf(schema);
  } catch {
    return undefined;
  }
}

const pairs = schemas.chain((before) => near(before).map((after) => ({ before, after })));

describe('what is graded compatible', () => {
  it.each([
    ['input', gradeInput, (before: Schema, after: Schema) => [before, after] as const],
    ['output', gradeOutput, (before: Schema, after: Schema) => [after, before] as const],
  ])('is taken by those who relied on the %s before', (_side, grade, direction) => {
    let tried = 0;
    fc.assert(
      fc.property(pairs, fc.array(values, { minLength: 30, maxLength: 30 }), ({ before, after }, made) => {
        if (grade(before, after) === 'breaking') return true;
        const [narrow, wide] = direction(before, after);
        const [isSent, isTaken] = [compiled(narrow), compiled(wide)];
        if (isSent === undefined || isTaken === undefined) return true;
        for (const value of made.filter((each) => isSent(each) && speakOf([narrow], each))) {
          tried++;
          if (!isTaken(value)) throw new Error(`${JSON.stringify(value)} was fine and is refused`);
        }
        return true;
      }),
      many(600),
    );
    expect(tried).toBeGreaterThan(100);
  });
});
