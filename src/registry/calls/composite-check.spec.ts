import { buildSchema } from 'graphql';
import type { JsonObject } from '../../documents/json.js';
import type { CompositeCall } from './composite-call.js';
import { checkComposite, endpointName, type EndpointShape } from './composite-check.js';

const schema = buildSchema(`
  enum State { OPEN CLOSED }
  interface Node { id: ID! }
  type Label implements Node { id: ID!, name: String! }
  type Issue implements Node { id: ID!, title: String, count: Int!, state: State, labels: [Label!]!, parent: Issue, any: Node }
  type Query { issue(id: ID!): Issue, me: Issue }
  type Mutation { update(id: ID!, title: String, count: Int, state: State): Issue, remove(id: ID!): Boolean }
`);
const endpoints = new Map<string, EndpointShape>([
  [
    endpointName('b', '/tickets/{id}@get'),
    {
      inputSchema: {
        type: 'object',
        properties: { id: { type: 'string', pattern: '^T-' } },
        required: ['id'],
      },
      outputSchema: {
        type: 'object',
        properties: { key: { type: 'string' }, size: { type: 'integer' } },
        required: ['key'],
      },
      readOnly: true,
    },
  ],
  [endpointName('b', '/tickets@get'), { inputSchema: { type: 'object', properties: {} }, readOnly: true }],
  [
    endpointName('b', '/tickets/{id}@delete'),
    {
      inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
      readOnly: false,
    },
  ],
]);
const inputSchema: JsonObject = {
  type: 'object',
  properties: { operation: { enum: ['rename'] }, id: { type: 'string' }, title: { type: 'string' } },
  required: ['operation', 'id'],
  additionalProperties: false,
};
type Step = CompositeCall['alternatives'][number]['steps'][number];

const issue = (fields: string, needs?: readonly string[]): Step => ({
  id: 'issue',
  graphql: {
    api: 'a',
    operation: `query ($id: ID!) { issue(id: $id) { ${fields} } }`,
    variables: { id: '$id' },
  },
  ...(needs !== undefined && { needs }),
});
const update = (variables: JsonObject): Step => ({
  id: 'updated',
  graphql: {
    api: 'a',
    operation:
      'mutation ($id: ID!, $title: String, $count: Int, $state: State) { update(id: $id, title: $title, count: $count, state: $state) { id } }',
    variables,
  },
});
const ticket = (more: Partial<NonNullable<Step['endpoint']>> = {}): Step => ({
  id: 'ticket',
  endpoint: { api: 'b', endpoint: '/tickets/{id}@get', arguments: { id: '$id' }, ...more },
});
const removed: Step = {
  id: 'removed',
  endpoint: { api: 'b', endpoint: '/tickets/{id}@delete', arguments: { id: '$id' } },
};

const check = (steps: readonly Step[], schemaOfInput = inputSchema) =>
  checkComposite(
    { by: 'operation', alternatives: [{ when: 'rename', steps }] },
    { inputSchema: schemaOfInput, readOnlyHint: false },
    { apis: new Map([['a', schema]]), endpoints },
  );

it.each<[what: string, steps: readonly Step[]]>([
  ['what a selection always has', [issue('id'), update({ id: '$issue.id', title: '$title' })]],
  ['by the name under which it is answered', [issue('number: id'), update({ id: '$issue.number' })]],
  [
    'what may be missing, where it may be left out',
    [issue('id title'), update({ id: '$issue.id', title: '$issue.title' })],
  ],
  ['what it needs', [issue('parent { id }', ['parent.id']), update({ id: '$issue.parent.id' })]],
  ['an item that it needs', [issue('labels { id }', ['labels.0.id']), update({ id: '$issue.labels.0.id' })]],
  ['an enum', [issue('id state'), update({ id: '$issue.id', state: '$issue.state' })]],
  [
    'what all that a fragment is of have',
    [issue('any { ...on Node { id } }', ['any']), update({ id: '$issue.any.id' })],
  ],
  ['what a document says of an answer', [ticket(), update({ id: '$ticket.key' })]],
  [
    'what the author says of an answer',
    [
      ticket({ result: { type: 'object', properties: { no: { type: 'string' } }, required: ['no'] } }),
      update({ id: '$ticket.no' }),
    ],
  ],
  [
    'arguments of an endpoint',
    [
      issue('id'),
      {
        id: 'removed',
        endpoint: { api: 'b', endpoint: '/tickets/{id}@delete', arguments: { id: '$issue.id' } },
      },
    ],
  ],
])('a later step may use %s', (_what, steps) => {
  expect(check(steps).faults).toEqual([]);
});

it('says of each step what it costs, whether it changes something, and which endpoints it reaches', () => {
  expect(check([issue('id title'), update({ id: '$issue.id' })]).steps).toEqual([
    [
      { changes: false, cost: 3, roots: ['query/issue@call'] },
      { changes: true, cost: 2, roots: ['mutation/update@call'] },
    ],
  ]);
});

const at = (step: number, rest: string) => `/composite/alternatives/0/steps/${String(step)}/${rest}`;

