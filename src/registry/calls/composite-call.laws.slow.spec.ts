import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { buildSchema, getVariableValues, Kind, parse } from 'graphql';
import type { Json, JsonObject } from '../../documents/json.js';
import { resultSchema, writtenOperation } from '../../formats/shared.js';
import { compositeFaults, type CompositeCall } from './composite-call.js';
import { checkComposite } from './composite-check.js';
import { scopeOf, variablesOf } from './graphql-call.js';
import { partAt } from './template.js';
import { isSoak, many } from '../../../test/soak.js';

const schema = buildSchema(`
  enum State { OPEN CLOSED }
  interface Node { id: ID! }
  scalar Anything
  type Label implements Node { id: ID!, name: String }
  type Issue implements Node {
    id: ID!, title: String, count: Int!, ratio: Float, state: State, open: Boolean!, labels: [Label!]!, parent: Issue, any: Node, raw: Anything
  }
  input Change { title: String, count: Int, ratio: Float, state: State, labels: [ID!] }
  input Target @oneOf { id: ID, title: String }
  type Query { issue(id: ID!): Issue, issues: [Issue] }
  type Mutation { update(id: ID!, change: Change, flags: [Boolean!], target: Target, any: Anything): Issue }
`);
const mutation = `mutation ($id: ID!, $change: Change, $flags: [Boolean!], $target: Target, $any: Anything) {
  update(id: $id, change: $change, flags: $flags, target: $target, any: $any) { id }
}`;
const [definition] = parse(mutation).definitions;
if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error('There is one operation.');
const { variableDefinitions: declared = [] } = definition;

const choices = ['one', 'two'] as const;
const parameter = fc.constantFrom<JsonObject>(
  { type: 'string' },
  { type: 'integer', minimum: 0, maximum: 9 },
  { type: 'boolean' },
  { enum: ['OPEN', 'CLOSED'] },
  { type: ['string', 'null'] },
  { type: 'string', default: 'x' },
  { type: 'array', items: { type: 'string' } },
);
const named = fc.record({
  id: fc.oneof(
    { weight: 4, arbitrary: fc.constant<JsonObject>({ type: 'string' }) },
    { weight: 1, arbitrary: parameter },
  ),
  p: parameter,
  q: parameter,
});
const branch = (value: string) =>
  fc
    .tuple(named, fc.subarray(['id', 'p', 'q'], { minLength: 1 }))
    .map(([properties, required]): JsonObject => {
      return {
        ...{ type: 'object', additionalProperties: false },
        properties: { operation: { const: value }, ...properties },
        required: ['operation', ...required],
      };
    });
/** Unions by branch, and flat parameters of which conditions say which are needed. */
const inputSchemas = fc.oneof(
  fc.tuple(branch('one'), branch('two')).map(([one, two]): JsonObject => {
    return { type: 'object', oneOf: [one, { $ref: '#/$defs/two' }], $defs: { two } };
  }),
  fc.tuple(named, fc.constantFrom('p', 'id')).map(([properties, needed]): JsonObject => {
    return {
      ...{ type: 'object', additionalProperties: false, required: ['operation'] },
      properties: { operation: { enum: [...choices] }, ...properties },
      allOf: [{ if: { properties: { operation: { const: 'one' } } }, then: { required: [needed] } }],
    };
  }),
);

