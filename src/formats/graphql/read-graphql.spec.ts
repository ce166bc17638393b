import {
  buildClientSchema,
  buildSchema,
  introspectionFromSchema,
  parse,
  validate,
  type IntrospectionQuery,
} from 'graphql';
import { brokenLaws, compile, describeWithCorpus, readCorpus } from '../../../test/import-laws.js';
import { readFlat } from '../../../test/flat-endpoints.js';

const read = (document: string | object) => readFlat(document, { format: 'auto' });
const graphqlOf = ({ extras }: { readonly extras: object }) =>
  (extras as { graphql: { operationName: string; document: string; complexity: number } }).graphql;

const shop = `
"""A shop."""
schema { query: Root mutation: Change subscription: Feed }
type Root {
  "One order."
  order(id: ID!, deep: Boolean = false): Order
  orders(filter: Filter, first: Int): [Order!]!
  version: String @deprecated
  node(id: ID!): Node
  find(text: String!): [Found]
}
type Change { cancel(input: CancelInput!): CancelPayload delete(id: ID!): Boolean }
type Feed { changed: Order }
enum State { OPEN SHIPPED }
scalar Money
interface Node { id: ID! }
union Found = Order | Person
type Order implements Node { id: ID! state: State total: Money buyer: Person lines(page: Int!): [String] parent: Order }
type Person { id: ID! name: String! state: Int orders: [Order] }
input Filter { state: State, and: [Filter!], near: Pick }
input Pick @oneOf { city: String, zip: String }
input CancelInput { id: ID!, reason: String = "none" }
type CancelPayload { order: Order userErrors: [UserError!]! }
type UserError { message: String! path: [String!] }
directive @oneOf on INPUT_OBJECT
`;

