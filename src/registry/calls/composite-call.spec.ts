import type { Json, JsonObject } from '../../documents/json.js';
import { compositeFaults, type CompositeCall } from './composite-call.js';
import { UnionSchema } from './narrowed-schema.js';

const inputSchema: JsonObject = {
  type: 'object',
  $defs: {
    close: {
      properties: { operation: { const: 'close' }, id: { type: 'string' } },
      required: ['operation', 'id'],
    },
  },
  oneOf: [
    {
      properties: { operation: { const: 'create' }, title: { type: 'string' } },
      required: ['operation', 'title'],
    },
    { $ref: '#/$defs/close' },
  ],
};
const create = 'mutation ($title: String!) { create(title: $title) { id } }';
const query = 'query ($id: ID!) { issue(id: $id) { id } }';
const composite: CompositeCall = {
  by: 'operation',
  alternatives: [
    {
      when: 'create',
      steps: [{ id: 'made', graphql: { api: 'a', operation: create, variables: { title: '$title' } } }],
    },
    {
      when: 'close',
      steps: [
        { id: 'issue', graphql: { api: 'a', operation: query, variables: { id: '$id' } }, needs: ['id'] },
        {
          id: 'closed',
          endpoint: { api: 'b', endpoint: '/issues/{id}@delete', arguments: { id: '$issue.id' } },
        },
      ],
    },
  ],
};
const described = { inputSchema, annotations: {} };

/** Of the composite as JSON, with one text in the place of another. */
function faultsOf(from: string | RegExp, to: string, more: object = {}): unknown[] {
  const changed = JSON.parse(JSON.stringify(composite).replace(from, to)) as CompositeCall;
  return compositeFaults(changed, { ...described, ...more }).map(({ rule, pointer, detail }) => [
    rule,
    pointer,
    detail.slice(0, 60),
  ]);
}

type Expected = readonly [rule: string, pointer: string, detail?: RegExp];

it('takes one whose alternatives are the values of its parameter', () => {
  expect(compositeFaults(composite, described)).toEqual([]);
});

it.each<[what: string, from: string | RegExp, to: string, faults: Expected[]]>([
  [
    'a parameter that nobody declares',
    '"by":"operation"',
    '"by":"kind"',
    [['alternatives', '/composite/by']],
  ],
  [
    'a value without an alternative',
    /,\{"when":"close".*\]\}\]/,
    ']',
    [['alternatives', '/composite/alternatives', /^lack one for close/]],
  ],
  [
    'an alternative that nothing leads to',
    '"when":"create"',
    '"when":"crate"',
    [
      ['unreachable', '/composite/alternatives/0/when'],
      ['alternatives', '/composite/alternatives'],
    ],
  ],
  [
    'an alternative twice',
    '"when":"create"',
    '"when":"close"',
    [
      ['alternative_twice', '/composite/alternatives/1/when'],
      ['alternatives', '/composite/alternatives'],
      ['reference', '/composite/alternatives/0/steps/0/graphql/variables/title'],
    ],
  ],
  [
    'a parameter of another alternative',
    '"$title"',
    '"$id"',
    [['reference', '/composite/alternatives/0/steps/0/graphql/variables/title', /no parameter/]],
  ],
  [
    'a step that uses the one after it',
    '"$id"',
    '"$closed.id"',
    [['reference', '/composite/alternatives/1/steps/0/graphql/variables/id', /a later one/]],
  ],
  [
    'a step that uses itself',
    '"$issue.id"',
    '"$closed.id"',
    [['reference', '/composite/alternatives/1/steps/1/endpoint/arguments/id', /this step or/]],
  ],
  ...['__proto__', 'constructor', 'prototype'].map((name): [string, string, string, Expected[]] => [
    `${name} in a path`,
    '"$issue.id"',
    `"$issue.${name}.id"`,
    [
      [
        'reference',
        '/composite/alternatives/1/steps/1/endpoint/arguments/id',
        new RegExp(`leads to ${name}`),
      ],
    ],
  ]),
  [
    '__proto__ as a need',
    '"needs":["id"]',
    '"needs":["__proto__.id"]',
    [['reference', '/composite/alternatives/1/steps/0/needs/0']],
  ],
  [
    'a step named as another',
    '"id":"closed"',
    '"id":"issue"',
    [['step_twice', '/composite/alternatives/1/steps/1/id']],
  ],
  [
    'a step named as a parameter',
    '"id":"made"',
    '"id":"title"',
    [['step_twice', '/composite/alternatives/0/steps/0/id']],
  ],
  [
    'a step named __proto__',
    '"id":"made"',
    '"id":"constructor"',
    [['step_twice', '/composite/alternatives/0/steps/0/id']],
  ],
  [
    'a step that says nothing',
    /"endpoint":\{.*?\}\}/,
    '"needs":[]',
    [['step', '/composite/alternatives/1/steps/1']],
  ],
  [
    'a mutation before another step',
    query,
    'mutation ($id: ID!) { touch(id: $id) { id } }',
    [['changes', '/composite/alternatives/1/steps/0']],
  ],
  [
    'two mutations in one operation',
    create,
    'mutation { a: create(title: 1) { id } b: create(title: 2) { id } }',
    [['graphql', '/composite/alternatives/0/steps/0/graphql/operation', /one field at its root/]],
  ],
  [
    'a subscription',
    create,
    'subscription { issues { id } }',
    [['graphql', '/composite/alternatives/0/steps/0/graphql/operation', /stream/]],
  ],
  [
    'introspection',
    create,
    '{ __schema { types { name } } }',
    [['graphql', '/composite/alternatives/0/steps/0/graphql/operation', /asks for the schema/]],
  ],
])('refuses %s', (_what, from, to, faults) => {
  expect(faultsOf(from, to)).toEqual(
    faults.map(([rule, pointer, detail = /./]): unknown[] => [rule, pointer, expect.stringMatching(detail)]),
  );
});

