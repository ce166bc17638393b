import { lintRules, lintTool } from './tool-lint.js';
import type { ToolSpec } from './tool-spec.js';

const good: ToolSpec = {
  ...{ version: '1.0.0', title: 'Get issue', name: 'get_issue', host: null, owner: null },
  description: 'Gets one issue with its notes. Use it when you know the number; search_issues finds it.',
  inputSchema: {
    type: 'object',
    properties: {
      number: { type: 'integer', description: 'Number of the issue in its project.' },
      state: { enum: ['open', 'closed'], description: 'State that it must have.' },
    },
    required: ['number'],
  },
  outputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
  ...{ graphql: null, composite: null, examples: [] },
};

const withParameter = (name: string, schema: object): Partial<ToolSpec> => ({
  inputSchema: { type: 'object', properties: { [name]: schema } } as ToolSpec['inputSchema'],
});

const endpoint = `API endpoint, strictly follows the examples:
- issues?assignee_username=john
- issues?state=opened
- issues?labels=foo,bar`;

describe('a tool', () => {
  it('that says what, when and when not has no findings', () => {
    expect(lintTool(good)).toEqual([]);
  });

  it.each<[rule: string, changed: Partial<ToolSpec>, pointer: string]>([
    ['name_unclear', { name: 'issues' }, '/name'],
    ['name_unclear', { name: 'get_all_of_the_issues_of_a_project_that_are_still_open' }, '/name'],
    ['description_vague', { description: 'Gets an issue.' }, '/description'],
    [
      'description_without_when',
      { description: 'Gets one issue of a project with all its notes and labels.' },
      '/description',
    ],
    ['description_too_long', { description: 'Use it when you have the number. '.repeat(40) }, '/description'],
    [
      'parameter_undescribed',
      withParameter('project.id', { type: 'integer' }),
      '/inputSchema/properties/project.id',
    ],
    [
      'endpoints_in_text',
      withParameter('endpoint', { type: 'string', description: endpoint }),
      '/inputSchema/properties/endpoint/description',
    ],
    [
      'enum_candidate',
      withParameter('state', { type: 'string', description: 'One of `open`, `closed` or `all`' }),
      '/inputSchema/properties/state',
    ],
    [
      'too_many_parameters',
      {
        inputSchema: {
          type: 'object',
          properties: Object.fromEntries(
            Array.from({ length: 13 }, (_, place) => [
              `p${String(place)}`,
              { description: 'What it is for.' },
            ]),
          ),
        },
      },
      '/inputSchema/properties',
    ],
    ['destructive_unsaid', { name: 'delete_issue', annotations: {} }, '/annotations'],
    ['output_schema_missing', { outputSchema: null }, '/outputSchema'],
    [
      'definition_large',
      withParameter('note', { type: 'string', description: 'Text of it. '.repeat(1_500) }),
      '/inputSchema',
    ],
    [
      'provider_refuses',
      withParameter('project/id', { type: 'integer', description: 'Id of the project.' }),
      '/inputSchema/properties/project~1id',
    ],
    [
      'provider_refuses',
      withParameter('marks', { type: 'array', description: 'Marks of it.' }),
      '/inputSchema/properties/marks',
    ],
  ])('is found by %s', (rule, changed, pointer) => {
    const findings = lintTool({ ...good, ...changed });
    expect(findings.map((finding) => [finding.rule, finding.pointer])).toEqual([[rule, pointer]]);
  });

  it('that another is described like overlaps with it', () => {
    const neighbors = [
      { name: 'read_issue', similarity: 0.95 },
      { name: 'list_issues', similarity: 0.5 },
      { name: 'get_issue', similarity: 1 },
    ];
    expect(lintTool(good, neighbors)).toEqual([
      expect.objectContaining({ rule: 'overlaps', reason: expect.stringContaining('read_issue') }),
    ]);
  });

  it('is offered the values that its description lists', () => {
    const spec = {
      ...good,
      ...withParameter('sort', { type: 'string', description: 'Must be asc or desc.' }),
    };
    expect(lintTool(spec)[0]?.example).toBe('enum: [asc, desc]');
  });
});

it('has as many rules as the guide lists', () => {
  expect(lintRules).toHaveLength(13);
});

it('says of what providers refuse who they are, once for all of them', () => {
  const inputSchema = {
    type: 'object',
    properties: { marks: { type: 'array', description: 'Marks of it.' } },
  };
  expect(lintTool({ ...good, inputSchema })).toEqual([
    {
      rule: 'provider_refuses',
      pointer: '/inputSchema/properties/marks',
      reason:
        'A list does not say its items. Refused by openai, gemini, with the whole request and all tools in it.',
      example: 'items: { type: string }',
    },
  ]);
});
