import { trace } from '@opentelemetry/api';
import { CalledSpecs } from './called-specs.js';
import { until } from '../until.js';
import { fresh, guardsWorld } from './guards-world.js';
import { IssuesApi, issuesSchema } from './issues-api.js';
import { recordedSpans } from './recorded-spans.js';
import { eachServer } from './server.js';

/** Tools whose operation of GraphQL people write, in versions: from the spec to the call. */

const parameters = `  parameters:
    - { name: project_path, type: string, required: true, description: Full path of the project. }
    - { name: title, type: string, required: true, description: Title of the issue. }
    - { name: description, type: string, description: Text of the issue. }
    - { name: confidential, type: boolean, description: Whether only members see it. }
`;
const labels = `    - { name: label_ids, type: array, items: { type: string }, description: Labels to put on it. }
`;
const operation = (more: string) => `    mutation ($input: CreateIssueInput!) {
      createIssue(input: $input) { issue { id iid title description webUrl state ${more} } errors }
    }
`;
const mapping = `  variables:
    input:
      projectPath: $project_path
      title: $title
      description: $description
      confidential: $confidential
`;
const spec = (api: string, name: string, version: string, more = { labels: '', fields: '', mapping: '' }) =>
  `version: ${version}
name: ${name}
description: Creates an issue in a project. Use it when somebody reports a bug or asks for a change.
inputSchema:
${parameters}${more.labels}graphql:
  api: ${api}
  operationName: createIssue
  operation: |
${operation(more.fields)}${mapping}${more.mapping}`;
const second = { labels, fields: 'createdAt updatedAt labelIds', mapping: '      labelIds: $label_ids\n' };