const selections = [
  'id',
  'id title count',
  'id state open ratio',
  'id labels { id name }',
  'parent { id title parent { id } }',
  'id title @include(if: false)',
  'any { id ... on Label { name } }',
  '... on Node { id } raw',
] as const;
const paths = [
  'id',
  'title',
  'count',
  'state',
  'open',
  'ratio',
  'labels.0.id',
  'labels.0.name',
  'parent.id',
  'parent.parent.id',
  'any.id',
  'any.name',
  'raw',
  '0.id',
];
const part = fc.oneof(
  fc.constantFrom<Json>('$p', '$q', '$id', 'OPEN', 1, true, null),
  ...['read', 'again'].map((step) => fc.constantFrom(...paths).map((path) => `$${step}.${path}`)),
);
const more = fc.oneof(
  fc
    .record(
      { title: part, count: part, ratio: part, state: part, labels: fc.array(part, { maxLength: 2 }) },
      { requiredKeys: [] },
    )
    .map((change): JsonObject => ({ change })),
  fc.array(part, { maxLength: 2 }).map((flags): JsonObject => ({ flags })),
  fc.record({ id: part, title: part }, { requiredKeys: [] }).map((target): JsonObject => ({ target })),
  part.map((any): JsonObject => ({ any })),
  fc.constant<JsonObject>({}),
);
const target = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<Json>('$id', '$read.id', '$again.id') },
  { weight: 1, arbitrary: part },
);
const variables = fc.tuple(target, more).map(([id, others]): JsonObject => ({ id, ...others }));
const read = (id: string) =>
  fc.record({
    id: fc.constant(id),
    graphql: fc
      .tuple(fc.constantFrom(...selections), fc.constantFrom<Json>('$id', '$id', '$p', 'x'))
      .map(([fields, value]) => ({
        ...{ api: 'a', operation: `query ($id: ID!) { issue(id: $id) { ${fields} } }` },
        variables: { id: value },
      })),
    needs: fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.subarray(paths.slice(0, 12), { maxLength: 1 }) },
    ),
  });
const steps = fc
  .tuple(fc.constantFrom(1, 2, 2), read('read'), read('again'), variables, fc.subarray(['p', 'q']))
  .map(([count, one, two, made, keepNull]) => [
    ...[one, two].slice(0, count),
    { id: 'done', graphql: { api: 'a', operation: mutation, variables: made, keepNull } },
  ]);

/** Values of a shape as resultSchema writes it; and of arguments, mostly. */
function valueOf(of: Json): fc.Arbitrary<Json> {
  const {
    type,
    properties = {},
    required = [],
    items,
    anyOf,
    enum: listed,
    const: only,
  } = of as {
    readonly [keyword: string]: unknown;
    readonly properties?: JsonObject;
    readonly required?: readonly string[];
    readonly anyOf?: readonly Json[];
    readonly enum?: readonly Json[];
  };
  if (only !== undefined) return fc.constant(only as Json);
  if (anyOf !== undefined) return fc.oneof(...anyOf.map(valueOf));
  if (listed !== undefined) return fc.constantFrom(...listed);
  if (type === 'object')
    return fc.record(
      Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, valueOf(inner)])),
      { requiredKeys: [...required] },
    );
  if (type === 'array') return fc.array(valueOf((items ?? {}) as Json), { maxLength: 2 });
  return fc.oneof(
    ...[type].flat().map((each) => scalars[String(each)] ?? fc.constantFrom<Json>('x', 1, null, true)),
  );
}
const scalars: Readonly<Record<string, fc.Arbitrary<Json>>> = {
  string: fc.constantFrom('x', 'OPEN', ''),
  boolean: fc.boolean(),
  null: fc.constant(null),
  integer: fc.constantFrom(0, 1, 9, -3),
  number: fc.constantFrom(0.5, -1, 1e9),
};

type Steps = CompositeCall['alternatives'][number]['steps'];

/** What the steps send, of these arguments and of results that the schema may answer: up to one whose needs are not met. */
function sentBy(
  written: Steps,
  inputSchema: JsonObject,
  args: JsonObject,
  results: Readonly<Record<string, Json>>,
): readonly { readonly id: string; readonly variables: JsonObject }[] {
  let scope: Record<string, Json> = { ...scopeOf(inputSchema, args) };
  const sent = [];
  for (const { id, graphql, needs = [] } of written) {
    sent.push({ id, variables: variablesOf(graphql ?? {}, scope) });
    const result = results[id] ?? null;
    if (needs.some((path) => (partAt(result, path.split('.')) ?? null) === null)) break;
    scope = { ...scope, [id]: result };
  }
  return sent;
}

