import { readToolSpec, type ToolSpec } from '../specs/tool-spec.js';
import { consolidate } from './consolidation.js';

const tool = (
  name: string,
  properties: object,
  required: string[] = [],
  more: Partial<ToolSpec> = {},
): ToolSpec => ({
  ...{ version: '1.0.0', title: name, name, host: 'gitlab', owner: null },
  description: `Does ${name.replaceAll('_', ' ')} in a project. More of it.`,
  inputSchema: {
    type: 'object',
    properties,
    required,
    additionalProperties: false,
  } as ToolSpec['inputSchema'],
  ...{ outputSchema: null, annotations: {}, graphql: null, composite: null, examples: [] },
  ...more,
});

const project = { type: 'integer', description: 'Id of the project' };
const iid = { type: 'integer', description: 'Number of the issue' };
/** As the specification lists them: what reads issues, beside what changes them and what reads other things. */
const issues = [
  tool(
    'list_issues',
    { project_id: project, state: { enum: ['opened', 'closed'] }, labels: { type: 'string' } },
    ['project_id'],
  ),
  tool('get_issue', { project_id: project, issue_iid: iid }, ['project_id', 'issue_iid'], {
    examples: [{ prompt: 'What is issue 7 about?', arguments: { project_id: 1, issue_iid: 7 } }],
  }),
  tool('list_issue_notes', { project_id: project, issue_iid: iid }, ['project_id', 'issue_iid']),
  tool('get_issue_note', { project_id: project, issue_iid: iid, note_id: { type: 'integer' } }, [
    'project_id',
    'issue_iid',
    'note_id',
  ]),
  tool(
    'gitlab_issue_search',
    { project_id: project, search: { type: 'string' }, state: { enum: ['opened', 'closed'] } },
    ['project_id', 'search'],
  ),
];
const others = [
  tool('create_issue', { project_id: project }),
  tool('update_issue', { project_id: project }),
  tool('get_merge_request', { project_id: project }),
  tool('list_merge_request_diffs', { project_id: project }),
  tool('list_all_merge_request_notes', { project_id: project }),
  tool('gitlab_merge_request_search', { project_id: project }),
  tool('ci_linter', {}),
];

describe('tools that read the same resource', () => {
  const { proposals } = consolidate([...issues, ...others]);

  it('are proposed as one, and what changes it is left alone', () => {
    expect(proposals.map(({ spec, tools }) => [spec.name, tools])).toEqual([
      [
        'get_issue',
        ['get_issue', 'get_issue_note', 'gitlab_issue_search', 'list_issue_notes', 'list_issues'],
      ],
      [
        'get_merge_request',
        [
          'get_merge_request',
          'gitlab_merge_request_search',
          'list_all_merge_request_notes',
          'list_merge_request_diffs',
        ],
      ],
    ]);
    expect(proposals[0]?.reasons).toEqual(['They read the same resource: issue.']);
  });

  it('promise to change nothing only where all of them do', () => {
    const annotated = (hints: readonly object[]) =>
      consolidate(
        issues.map((tool, at) => ({ ...tool, annotations: hints[at % hints.length] ?? {} })),
        { tools: issues.map(({ name }) => name), name: 'get_gitlab_issue' },
      ).proposals[0]?.spec.annotations;
    expect(annotated([{ readOnlyHint: true }])).toEqual({ readOnlyHint: true });
    expect(annotated([{ readOnlyHint: true }, {}])).toEqual({});
  });

  it('become the draft of a spec with their parameters, each for what it is needed', () => {
    const [proposal] = consolidate(issues, {
      tools: issues.map(({ name }) => name),
      name: 'get_gitlab_issue',
    }).proposals;
    expect(proposal?.spec).toMatchObject({
      ...{ name: 'get_gitlab_issue', version: '0.1.0', host: 'gitlab', annotations: {} },
      inputSchema: {
        properties: {
          operation: { enum: ['list', 'get', 'list_notes', 'get_note', 'search'] },
          project_id: { type: 'integer', description: 'Id of the project.' },
          issue_iid: {
            type: 'integer',
            description: 'Number of the issue. Needed for get, list_notes, get_note.',
          },
          state: { enum: ['opened', 'closed'], description: 'For list, search.' },
        },
        required: ['operation', 'project_id'],
      },
      examples: [
        { prompt: 'What is issue 7 about?', arguments: { operation: 'get', project_id: 1, issue_iid: 7 } },
      ],
    });
    expect(readToolSpec({ path: '', text: proposal?.text ?? '' }).value).toEqual(proposal?.spec);
    const rules = new Set(proposal?.findings.map(({ rule }) => rule));
    expect([...rules]).toEqual(['output_schema_missing']);
  });

  it('become the next major version of one that has the name', () => {
    expect(proposals[0]).toMatchObject({
      spec: { version: '2.0.0' },
      notes: ['get_issue exists: the draft is its next major version, 2.0.0.'],
    });
  });

  it('leave open what differs between them, and say so', () => {
    const [proposal] = consolidate([
      tool('get_epic', { id: { type: 'integer', default: 1 } }),
      tool('list_epics', { id: { type: 'string' } }),
    ]).proposals;
    expect(proposal?.spec.inputSchema['properties']).toMatchObject({
      id: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
    });
    expect(proposal?.notes).toEqual([
      'id has other schemas in get_epic, list_epics: choose one, or give it two names.',
      'id has a default in some of the tools only, or different ones: the draft has none.',
      'get_epic exists: the draft is its next major version, 2.0.0.',
    ]);
  });
});

