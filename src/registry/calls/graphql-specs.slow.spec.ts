import { describeWithCorpus, readCorpus } from '../../../test/import-laws.js';
import type { Json } from '../../documents/json.js';
import { readGraphqlSchema } from '../../formats/shared.js';
import { readToolSpec } from '../specs/tool-spec.js';
import { writeToolSpec } from '../specs/write-tool-spec.js';
import { checkGraphqlCall } from './graphql-call.js';
import { graphqlSpecs } from './graphql-specs.js';

const shop = `
type Query { order(id: ID!, deep: Boolean = false): Order orders(filter: Filter, first: Int): [Order!]! version: String }
type Mutation { "Cancels an order." cancel(input: CancelInput!): Payload }
enum State { OPEN SHIPPED }
scalar Money
type Order { id: ID! state: State total: Money }
input Filter { state: State, and: [Filter!], near: Pick }
input Pick @oneOf { city: String, zip: String }
input CancelInput { id: ID!, reason: String = "none", tags: [[String]] }
type Payload { order: Order }
directive @oneOf on INPUT_OBJECT
`;

/** Writes all specs, reads them again, and holds them against their schema. */
async function faultsOf(
  schema: string,
  document: Json,
): Promise<{ read: number; faults: readonly string[] }> {
  const parsed = readGraphqlSchema(document);
  const faults: string[] = [];
  const specs = await graphqlSpecs(schema, 'shop@1');
  for (const spec of specs) {
    const read = readToolSpec({ path: `tools/specs/${spec.name}/v0_1_0.yaml`, text: writeToolSpec(spec) });
    const { graphql, inputSchema } = read.value ?? {};
    const tried =
      graphql == null || inputSchema === undefined
        ? undefined
        : checkGraphqlCall(graphql, inputSchema, parsed);
    const found = tried === undefined ? read.faults : [...tried.faults, ...tried.untried];
    faults.push(...found.map(({ pointer, detail }) => `${spec.name} ${pointer} ${detail}`));
  }
  return { read: specs.length, faults };
}

it('every operation of a schema has a spec that its schema takes', async () => {
  expect(await faultsOf(shop, shop)).toEqual({ read: 4, faults: [] });
  expect((await graphqlSpecs(shop, 'shop')).find(({ name }) => name === 'cancel')).toMatchObject({
    description: 'Cancels an order.',
    annotations: { readOnlyHint: false },
    outputSchema: { type: 'object', properties: { order: {} } },
    graphql: { api: 'shop', operationName: 'cancel', variables: { input: '$input' } },
  });
});

describeWithCorpus('the corpus', () => {
  it.each(['graphql/swapi.graphql', 'graphql/swapi.introspection.json'])('of %s, too', async (file) => {
    const text = Buffer.from(readCorpus(file)).toString();
    const document = file.endsWith('.json') ? (JSON.parse(text) as Json) : text;
    expect(await faultsOf(text, document)).toEqual({ read: 13, faults: [] });
  });
});