// Nobody reads the stacks of the errors that graphql makes by the thousand, and writing them takes most of the time.
const { stackTraceLimit } = Error;
beforeAll(() => {
  Error.stackTraceLimit = 0;
});
afterAll(() => {
  Error.stackTraceLimit = stackTraceLimit;
});

it('a composite that is taken makes variables that its operations take, of all arguments and all results', () => {
  let [taken, tried] = [0, 0];
  const query = parse('query ($id: ID!) { issue(id: $id) { id } }').definitions[0];
  const ofReads = query?.kind === Kind.OPERATION_DEFINITION ? (query.variableDefinitions ?? []) : [];
  const shapes = new Map(
    selections.map((fields) => {
      const operation = `query ($id: ID!) { issue(id: $id) { ${fields} } }`;
      const found = writtenOperation({ operation }, schema);
      if (!('cost' in found)) throw new Error(found.join());
      return [operation, resultSchema(schema, found)] as const;
    }),
  );
  fc.assert(
    fc.property(inputSchemas, steps, steps, fc.infiniteStream(fc.nat()), (inputSchema, one, two, seeds) => {
      const composite: CompositeCall = {
        by: 'operation',
        alternatives: [
          { when: 'one', steps: one },
          { when: 'two', steps: two },
        ],
      };
      const described = { inputSchema, annotations: {} };
      const apis = new Map([['a', schema]]);
      const own = compositeFaults(composite, described);
      if (own.some(({ pointer }) => !pointer.startsWith('/composite/alternatives/'))) return;
      const isTaken = new Ajv2020({ strict: false }).compile(inputSchema);
      // Each alternative stands for itself: the other one may be refused.
      for (const [place, alternative] of composite.alternatives.entries()) {
        const { when, steps: written } = alternative;
        if (own.some(({ pointer }) => pointer.startsWith(`/composite/alternatives/${String(place)}/`)))
          continue;
        const { faults } = checkComposite(
          { by: 'operation', alternatives: [alternative] },
          { inputSchema, readOnlyHint: false },
          { apis, endpoints: new Map() },
        );
        if (faults.length > 0) continue;
        taken += 1;
        const [seed = 0] = [...seeds.take(1)];
        const values = fc.sample(argumentsOf(inputSchema, when), { numRuns: 12, seed });
        const answers = fc.sample(
          fc.record(
            Object.fromEntries(
              written.map(({ id, graphql }) => [id, valueOf(shapes.get(graphql?.operation ?? '') ?? {})]),
            ),
          ),
          { numRuns: 12, seed },
        ) as Readonly<Record<string, Json>>[];
        for (const [index, args] of values.entries()) {
          if (!isTaken(args)) continue;
          for (const sent of sentBy(written, inputSchema, args, answers[index] ?? {})) {
            tried += 1;
            const types = sent.id === 'done' ? declared : ofReads;
            expect({
              args,
              answers: answers[index],
              sent,
              ...getVariableValues(schema, types, sent.variables),
            }).not.toHaveProperty('errors');
          }
        }
      }
    }),
    many(500),
  );
  // The law would say nothing where everything is refused.
  expect(taken).toBeGreaterThan(isSoak ? 30 : 2);
  expect(tried).toBeGreaterThan(isSoak ? 100 : 10);
});

function argumentsOf(inputSchema: JsonObject, when: string): fc.Arbitrary<JsonObject> {
  const { oneOf, $defs } = inputSchema as { readonly oneOf?: readonly Json[]; readonly $defs?: JsonObject };
  const own = oneOf === undefined ? inputSchema : when === 'two' ? ($defs?.['two'] ?? {}) : (oneOf[0] ?? {});
  return valueOf(own).map((value) => ({ ...(value as JsonObject), operation: when }));
}