it.each<[what: string, steps: readonly Step[], pointer: string, detail: RegExp]>([
  [
    'what may be null',
    [issue('parent { id }'), update({ id: '$issue.parent.id' })],
    at(1, 'graphql/variables'),
    /\$id/,
  ],
  [
    'what is of another type',
    [issue('id count'), update({ id: '$issue.id', title: '$issue.count' })],
    at(1, 'graphql/variables'),
    /String cannot represent/,
  ],
  [
    'what is not selected',
    [issue('id'), update({ id: '$issue.id', title: '$issue.title' })],
    at(1, 'graphql/variables/title'),
    /no such part/,
  ],
  [
    'what a directive may leave out',
    [issue('id @skip(if: true)'), update({ id: '$issue.id' })],
    at(1, 'graphql/variables'),
    /\$id/,
  ],
  [
    'what only one type has',
    [issue('any { ...on Label { name } }', ['any']), update({ id: '$issue.any.name' })],
    at(1, 'graphql/variables'),
    /\$id/,
  ],
  [
    'a part of a parameter that has none',
    [update({ id: '$id', title: '$title.text' })],
    at(0, 'graphql/variables/title'),
    /never there/,
  ],
  [
    'an answer of which nobody knows the shape',
    [ticket({ endpoint: '/tickets@get', arguments: {} }), update({ id: '$ticket.key' })],
    at(1, 'graphql/variables/id'),
    /say its shape in `result`/,
  ],
  [
    'what may be missing of an answer',
    [ticket(), update({ id: '$ticket.size' })],
    at(1, 'graphql/variables'),
    /\$id/,
  ],
  [
    'a need that is never met',
    [issue('id', ['title']), update({ id: '$issue.id' })],
    at(0, 'needs'),
    /no such part/,
  ],
  [
    'arguments that the endpoint does not have',
    [ticket({ arguments: { id: '$id', deep: true } })],
    at(0, 'endpoint/arguments'),
    /no argument deep/,
  ],
  [
    'arguments that the endpoint does not take',
    [ticket({ arguments: { id: 7 } })],
    at(0, 'endpoint/arguments'),
    /id must be text/,
  ],
  ['arguments that are left out', [ticket({ arguments: {} })], at(0, 'endpoint/arguments'), /id/],
  [
    'two that change something',
    [removed, update({ id: '$id' })],
    at(0, '').slice(0, -1),
    /one call changes one thing/,
  ],
  [
    'a field that the schema does not have',
    [issue('secret')],
    at(0, 'graphql/operation'),
    /Cannot query field "secret"/,
  ],
  [
    'aliases by the thousand',
    [issue(Array.from({ length: 900 }, (_, n) => `a${String(n)}: id`).join(' '))],
    at(0, 'graphql/operation'),
    /costs 901/,
  ],
  [
    'fragments in a circle',
    [
      {
        id: 'x',
        graphql: {
          api: 'a',
          operation:
            '{ me { ...A } } fragment A on Issue { parent { ...B } } fragment B on Issue { parent { ...A } }',
        },
      },
    ],
    at(0, 'graphql/operation'),
    /spreads itself/,
  ],
])('is refused for %s', (_what, steps, pointer, detail) => {
  expect(check(steps).faults).toEqual(
    expect.arrayContaining([{ pointer, detail: expect.stringMatching(detail) as string }]),
  );
});

it('is refused where no arguments lead to it, or where it changes something as read-only', () => {
  const never = { ...inputSchema, properties: { ...(inputSchema['properties'] as JsonObject), id: false } };
  expect(check([update({ id: '$id' })], never).faults).toMatchObject([
    { pointer: '/composite/alternatives/0/when' },
  ]);
  const found = checkComposite(
    { by: 'operation', alternatives: [{ when: 'rename', steps: [removed] }] },
    { inputSchema, readOnlyHint: true },
    { apis: new Map(), endpoints },
  );
  expect(found.faults).toMatchObject([{ pointer: '/annotations/readOnlyHint' }]);
});

describe('what branches too often to be tried', () => {
  const self = { $ref: '#' };
  const branching: JsonObject = { type: 'object', anyOf: [self, self, self], description: 'x' };

  it('is said of the arguments, once', () => {
    const deep = {
      type: 'object',
      properties: { a: { $ref: '#/properties/deep' } },
      anyOf: [] as JsonObject[],
    };
    deep.anyOf = [0, 1, 2].map(() => ({ $ref: '#/properties/deep' }));
    const properties = { ...(inputSchema['properties'] as JsonObject), deep };
    const schemaOfInput = { ...inputSchema, properties };
    const { faults, untried, steps } = check([issue('id')], schemaOfInput);
    expect([faults, steps]).toEqual([[], [[]]]);
    expect(untried).toEqual([
      {
        pointer: '/inputSchema',
        detail: expect.stringMatching(/^branches too often to be tried: .* Write fewer/),
      },
    ]);
  });

  it('is said of what a step answers, where its shape can be written otherwise', () => {
    const { faults, untried, steps } = check([ticket({ result: branching }), issue('nothing')]);
    expect([faults, steps]).toEqual([[], [[]]]);
    expect(untried).toEqual([
      {
        pointer: at(0, 'endpoint/result'),
        detail: expect.stringMatching(/^what ticket answers branches too often/),
      },
    ]);
  });
});