describe('tools that are taken for each other', () => {
  const wiki = tool('gitlab_wiki_search', { search: { type: 'string' } });
  const blob = tool('gitlab_blob_search', { search: { type: 'string' } });
  const confusion = { expected: 'gitlab_wiki_search', found: 'gitlab_blob_search', times: 3 };

  it('are proposed as one, with how often', () => {
    expect(consolidate([wiki, blob])).toEqual({ proposals: [], omitted: [] });
    expect(consolidate([wiki, blob], { confusions: [confusion] }).proposals).toMatchObject([
      {
        tools: ['gitlab_blob_search', 'gitlab_wiki_search'],
        reasons: ['gitlab_blob_search was taken 3 times where gitlab_wiki_search was meant.'],
      },
    ]);
  });

  it('stay two where one of them changes something, and that is said', () => {
    const writing = { ...blob, annotations: { readOnlyHint: false } };
    const stays = {
      tool: 'gitlab_blob_search',
      reason: expect.stringMatching(/stays a tool of its own/) as string,
    };
    expect(consolidate([wiki, writing], { confusions: [confusion] })).toEqual({
      proposals: [],
      omitted: [stays],
    });
    expect(consolidate([wiki, writing], { tools: [wiki.name, writing.name] })).toEqual({
      proposals: [],
      omitted: [stays, { tool: wiki.name, reason: 'No other tool is left to be one with.' }],
    });
    const alone = consolidate([wiki], { confusions: [confusion], tools: ['gitlab_wiki_search', 'gone'] });
    expect(alone.proposals).toEqual([]);
    expect(alone.omitted.map(({ tool }) => tool)).toEqual(['gone', 'gitlab_wiki_search']);
  });
});

describe('what a proposal leaves out', () => {
  it('is said of tools that change the resource', () => {
    const { omitted } = consolidate([...issues, ...others]);
    expect(omitted.map(({ tool }) => tool)).toEqual(['create_issue', 'update_issue']);
  });

  it('is said of hosts, owners and calls that differ', () => {
    const composite = { operations: [] } as unknown as ToolSpec['composite'];
    const [proposal] = consolidate([
      tool('get_epic', {}, [], { host: 'gitlab', owner: 'ada', composite }),
      tool('list_epics', {}, [], { host: 'jira', owner: null }),
    ]).proposals;
    expect(proposal?.spec).toMatchObject({ host: null, owner: null, composite: null });
    expect(proposal?.notes.join(' ')).toMatch(
      /several hosts \(gitlab, jira\).*several owners.*get_epic: composite/,
    );
  });

  it('is said of more tools than one can be', () => {
    const many = Array.from({ length: 13 }, (_, at) => tool(`get_epic_${String.fromCharCode(97 + at)}`, {}));
    const { proposals, omitted } = consolidate([tool('get_epic', {}), ...many]);
    expect([proposals, omitted.length]).toEqual([[], 14]);
    expect(omitted[0]?.reason).toMatch(/14 tools read epic.*Name those/);
  });

  it('is found among very many tools too', () => {
    const many = Array.from({ length: 5_000 }, (_, at) => tool(`get_thing${String(at)}x_part`, {}));
    expect(consolidate([...many, ...issues]).proposals).toHaveLength(1);
  });
});
