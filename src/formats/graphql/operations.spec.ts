import { buildSchema } from 'graphql';
import { writtenOperation } from './operations.js';

const schema = buildSchema(`
  interface Node { id: ID! }
  type Issue implements Node { id: ID!, title: String, parent: Issue, notes(first: Int): [Note!] }
  type Note implements Node { id: ID!, text: String, author: String }
  input IssueInput { title: String! }
  type Payload { issue: Issue, errors: [String!]! }
  type Query { issue(id: ID!): Issue, me: String }
  type Mutation { createIssue(input: IssueInput!): Payload, deleteIssue(id: ID!): Payload }
  type Subscription { issues: Issue }
`);
const weighted = buildSchema(`
  directive @cost(weight: String!) on FIELD_DEFINITION | OBJECT
  directive @listSize(assumedSize: Int, slicingArguments: [String!]) on FIELD_DEFINITION
  type Row @cost(weight: "2") { id: ID!, cells: [Row!] @listSize(assumedSize: 10), some(first: Int): [Row!] @listSize(assumedSize: 50, slicingArguments: ["first"]) }
  type Query { row: Row, dear: String @cost(weight: "300") }
`);

const costOf = (operation: string, of = schema): unknown => {
  const found = writtenOperation({ operation }, of);
  return 'cost' in found ? found.cost : found;
};

describe('an operation that somebody has written', () => {
  it('answers under its only root field', () => {
    const operation =
      'mutation Create($input: IssueInput!) { made: createIssue(input: $input) { ...Parts errors } } fragment Parts on Payload { issue { id } }';
    expect(writtenOperation({ operation }, schema)).toMatchObject({
      kind: 'mutation',
      name: 'Create',
      field: 'made',
      cost: 4,
    });
  });

  it('answers under the root field that operationName says', () => {
    const operation = '{ me issue(id: 1) { id } }';
    expect(writtenOperation({ operation, operationName: 'issue' }, schema)).toMatchObject({ field: 'issue' });
    expect(writtenOperation({ operation }, schema)).toEqual([expect.stringContaining('one of: me, issue')]);
    expect(writtenOperation({ operation, operationName: 'you' }, schema)).toEqual([
      expect.stringContaining('operationName'),
    ]);
  });

  it('costs its fields, those of a fragment each time', () => {
    expect(costOf('{ issue(id: 1) { ...A parent { ...A } } } fragment A on Issue { id title }')).toBe(6);
  });

  it('costs what its schema says, with lists as long as they are said to be', () => {
    expect(costOf('{ row { id } }', weighted)).toBe(2);
    expect(costOf('{ row { cells { id } } }', weighted)).toBe(22);
    expect(costOf('{ row { some(first: 3) { id } } }', weighted)).toBe(8);
    expect(costOf('{ row { some { id } } }', weighted)).toBe(102);
    expect(costOf('{ row { cells { cells { id } } } }', weighted)).toEqual([
      expect.stringContaining('costs 222'),
    ]);
    expect(costOf('{ dear }', weighted)).toEqual([expect.stringContaining('costs 300')]);
  });

  it('says which variables its types do not take', () => {
    const operation = 'mutation ($input: IssueInput!) { createIssue(input: $input) { errors } }';
    const found = writtenOperation({ operation }, schema);
    if (!('variableFaults' in found)) throw new Error(found.join());
    expect(found.variableFaults({ input: { title: 'a' } })).toEqual([]);
    expect(found.variableFaults({ input: { title: 1 }, other: 2 })).toEqual([
      'The operation has no variable $other.',
      '$input.title: String cannot represent a non string value: 1',
    ]);
  });
});

const aliases = Array.from({ length: 5_000 }, (_, at) => `a${String(at)}: id`).join(' ');
const doubling = Array.from(
  { length: 30 },
  (_, at) => `fragment F${String(at)} on Issue { ...F${String(at + 1)} parent { ...F${String(at + 1)} } }`,
).join(' ');

describe('is refused with a reason:', () => {
  it.each([
    ['a text that is none', 'query {', /line 1, column 8/],
    [
      'fragments in circles',
      '{ issue(id: 1) { ...A } } fragment A on Issue { ...B } fragment B on Issue { ...A }',
      /spreads itself/,
    ],
    ['aliases by the thousand', `{ issue(id: 1) { ${aliases} } }`, /more than 1000 fields/],
    ['fragments that double', `{ issue(id: 1) { ...F0 } } ${doubling} fragment F30 on Issue { id }`, /costs/],
    [
      'two mutations',
      'mutation { deleteIssue(id: 1) { errors } b: deleteIssue(id: 2) { errors } }',
      /one field at its root/,
    ],
    [
      'two mutations in a fragment',
      'mutation { ...M } fragment M on Mutation { a: deleteIssue(id: 1) { errors } b: deleteIssue(id: 2) { errors } }',
      /one field at its root/,
    ],
    ['two operations', '{ me } query B { me }', /it has 2/],
    ['no operation', 'fragment A on Issue { id }', /it has 0/],
    ['introspection', '{ __schema { types { name } } }', /__schema asks for the schema/],
    ['introspection below', 'query { issue(id: 1) { id } t: __type(name: "Issue") { name } }', /__type asks/],
    ['a subscription', 'subscription { issues { id } }', /stream/],
    [
      'a field that there is not',
      '{ issue(id: 1) { secret } }',
      /Cannot query field "secret".*line 1, column 18/,
    ],
    ['a definition of a type', 'type Query { me: String } { me }', /not executable/],
    ['selections without end', `{ issue(id: 1) ${'{ parent '.repeat(9_000)}`, /./],
    [
      'inline fragments without end',
      `{ issue(id: 1) ${'{ ... '.repeat(4_000)}{ id }${'}'.repeat(4_000)} }`,
      /./,
    ],
  ])('%s', (_what, operation, said) => {
    const found = writtenOperation({ operation }, schema);
    expect(found).toEqual([expect.stringMatching(said)]);
  });
});
