import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { buildSchema, getVariableValues, parse, Kind, type OperationDefinitionNode } from 'graphql';
import type { JsonObject } from '../../documents/json.js';
import { checkGraphqlCall, scopeOf, variablesOf, type GraphqlCall } from './graphql-call.js';
import { many } from '../../../test/soak.js';

const schema = buildSchema(`
  enum State { OPEN CLOSED }
  input Label { name: String!, color: String }
  input Filter { state: State, limit: Int = 5, labels: [Label!], ids: [ID!], near: Float, deep: Filter }
  input OneOfThese @oneOf { id: ID, path: String }
  scalar Anything
  type Query {
    find(text: String!, filter: Filter, flags: [Boolean!], one: OneOfThese, any: Anything): String
  }
`);
const operation = `query Find($text: String!, $filter: Filter, $flags: [Boolean!], $one: OneOfThese, $any: Anything) {
  find(text: $text, filter: $filter, flags: $flags, one: $one, any: $any)
}`;
const [definition] = parse(operation).definitions;
if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error('There is one operation.');
const { variableDefinitions = [] }: OperationDefinitionNode = definition;

const names = ['p', 'q', 'r'] as const;
const leaf = fc.oneof(
  fc.constantFrom<JsonObject>(
    { type: 'string' },
    { type: 'string', default: 'x' },
    { type: 'boolean' },
    { type: ['string', 'null'] },
    { type: 'integer', minimum: 0, maximum: 10 },
    { type: 'integer' },
    { type: 'number', minimum: -1, maximum: 1 },
    { enum: ['OPEN', 'CLOSED'] },
    { enum: ['OPEN', 'other'] },
    { const: 'OPEN' },
    {},
  ),
);
const curated = fc.letrec<{ any: JsonObject }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.record({
      type: fc.constant('object'),
      properties: fc.dictionary(fc.constantFrom('name', 'color', 'state', 'ids', 'id'), tie('any'), {
        maxKeys: 3,
      }),
      required: fc.uniqueArray(fc.constantFrom('name', 'state'), { maxLength: 2 }),
      additionalProperties: fc.boolean(),
    }),
    fc.record({ type: fc.constant('array'), items: tie('any') }),
    fc.record({ anyOf: fc.array(tie('any'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ allOf: fc.array(tie('any'), { minLength: 1, maxLength: 2 }) }),
  ),
})).any;
const inputSchemas = fc.dictionary(fc.constantFrom(...names), curated, { minKeys: 1 }).chain((properties) =>
  fc.subarray(Object.keys(properties)).map((required): JsonObject => {
    return { type: 'object', properties, required, additionalProperties: false };
  }),
);

const part = fc.oneof(
  fc.constantFrom('$p', '$q', '$r', '$p.name', '$q.ids.0', '$r.state', '$$p', 'OPEN', 1, true, null, 'x'),
);
const variables = fc.record(
  {
    text: part,
    filter: fc.oneof(
      part,
      fc.record(
        {
          state: part,
          limit: part,
          near: part,
          ids: fc.oneof(part, fc.array(part, { maxLength: 2 })),
          labels: fc.oneof(
            part,
            fc.array(fc.record({ name: part, color: part }, { requiredKeys: [] }), { maxLength: 1 }),
          ),
        },
        { requiredKeys: [] },
      ),
    ),
    flags: fc.oneof(part, fc.array(part, { maxLength: 2 })),
    one: fc.oneof(part, fc.record({ id: part, path: part }, { requiredKeys: [] })),
    any: part,
  },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>;

/** Values that a schema of these mostly takes. */
function valueOf(of: unknown): fc.Arbitrary<unknown> {
  const {
    type,
    properties = {},
    required = [],
    items,
    anyOf,
    allOf,
    ...rest
  } = of as {
    readonly [keyword: string]: unknown;
    readonly properties?: JsonObject;
    readonly anyOf?: readonly unknown[];
    readonly allOf?: readonly unknown[];
  };
  const [first] = allOf ?? [];
  if (first !== undefined) return valueOf(first);
  if (anyOf !== undefined) return fc.oneof(...anyOf.map(valueOf));
  if (Array.isArray(rest['enum'])) return fc.constantFrom(...(rest['enum'] as unknown[]));
  if ('const' in rest) return fc.constant(rest['const']);
  if (type === 'object') {
    const members = Object.entries(properties).map(([name, inner]) => [name, valueOf(inner)] as const);
    const named = fc.record(Object.fromEntries(members), {
      requiredKeys: (required as string[]).filter((name) => name in properties),
    });
    return fc.oneof(
      { weight: 5, arbitrary: named },
      { weight: 1, arbitrary: fc.constant({ z: 1, name: 'n', state: 'OPEN' }) },
    );
  }
  if (type === 'array') return fc.array(valueOf(items), { maxLength: 2 });
  return fc.oneof(
    ...[type].flat().map((each) => scalars[String(each)] ?? fc.oneof(...Object.values(scalars))),
  );
}
const scalars: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  string: fc.constantFrom('x', 'OPEN', 'other', ''),
  boolean: fc.boolean(),
  null: fc.constant(null),
  integer: fc.constantFrom(0, 1, 10, 3e9),
  number: fc.constantFrom(0.5, -1, 3e9),
};

// Nobody reads the stacks of the errors that graphql makes by the thousand, and writing them takes most of the time.
const { stackTraceLimit } = Error;
beforeAll(() => {
  Error.stackTraceLimit = 0;
});
afterAll(() => {
  Error.stackTraceLimit = stackTraceLimit;
});

it('a mapping that is taken makes variables that the operation takes, of all arguments that the schema takes', () => {
  let tried = 0;
  fc.assert(
    fc.property(
      inputSchemas,
      variables,
      fc.subarray([...names]),
      fc.nat(),
      (inputSchema, template, keepNull, seed) => {
        const call: GraphqlCall = { api: 'issues', operation, variables: template, keepNull };
        const { faults } = checkGraphqlCall(call, inputSchema, schema);
        fc.pre(faults.length === 0);
        // Values are made of what is taken alone: that is little of all.
        const sent = fc.sample(valueOf(inputSchema), { numRuns: 20, seed });
        const isTaken = new Ajv2020({ strict: false }).compile(inputSchema);
        for (const args of (sent as JsonObject[]).filter((each) => isTaken(each))) {
          tried += 1;
          const made = variablesOf(call, scopeOf(inputSchema, args));
          expect({ args, made, ...getVariableValues(schema, variableDefinitions, made) }).not.toHaveProperty(
            'errors',
          );
        }
      },
    ),
    many(400),
  );
  // The law would say nothing where everything is refused.
  expect(tried).toBeGreaterThan(50);
});
