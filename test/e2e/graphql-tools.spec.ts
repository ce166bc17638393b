import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { v7 } from 'uuid';
import {
  startDevelopmentGateway,
  type RunningGateway,
} from '../../src/development-gateway/development-gateway.js';
import { readConfig } from '../../src/platform/config/config.js';
import { createLog } from '../../src/platform/logging/log.js';
import { until } from '../until.js';
import { fresh, guardsWorld, override } from './guards-world.js';
import { IssuesApi, issuesSchema } from './issues-api.js';
import { eachServer, hostId } from './server.js';

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
  const tokens = { author: '', reviewer: '', agent: '' };
  let issues: IssuesApi;
  let gateway: RunningGateway;
  let toolId = '';

  const push = (specText: string) =>
    ask<{ id: string; toolVersion: string }>('POST', '/tools/specs', { specText }, tokens.author);
  const published = async (specText: string) => {
    const { id, toolVersion } = await push(specText);
    const path = `/tools/${id}/versions/${toolVersion}`;
    await ask('POST', `${path}/submit`, {}, tokens.author);
    await ask('POST', `${path}/approve`, override, tokens.reviewer);
    return id;
  };
  const faultsOf = async (specText: string) => {
    const { status, body } = await server().api<{
      code: string;
      errors: { pointer: string; detail: string }[];
    }>('POST', '/tools/specs', { body: { specText }, token: tokens.author });
    expect([status, body.code]).toEqual([400, 'invalid_spec']);
    return body.errors.map(({ pointer, detail }) => `${pointer} ${detail}`);
  };
  const call = async (
    args: object,
    { version, token = tokens.agent }: { version?: string; token?: string } = {},
  ) => {
    const client = new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    const headers = { authorization: `Bearer ${token}` };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(gateway.url), { requestInit: { headers } }),
    );
    try {
      const { isError, content, structuredContent } = await client.callTool({
        ...{ name, arguments: { ...args } },
        ...(version !== undefined && { _meta: { 'portal-catalog/version': version } }),
      });
      const [first] = content;
      return { isError, said: first?.type === 'text' ? first.text : '', structuredContent };
    } finally {
      await client.close();
    }
  };

  beforeAll(async () => {
    const scope = 'catalog:read catalog:write catalog:approve catalog:all-services';
    tokens.author = await server().token({ sub: 'ada', scope });
    tokens.reviewer = await server().token({ sub: 'grace', scope });
    tokens.agent = await server().token({ scope: 'catalog:agent', sid: 'agent' });
    issues = await IssuesApi.start();
    const version = { apiVersion: '1', apiType: 'graphql', serviceId: api, envTag: 'dev' };
    await ask('POST', '/imports', {
      api: { apiId: api },
      version,
      document: issuesSchema,
      format: 'graphql',
    });
    toolId = await published(spec(api, name, '0.1.0'));
    const gatewayId = v7();
    const at = `/gateways/${gatewayId}`;
    await ask('PUT', at, { serviceId: fresh('gateway'), envTag: 'dev', url: 'http://127.0.0.1:4000/mcp' });
    await ask('PUT', `${at}/exposures`, { tools: [{ toolId, targetHost: issues.url }] });
    gateway = await startDevelopmentGateway(
      {
        gateway: { gatewayId, hostId, envTag: 'dev' },
        address: new URL('http://127.0.0.1:0/mcp'),
        anonymous: true,
        readConfig: async () => (await server().api('GET', `${at}/config`)).text,
      },
      readConfig({ DATA_DIR: server().directory, OUTBOUND_ALLOW: '127.0.0.1' }),
      createLog('error'),
    );
  });
  afterEach(() => {
    issues.lying = undefined;
  });
  afterAll(async () => {
    await gateway.stop();
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
    const stranger = await (async () => {
      const client = new Client(
        { name: 'test', version: '1' },
        { versionNegotiation: { mode: { pin: '2026-07-28' } } },
      );
      await client.connect(new StreamableHTTPClientTransport(new URL(gateway.url)));
      const { content } = await client.callTool({ name, arguments: good });
      await client.close();
      return content[0]?.type === 'text' ? content[0].text : '';
    })();
    expect(stranger).toMatch(/^no_caller: /);
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

  it('live in two versions, each with its own operation', async () => {
    const first = await agentWith([toolId]);
    await published(spec(api, name, '0.2.0', second));
    await published(
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
    expect((await call({ project_path: 'a/b', title: 'Any' })).said).toMatch(/^invalid_arguments/);
    expect((await call({ project_path: 'a/b', title: 'Bug' })).isError).not.toBe(true);
  });

  it('are refused where the API does not take what they would send', async () => {
    const text = spec(api, fresh('create_issue'), '0.1.0');
    const changed = (from: string | RegExp, to: string) => faultsOf(text.replace(from, to));
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