describe('a GraphQL schema', () => {
  it('gives an endpoint for every root field of queries and mutations', async () => {
    const { endpoints, format, warnings } = await read(shop);
    expect(format).toBe('graphql');
    expect(endpoints.map(({ key }) => key)).toEqual([
      ...['mutation/cancel@call', 'mutation/delete@call', 'query/find@call', 'query/node@call'],
      ...['query/order@call', 'query/orders@call', 'query/version@call'],
    ]);
    expect(warnings).toMatchObject([{ code: 'subscriptions_left_out' }]);
    const order = endpoints.find(({ name }) => name === 'order');
    expect(order).toMatchObject({ description: 'One order.', safety: { readOnly: true, idempotent: true } });
    expect(endpoints.find(({ name }) => name === 'version')?.lifecycleStatus).toBe('deprecated');
    expect(endpoints.find(({ name }) => name === 'cancel')?.safety.readOnly).toBe(false);
  });

  it('takes arguments as variables', async () => {
    const { endpoints } = await read(shop);
    const accepts = (name: string) =>
      compile(endpoints.find((endpoint) => endpoint.name === name)?.inputSchema ?? {});
    const orders = accepts('orders');
    const filters = [{}, { state: 'OPEN' }, { and: [{ state: null }] }, { near: { city: 'x' } }];
    for (const filter of filters) expect(orders({ filter, first: 3 })).toBe(true);
    const wrong = [{ state: 'LOST' }, { near: {} }, { near: { city: 'x', zip: 'y' } }, { more: 1 }];
    for (const filter of wrong) expect([filter, orders({ filter })]).toEqual([filter, false]);
    expect(orders({ first: 1.5 })).toBe(false);
    const cancel = accepts('cancel');
    expect([cancel({ input: { id: '1' } }), cancel({ input: {} }), cancel({})]).toEqual([true, false, false]);
  });

  it('asks for what can be asked, as deep as fits, and for what went wrong', async () => {
    const { endpoints } = await read(shop);
    const schema = buildSchema(shop.replace('directive @oneOf on INPUT_OBJECT', ''));
    for (const endpoint of endpoints) {
      const { document, complexity } = graphqlOf(endpoint);
      expect([document, validate(schema, parse(document))]).toEqual([document, []]);
      expect(complexity).toBeLessThanOrEqual(200);
    }
    const cancel = endpoints.find(({ name }) => name === 'cancel');
    const { document, operationName } = graphqlOf(cancel ?? { extras: {} });
    expect(operationName).toBe('mutation_cancel');
    expect(document).toMatch(
      /^mutation mutation_cancel\(\$input: CancelInput!\) \{ cancel\(input: \$input\) \{/,
    );
    expect(document).toContain('userErrors { message path }');
    expect(document).not.toContain('lines');
    expect(graphqlOf(endpoints.find(({ name }) => name === 'version') ?? { extras: {} }).document).toBe(
      'query query_version { version }',
    );
  });

  it('answers in a shape that says what was asked', async () => {
    const { endpoints } = await read(shop);
    const accepts = compile(endpoints.find(({ name }) => name === 'order')?.outputSchema ?? {});
    expect(accepts({ order: { id: '1', state: 'OPEN', total: 1.5, buyer: { name: 'A' } } })).toBe(true);
    expect(accepts({ order: null })).toBe(true);
    expect(accepts({ order: { state: 'LOST' } })).toBe(false);
  });

  it('stays within the limit where types are wide and refer to each other', async () => {
    const fields = (count: number) =>
      Array.from({ length: count }, (_, index) => `f${String(index)}: Int`).join(' ');
    const wide = `type Query { one: A two: B } type A { ${fields(40)} a: A b: B c: A d: B } type B { ${fields(500)} errors: [E] } type E { m: String }`;
    const { endpoints } = await read(wide);
    const schema = buildSchema(wide);
    for (const endpoint of endpoints) {
      const { document, complexity } = graphqlOf(endpoint);
      expect(complexity).toBeLessThanOrEqual(200);
      expect(complexity).toBeGreaterThan(40);
      expect(validate(schema, parse(document))).toEqual([]);
    }
    expect(graphqlOf(endpoints[1] ?? { extras: {} }).document).toContain('errors { m }');
  });

  it('may be a part of a larger one, and name scalars of its platform', async () => {
    const subgraph = `
extend type Query { me: User }
extend type Query { post(id: ID!): Post }
extend type Post @key(fields: "id") { id: ID! @external author: User at: AWSDateTime }
type User @key(fields: "id") { id: ID! posts(after: AWSDateTime): [Post] }
`;
    const { endpoints, warnings } = await read(subgraph);
    expect(endpoints.map((endpoint) => graphqlOf(endpoint).document)).toEqual([
      'query query_me { me { id posts { at author { id posts { at id } } id } } }',
      'query query_post($id: ID!) { post(id: $id) { at author { id posts { at author { id } id } } id } }',
    ]);
    expect(warnings).toEqual([]);
  });

  it('is refused with the place of its fault', async () => {
    await expect(read('type Query {\n  a: Missing\n}')).rejects.toMatchObject({
      code: 'malformed_graphql',
      detail: expect.stringMatching(/Missing is declared nowhere.* at line 2, column 6\. /) as string,
    });
    await expect(read({ data: { __schema: { types: 5 } } })).rejects.toMatchObject({
      code: 'malformed_graphql',
    });
    await expect(read({ __schema: 1 })).rejects.toMatchObject({ code: 'malformed_graphql' });
  });
});

describe('what a GraphQL schema leaves to be said', () => {
  const one = async (document: string) => {
    const [endpoint] = (await read(document)).endpoints;
    if (endpoint === undefined) throw new Error('There is no endpoint.');
    return endpoint;
  };

  it('scalars of its own have a type that models take', async () => {
    const { inputSchema } = await one(`
scalar DateTime
"Whatever."
scalar Blob
type Query { rows(since: DateTime!, until: DateTime, blob: Blob!, maybe: Blob): [String!]! }
`);
    const any = ['string', 'number', 'boolean', 'object', 'array'];
    expect(inputSchema['properties']).toEqual({
      since: { type: 'string', title: 'DateTime' },
      until: { type: ['string', 'null'], title: 'DateTime' },
      blob: { type: any, items: {}, title: 'Blob', description: 'Whatever.' },
      maybe: { type: [...any, 'null'], items: {}, title: 'Blob', description: 'Whatever.' },
    });
  });

  it('defaults are as they were written, whether as SDL or as introspection', async () => {
    const sdl = `
scalar BigInt
scalar Decimal
input Price { cents: BigInt = 9007199254740993, rate: Decimal = 1.10, rounded: Float = 1.10 }
type Query { rows(of: BigInt! = 9007199254740993, near: [BigInt] = [1, 9007199254740993], price: Price, id: ID = 12): String }
`;
    const introspection = JSON.stringify(introspectionFromSchema(buildSchema(sdl)));
    // A schema that is built reads its numbers itself.
    const whole = introspection.replaceAll('9007199254740992', '9007199254740993').replace('"1.1"', '"1.10"');
    for (const document of [sdl, whole]) {
      const { inputSchema } = await one(document);
      expect(inputSchema).toMatchObject({
        properties: {
          of: { default: '9007199254740993' },
          near: { default: [1, '9007199254740993'] },
          id: { default: '12' },
        },
        $defs: {
          Price: {
            properties: {
              cents: { default: '9007199254740993' },
              rate: { default: '1.10' },
              rounded: { default: 1.1 },
            },
          },
        },
      });
      expect(inputSchema['required']).toBeUndefined();
    }
  });

  it('a required argument with a default may be left out of the call, too', async () => {
    const document = 'type Query { rows(first: Int! = 20, after: String!): [String!]! }';
    const endpoint = await one(document);
    expect(endpoint.inputSchema['required']).toEqual(['after']);
    const { document: sent } = graphqlOf(endpoint);
    expect(sent).toBe(
      'query query_rows($first: Int, $after: String!) { rows(first: $first, after: $after) }',
    );
    expect(validate(buildSchema(document), parse(sent))).toEqual([]);
  });

  it('each type of a union is asked for its own, also where names are the same', async () => {
    const document = `
type Query { find: [Found] }
union Found = Order | Person
type Order { id: ID! state: State name: String }
type Person { id: ID! state: Int name: String }
enum State { OPEN }
`;
    const endpoint = await one(document);
    const { document: sent } = graphqlOf(endpoint);
    expect(sent).toBe(
      'query query_find { find { __typename ... on Order { id name state } ... on Person { id name state_Person: state } } }',
    );
    expect(validate(buildSchema(document), parse(sent))).toEqual([]);
    const accepts = compile(endpoint.outputSchema ?? {});
    expect(accepts({ find: [{ __typename: 'Person', id: '1', state_Person: 3 }] })).toBe(true);
    expect(accepts({ find: [{ __typename: 'Order', id: '1', state_Person: 'x' }] })).toBe(false);
  });

  it('an interface is asked for what all have once, and for what some have', async () => {
    const document = `
type Query { node: Node }
interface Node { id: ID }
type Order implements Node { id: ID! total: Int }
type Person implements Node { id: ID! total: String }
`;
    const { document: sent } = graphqlOf(await one(document));
    expect(sent).toBe(
      'query query_node { node { __typename id ... on Order { total } ... on Person { total_Person: total } } }',
    );
    expect(validate(buildSchema(document), parse(sent))).toEqual([]);
  });
});

describeWithCorpus('the GraphQL documents of the corpus', () => {
  it('say the same as SDL and as introspection', async () => {
    const sdl = await readFlat(readCorpus('graphql/swapi.graphql'), { format: 'auto' });
    const bytes = readCorpus('graphql/swapi.introspection.json');
    const introspection = await readFlat(bytes, { format: 'auto' });
    expect(sdl.endpoints).toHaveLength(13);
    expect(introspection.endpoints).toEqual(sdl.endpoints);
    expect(brokenLaws(sdl)).toEqual([]);
    expect(sdl.warnings).toEqual([]);
    const given = JSON.parse(Buffer.from(bytes).toString()) as IntrospectionQuery & {
      data?: IntrospectionQuery;
    };
    const schema = buildClientSchema(given.data ?? given);
    for (const endpoint of sdl.endpoints) {
      expect(validate(schema, parse(graphqlOf(endpoint).document))).toEqual([]);
      expect(graphqlOf(endpoint).complexity).toBeGreaterThan(10);
    }
  });
});