it('refuses one that changes something as read-only, and a choice that may be left out', () => {
  const annotations = { readOnlyHint: true };
  expect(compositeFaults(composite, { inputSchema, annotations })).toMatchObject([
    { pointer: '/annotations/readOnlyHint' },
  ]);
  const open = JSON.parse(
    JSON.stringify(inputSchema).replace('"operation","title"', '"title"'),
  ) as JsonObject;
  expect(compositeFaults(composite, { inputSchema: open, annotations: {} })).toMatchObject([
    { pointer: '/composite/by', detail: expect.stringMatching(/must be required/) as string },
  ]);
});

it('gives up on schemas that branch without end', () => {
  const branches = Object.fromEntries(
    Array.from({ length: 30 }, (_, n) => [
      `b${String(n)}`,
      { oneOf: Array.from({ length: 3 }, () => ({ $ref: `#/$defs/b${String(n + 1)}` })) },
    ]),
  );
  const wide = {
    ...inputSchema,
    $defs: { ...(inputSchema['$defs'] as JsonObject), ...branches, b30: {} },
    allOf: [{ $ref: '#/$defs/b0' }],
  };
  expect(compositeFaults(composite, { inputSchema: wide, annotations: {} })).toMatchObject([
    { pointer: '/inputSchema', detail: expect.stringMatching(/too many branches/) as string },
  ]);
});

describe('the arguments of one alternative', () => {
  const conditional: JsonObject = {
    type: 'object',
    properties: { operation: { enum: ['create', 'close'] }, title: { type: 'string' } },
    required: ['operation'],
    allOf: [
      {
        if: { properties: { operation: { const: 'create' } } },
        then: { required: ['title'] },
        else: { minProperties: 1 },
      },
      { if: { properties: { title: { const: 'x' } } }, then: { required: ['id'] } },
    ],
  };
  const narrowed = (value: string): Json | undefined =>
    new UnionSchema(conditional, 'operation').narrowedTo(value);

  it('are those that its conditions ask for, where these ask for the parameter alone', () => {
    expect(narrowed('create')).toMatchObject({
      properties: { operation: { const: 'create' } },
      allOf: [{ allOf: [{ required: ['title'] }] }, { if: {}, then: { required: ['id'] } }],
    });
    expect(narrowed('close')).toMatchObject({ allOf: [{ allOf: [{ minProperties: 1 }] }, {}] });
    expect(narrowed('open')).toBeUndefined();
  });
});