eachServer((server) => {
  const { ask, refusal, agentWith, catalogOf } = guardsWorld(server);
  const [api, name] = [fresh('issues'), fresh('create_issue')];
  const specs = new CalledSpecs(server, ask);
  const { lines, tokens } = specs;
  let issues: IssuesApi;
  let toolId = '';

  const call = (args: object, more?: Parameters<CalledSpecs['call']>[2]) => specs.call(name, args, more);

  beforeAll(async () => {
    await specs.begin();
    issues = await IssuesApi.start();
    const version = { apiVersion: '1', apiType: 'graphql', serviceId: api, envTag: 'dev' };
    await ask('POST', '/imports', {
      api: { apiId: api },
      version,
      document: issuesSchema,
      format: 'graphql',
    });
    toolId = await specs.published(spec(api, name, '0.1.0'));
    await specs.expose([{ toolId, targetHost: issues.url }]);
  });
  afterEach(() => {
    issues.lying = undefined;
    issues.silent = false;
  });
  afterAll(async () => {
    await specs.end();
    issues.stop();
  });

  it('are called by flat parameters, and answer the data of their operation', async () => {
    const answer = await call({ project_path: 'a/b', title: 'Broken' });
    expect(issues.created.at(-1)).toEqual({ projectPath: 'a/b', title: 'Broken' });
    expect(answer.structuredContent).toEqual({
      issue: {
        ...{ id: 'gid://issue/1', iid: 1, title: 'Broken', description: null, state: 'opened' },
        webUrl: 'https://issues.example.com/1',
      },
      errors: [],
    });
    expect(JSON.parse(answer.said)).toEqual(answer.structuredContent);
  });

  it('tell their errors apart by level', async () => {
    const failing = async (args: object) => {
      const { isError, said } = await call(args);
      expect(isError).toBe(true);
      return said;
    };
    const good = { project_path: 'a/b', title: 'Broken' };
    expect(await failing({ title: 'Broken' })).toMatch(/^invalid_arguments: .*project_path/);
    expect((await call(good, { token: '' })).said).toMatch(/^no_caller: /);
    expect(await failing({ ...good, project_path: 'secret/project' })).toBe(
      'graphql_errors: You may not see this project',
    );
    expect(await failing({ ...good, title: '' })).toBe(
      "payload_errors: Title can't be blank, Title is too short",
    );
    expect(await failing({ ...good, project_path: 'no/answer' })).toBe(
      'no_data: Operation returned no data.',
    );
    issues.lying = { status: 200, body: '<html>' };
    expect(await failing(good)).toMatch(/^http_200: /);
    issues.lying = { status: 503, body: 'Try later.' };
    expect(await failing(good)).toBe('http_503: Try later.');
    issues.lying = { status: 200, body: '{"data":{"other":{"createIssue":1}}}' };
    expect(await failing(good)).toBe('no_data: Operation returned no data.');
  });

  it('say at which level they failed, to programs and in the figures', async () => {
    const good = { project_path: 'a/b', title: 'Broken' };
    const figure = async (level: string) => {
      const text = await (await fetch(new URL('/metrics', specs.url))).text();
      const found = new RegExp(
        `^gateway_tool_calls_total\\{outcome="failed",level="${level}"\\} (\\d+)$`,
        'm',
      );
      return Number(found.exec(text)?.[1] ?? 0);
    };
    const levelOf = async (args: object) => {
      const { _meta: meta } = await call(args);
      const { level, code } = meta?.['portal-catalog/fault'] as { level: string; code: string };
      expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ execution: { level, code, outcome: 'failed' } });
      return level;
    };
    const levels = [
      ['service', { title: 'x' }],
      ['graphql', { ...good, project_path: 'secret/project' }],
      ['payload', { ...good, title: '' }],
    ] as const;
    for (const [level, args] of levels) {
      const before = await figure(level);
      expect(await levelOf(args)).toBe(level);
      expect(await figure(level)).toBe(before + 1);
    }
    issues.lying = { status: 503, body: 'Try later.' };
    expect(await levelOf(good)).toBe('http');
  });

  it('end where the service is slow', async () => {
    issues.silent = true;
    const { said, _meta: meta } = await call({ project_path: 'a/b', title: 'Broken' });
    expect(said).toMatch(/^downstream_timeout: .*did not answer in time/);
    expect(meta).toMatchObject({ 'portal-catalog/fault': { level: 'network' } });
  });

  it.each([
    ['a page', /^http_200: .*no JSON/, '<html>', 'text/html'],
    ['no JSON', /^http_200: .*no JSON/, '{"data":'],
    ['a list', /^no_data: /, '[]'],
    ['null', /^no_data: /, 'null'],
    [
      'a huge answer',
      /^downstream_too_large: /,
      JSON.stringify({ data: { createIssue: 'x'.repeat(300_000) } }),
    ],
    [
      'an answer that is nested without end',
      /^answer_too_deep: /,
      `{"data":{"createIssue":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`,
    ],
    ['an error of its own shape', /^graphql_errors: {"code":7}/, '{"errors":[{"code":7}]}'],
  ])('tell where the service answers %s', async (_, said, body, type = 'application/json') => {
    issues.lying = { status: 200, body, type };
    const answer = await call({ project_path: 'a/b', title: 'Broken' });
    expect([answer.isError, answer.said]).toEqual([true, expect.stringMatching(said)]);
    expect(answer.structuredContent).toBeUndefined();
  });

  it('are one line of the log and one span, without what was sent', async () => {
    const spans = recordedSpans();
    const from = lines.length;
    await call({ project_path: 'hidden/path', title: 'Hidden title' });
    trace.disable();
    const execution = {
      ...{ tool: name, version: '0.1.0', operation: 'createIssue', cost: 9 },
      ...{ outcome: 'succeeded', level: 'none' },
    };
    const said = lines.slice(from).map((line) => JSON.parse(line) as { execution?: object });
    expect(said.filter((line) => line.execution !== undefined)).toMatchObject([
      { msg: 'tool called', execution },
    ]);
    expect(lines.join('')).not.toMatch(/hidden|Hidden|mutation/);
    expect(spans).toEqual([
      {
        ...{ name: `execute_tool ${name}`, ended: true },
        attributes: {
          ...{ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name },
          ...{ 'portal_catalog.tool.version': '0.1.0', 'portal_catalog.operation': 'createIssue' },
          ...{ 'portal_catalog.operation.cost': 9, 'portal_catalog.outcome': 'succeeded' },
          'portal_catalog.level': 'none',
        },
      },
    ]);
  });

  it('live in two versions, each with its own operation', async () => {
    const first = await agentWith([toolId]);
    await specs.published(spec(api, name, '0.2.0', second));
    await specs.published(
      spec(api, name, '1.0.0', second).replace(
        'name: title, type: string',
        'name: title, type: string, enum: [Bug]',
      ),
    );
    expect((await catalogOf(first)).given).toMatchObject([{ version: '0.2.0' }]);
    expect(JSON.stringify(await catalogOf(first))).not.toMatch(/mutation|CreateIssueInput/);
    const labelled = { project_path: 'a/b', title: 'Any', label_ids: ['7'] };
    // The gateway asks for its configuration anew after a second.
    const older = await until(
      () => call(labelled, { version: '0.2.0' }).catch(() => undefined),
      (answer): answer is NonNullable<typeof answer> => answer !== undefined,
    );
    expect(issues.created.at(-1)).toEqual({ projectPath: 'a/b', title: 'Any', labelIds: ['7'] });
    expect(older.structuredContent).toMatchObject({
      issue: { labelIds: ['7'], createdAt: expect.any(String) as string },
    });
    await call(labelled, { header: '0.2.0' });
    expect(issues.created.at(-1)).toEqual({ projectPath: 'a/b', title: 'Any', labelIds: ['7'] });
    expect((await call(labelled, { header: '0.2.0', version: '1.0.0' })).said).toMatch(/^invalid_arguments/);
    await expect(call(labelled, { header: '0.7.0' })).rejects.toThrow(
      `No implementation found for version 0.7.0 of ${name}. There is: 1.0.0, 0.2.0.`,
    );
    expect((await call({ project_path: 'a/b', title: 'Any' })).said).toMatch(/^invalid_arguments/);
    expect((await call({ project_path: 'a/b', title: 'Bug' })).isError).not.toBe(true);
  });

  it('are refused where the API does not take what they would send', async () => {
    const text = spec(api, fresh('create_issue'), '0.1.0');
    const changed = (from: string | RegExp, to: string) => specs.faultsOf(text.replace(from, to));
    expect(await changed('webUrl state', 'webUrl secret')).toEqual([
      expect.stringMatching(/^\/graphql\/operation line 1\d: Cannot query field "secret" on type "Issue"/),
    ]);
    expect(await changed('title: $title', 'heading: $title')).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^\/graphql\/variables line \d+: .*\$input: Field "heading" is not defined/),
      ]),
    );
    expect(await changed('      projectPath: $project_path\n', '')).toEqual([
      expect.stringMatching(/projectPath.* was not provided/),
    ]);
    expect(await changed('name: confidential, type: boolean', 'name: confidential, type: string')).toEqual([
      expect.stringMatching(/Boolean cannot represent a non boolean value: "text"/),
    ]);
    expect(await changed(`api: ${api}`, 'api: nobody')).toEqual([
      expect.stringMatching(/^\/graphql\/api line 11: .*nobody/),
    ]);
    expect(await changed('mutation (', 'subscription (')).toEqual([expect.stringMatching(/stream/)]);
    expect(await changed('errors }\n', 'errors } b: createIssue(input: $input) { errors }\n')).toEqual([
      expect.stringMatching(/one field at its root/),
    ]);
    expect(await changed('$title', '$title.__proto__.x')).toEqual([expect.stringMatching(/title/)]);
    expect(await changed('$title', '$tilte')).toEqual([expect.stringMatching(/\$tilte is no parameter/)]);
    const branching = `  type: object
  properties: { project_path: { type: string }, title: { type: string } }
  anyOf: [{ $ref: '#' }, { $ref: '#' }, { $ref: '#' }]
`;
    const untried = text.replace(parameters, branching).replace(/ +(description|confidential): \$.*\n/g, '');
    expect(await specs.faultsOf(untried)).toEqual([
      expect.stringMatching(
        /^\/inputSchema line 4: branches too often to be tried: .*let none of them refer/,
      ),
    ]);
    const foreign = await server().token({ sid: 'other', scope: 'catalog:write' });
    expect(await refusal('POST', '/tools/specs', { specText: text }, foreign)).toEqual([400, 'invalid_spec']);
  });

  it('have their next version pushed as a spec', async () => {
    const draft = { version: '9.0.0', description: 'x', inputSchema: { type: 'object' } };
    expect(await refusal('POST', `/tools/${toolId}/versions`, draft, tokens.author)).toEqual([
      409,
      'tool_has_spec',
    ]);
  });
});
