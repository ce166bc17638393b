import { trace } from '@opentelemetry/api';
import { load } from 'js-yaml';
import { CalledSpecs } from './called-specs.js';
import { recordedSpans } from './recorded-spans.js';
import { fresh, guardsWorld } from './guards-world.js';
import { IssuesApi, issuesSchema } from './issues-api.js';
import { bothSpec, issueSpec, ticketSpec } from './composite-specs.js';
import { eachServer } from './server.js';
import { TicketsApi, ticketsDocument } from './tickets-api.js';

/** One tool over several operations: from the spec to the call. */

eachServer((server) => {
  const { ask, agentWith, catalogOf } = guardsWorld(server);
  const [issues, tickets] = [fresh('issues'), fresh('tickets')];
  const [manageIssue, manageTicket] = [fresh('manage_issue'), fresh('manage_ticket')];
  const specs = new CalledSpecs(server, ask);
  const { lines } = specs;
  const toolIds = { issue: '', ticket: '', both: '' };
  const manageBoth = fresh('manage_both');
  let issuesApi: IssuesApi;
  let ticketsApi: TicketsApi;
  let exposed: object[] = [];

  beforeAll(async () => {
    await specs.begin();
    const imported = (apiId: string, apiType: string, document: unknown) =>
      ask('POST', '/imports', {
        ...{ api: { apiId }, document, format: apiType },
        version: { apiVersion: '1', apiType, serviceId: apiId, envTag: 'dev' },
      });
    await imported(issues, 'graphql', issuesSchema);
    await imported(tickets, 'openapi', ticketsDocument);
    [issuesApi, ticketsApi] = await Promise.all([IssuesApi.start(), TicketsApi.start()]);
    toolIds.issue = await specs.published(issueSpec(issues, manageIssue));
    toolIds.ticket = await specs.published(ticketSpec(tickets, manageTicket));
    toolIds.both = await specs.published(bothSpec({ issues, tickets }, manageBoth));
    const targets = [
      { api: issues, targetHost: issuesApi.url },
      { api: tickets, targetHost: ticketsApi.url },
    ];
    exposed = [
      { toolId: toolIds.issue, targetHost: issuesApi.url },
      { toolId: toolIds.ticket, targetHost: ticketsApi.url },
      { toolId: toolIds.both, runtime: { targets } },
    ];
    await specs.expose(exposed);
  });
  afterAll(async () => {
    await specs.end();
    issuesApi.stop();
    ticketsApi.stop();
  });

  it('are kept, and given back byte for byte', async () => {
    const text = issueSpec(issues, manageIssue);
    const kept = await ask<{ specText: string }>('GET', `/tools/${toolIds.issue}/versions/1.0.0`);
    expect(kept.specText).toBe(text);
    expect((await specs.push(text)).outcome).toBe('unchanged');
  });

  it('carry out the operation that the parameter asks for, and answer what it answers', async () => {
    const created = await specs.call(manageIssue, {
      operation: 'create',
      project_path: 'a/b',
      title: 'Broken',
    });
    expect(created.structuredContent).toEqual({
      issue: { id: 'gid://issue/1', title: 'Broken' },
      errors: [],
    });
    expect(issuesApi.created).toEqual([{ projectPath: 'a/b', title: 'Broken' }]);
    const renamed = await specs.call(manageIssue, { operation: 'rename', id: '7', title: 'Better' });
    expect(renamed.structuredContent).toMatchObject({ issue: { title: 'Better' } });
    expect(issuesApi.updated.at(-1)).toEqual({ id: 'gid://issue/7', title: 'Better' });
    const shown = await specs.call(manageIssue, { operation: 'show', id: '7' });
    expect(JSON.parse(shown.said)).toEqual({ id: 'gid://issue/7', title: 'As it was' });
    expect(issuesApi.updated).toHaveLength(1);
  });

  it('carry it out over HTTP as well, and over both in one call', async () => {
    const looked = await specs.call(manageTicket, { action: 'look', id: 'a' });
    expect(looked.structuredContent).toEqual({ key: 'a', version: 3 });
    expect((await specs.call(manageTicket, { action: 'close', id: 'a' })).isError).not.toBe(true);
    expect(ticketsApi.asked.slice(-2)).toEqual(['GET /tickets/a', 'PUT /tickets/a?version=3']);
    const both = await specs.call(manageBoth, { action: 'report', id: 'b' });
    expect(both.structuredContent).toMatchObject({ issue: { title: 'b' } });
    expect(ticketsApi.asked.at(-1)).toBe('GET /tickets/b');
    expect(issuesApi.created.at(-1)).toEqual({ projectPath: 'a/b', title: 'b' });
  });

  it.each<[what: string, args: object, said: RegExp, fault: object]>([
    [
      'invalid arguments, by those of the alternative',
      { operation: 'rename', id: '1' },
      /^invalid_arguments: \/title is missing(?!.*project_path)/,
      { level: 'service', code: 'invalid_arguments' },
    ],
    [
      'an operation that there is not',
      { operation: 'destroy', id: '1' },
      /^invalid_arguments: /,
      { level: 'service' },
    ],
    [
      'an error of the read before the change',
      { operation: 'rename', id: 'secret', title: 'x' },
      /^graphql_errors: issue: You may not see this issue\. Nothing was changed\.$/,
      { level: 'graphql', operation: 'issue', done: [], changed: 'nothing' },
    ],
    [
      'nothing read',
      { operation: 'rename', id: 'nobody', title: 'x' },
      /^no_data: issue: Operation returned no data\. Nothing was changed\.$/,
      { level: 'graphql', done: [] },
    ],
    [
      'a part that is needed and is not there',
      { operation: 'close', id: '1' },
      /^needs_missing: issue: It answered no labelIds\.0\. Nothing was changed\.$/,
      { level: 'payload', operation: 'issue', done: [], changed: 'nothing' },
    ],
    [
      'an operation that says no',
      { operation: 'rename', id: '1', title: '' },
      /^payload_errors: updateIssue: Title can't be blank\. Done before it: issue\. Nothing else was done, and nothing was changed\.$/,
      { level: 'payload', operation: 'updateIssue', done: ['issue'], changed: 'nothing' },
    ],
    [
      'an operation that is not carried out',
      { operation: 'rename', id: '1', title: 'forbidden' },
      /^graphql_errors: updateIssue: You may not change this issue\. Done before it: issue\. Whether updateIssue has changed something is not known; nothing else was done\.$/,
      { level: 'graphql', done: ['issue'], changed: 'unknown' },
    ],
    [
      'a change that is not answered',
      { operation: 'rename', id: '1', title: 'for ever' },
      /^downstream_timeout: updateIssue: .*Done before it: issue\. Whether updateIssue has changed something is not known/,
      { level: 'network', done: ['issue'], changed: 'unknown' },
    ],
  ])('tell of %s', async (_what, args, said, fault) => {
    const answer = await specs.call(manageIssue, args);
    expect([answer.isError, answer.said]).toEqual([true, expect.stringMatching(said)]);
    expect(answer._meta?.['portal-catalog/fault']).toMatchObject(fault);
  });

  it('send nothing where nobody calls', async () => {
    const before = issuesApi.created.length;
    const args = { operation: 'create', project_path: 'a/b', title: 'x' };
    expect((await specs.call(manageIssue, args, { token: '' })).said).toMatch(/^no_caller: /);
    expect(issuesApi.created).toHaveLength(before);
  });

  it('tell of what fails over HTTP, and send no change after it', async () => {
    expect((await specs.call(manageTicket, { action: 'close', id: 'gone' })).said).toMatch(
      /^http_404: getTicket: There is no such ticket\. Nothing was changed\.$/,
    );
    expect((await specs.call(manageTicket, { action: 'close', id: 'locked' })).said).toMatch(
      /^http_409: closeTicket: It is locked\. Done before it: getTicket\. Nothing else was done, and nothing was changed\.$/,
    );
    const before = ticketsApi.asked.length;
    // The service answers a key that is no text: it is held against what the next endpoint takes.
    expect((await specs.call(manageTicket, { action: 'close', id: 'LYING' })).said).toMatch(
      /^invalid_arguments: closeTicket: \/id must be .*Done before it: getTicket\. Nothing else was done/,
    );
    expect(ticketsApi.asked.slice(before)).toEqual(['GET /tickets/LYING']);
  });

  it('are guarded as what they may call, whatever is asked for', async () => {
    const text = ticketSpec(tickets, fresh('manage_ticket')).replace(
      '/tickets/{id}@put',
      '/tickets/{id}@delete',
    );
    const toolId = await specs.published(text);
    const { toolMetadata } = await ask<{ toolMetadata: { safety: object } }>('GET', `/tools/${toolId}`);
    expect(toolMetadata.safety).toMatchObject({ destructive: true });
    await ask('PUT', `${specs.at}/exposures`, {
      tools: [...exposed, { toolId, targetHost: ticketsApi.url }],
    });
    expect((await catalogOf(await agentWith([toolId]))).withheld).toEqual([
      'destructive_tool_requires_approval_workflow',
    ]);
  });

  it('are one line of the log and one span, without what was sent', async () => {
    const spans = recordedSpans();
    const from = lines.length;
    await specs.call(manageIssue, { operation: 'rename', id: 'hidden', title: 'Hidden title' });
    trace.disable();
    const own = lines.slice(from).map((line) => JSON.parse(line) as { execution?: object });
    expect(own.flatMap(({ execution }) => execution ?? [])).toMatchObject([
      {
        ...{ tool: manageIssue, version: '1.0.0', operation: 'updateIssue', steps: ['issue', 'updateIssue'] },
        ...{ cost: 8, outcome: 'succeeded', level: 'none' },
      },
    ]);
    expect(lines.join('')).not.toMatch(/hidden|Hidden|mutation/);
    expect(spans.filter(({ name }) => name === `execute_tool ${manageIssue}`)).toMatchObject([
      {
        ended: true,
        attributes: { 'portal_catalog.operation': 'updateIssue', 'portal_catalog.outcome': 'succeeded' },
      },
    ]);
  });

  it('travel to gateways with what these need, and to agents without any document', async () => {
    const config = load((await server().api('GET', `${specs.at}/config`)).text) as {
      'mcp-router.tools': {
        name: string;
        apiType: string;
        composite?: { by: string; alternatives: object[] };
      }[];
    };
    const entry = config['mcp-router.tools'].find(({ name }) => name === manageTicket);
    expect(entry).toMatchObject({
      apiType: 'composite',
      composite: {
        by: 'action',
        alternatives: [
          { when: 'look' },
          {
            when: 'close',
            steps: [
              { id: 'ticket', changes: false, endpoint: { method: 'get', path: '/tickets/{id}' } },
              {
                ...{ id: 'closed', api: tickets, changes: true },
                endpoint: {
                  ...{ method: 'put', name: 'closeTicket' },
                  arguments: { id: '$ticket.key', version: '$ticket.version' },
                  parameters: { id: { in: 'path' }, version: { in: 'query' } },
                },
              },
            ],
          },
        ],
      },
    });
    const { given } = await catalogOf(await agentWith([toolIds.issue, toolIds.ticket]));
    expect(given.map(({ name }) => name).sort()).toEqual([manageIssue, manageTicket].sort());
    expect(JSON.stringify(given)).toMatch(/project_path/);
    expect(JSON.stringify(given)).not.toMatch(/mutation|CreateIssueInput|alternatives|\/tickets/);
  });

  it.each(['typescript', 'python', 'ruby'])('give those who write %s their interface', async (language) => {
    const query = 'format=json';
    const { files } = await ask<{ files: Record<string, string> }>(
      'GET',
      `/tool-clients/${language}?${query}`,
    );
    const written = JSON.stringify(files);
    expect(written).toMatch(new RegExp(manageIssue));
    expect(written).toMatch(/project_path/);
    expect(written).not.toMatch(/CreateIssueInput/);
  });

  it.each<[what: string, from: string | RegExp, to: string, fault: RegExp]>([
    [
      'a field that the schema does not have',
      'issue { id title } errors',
      'issue { secret } errors',
      /^\/composite\/alternatives\/0\/steps\/0\/graphql\/operation line \d+: Cannot query field "secret"/,
    ],
    [
      'what may be left out',
      'required: [operation, id, title]',
      'required: [operation, title]',
      /^\/composite\/alternatives\/1\/steps\/0\/graphql\/variables line \d+: .*\$id/,
    ],
    [
      'a mapping out of the input',
      '{ id: $issue.id, title: $title }',
      '{ id: $issue.id, title: $project_path }',
      /\$project_path is no parameter/,
    ],
    ['__proto__ in a path', '$issue.id', '$issue.__proto__.id', /leads to __proto__/],
    ['what the step does not select', '$issue.id', '$issue.iid', /what issue answers has no such part/],
    [
      'steps in a circle',
      'variables: { id: $id }\n        - id: updateIssue',
      'variables: { id: $updateIssue.issue.id }\n        - id: updateIssue',
      /a later one, which is not there yet/,
    ],
    ['a value without an alternative', 'const: show', 'const: look', /lack one for look/],
    [
      'two mutations',
      'errors } }\n            variables: { input: { projectPath',
      'errors } b: createIssue(input: $input) { errors } }\n            variables: { input: { projectPath',
      /one field at its root/,
    ],
    [
      'a subscription',
      'mutation ($input: CreateIssueInput!)',
      'subscription ($input: CreateIssueInput!)',
      /stream/,
    ],
    [
      'introspection',
      'query ($id: ID!) { issue(id: $id) { id title } }',
      '{ __schema { types { name } } }',
      /asks for the schema/,
    ],
    [
      'fragments in a circle',
      '{ issue(id: $id) { id title } }',
      '{ issue(id: $id) { ...A } } fragment A on Issue { id ...A }',
      /spreads itself/,
    ],
    [
      'an API that nobody imported',
      /api: \S+/,
      'api: nobody',
      /^\/composite\/alternatives\/0\/steps\/0\/graphql\/api line \d+: .*nobody/,
    ],
  ])('are refused with %s', async (_what, from, to, fault) => {
    const text = issueSpec(issues, fresh('manage_issue')).replace(from, to);
    expect(await specs.faultsOf(text)).toEqual(expect.arrayContaining([expect.stringMatching(fault)]));
  });

  it('are refused over endpoints that are not there, do not take what they send, or change something too early', async () => {
    const text = ticketSpec(tickets, fresh('manage_ticket'));
    const changed = (from: string, to: string) => specs.faultsOf(text.replace(from, to));
    expect(await changed('/tickets/{id}@put', '/tickets/{id}@patch')).toEqual([
      expect.stringMatching(/steps\/1\/endpoint\/endpoint line \d+: names no endpoint/),
    ]);
    expect(await changed(', version: $ticket.version', '')).toEqual([expect.stringMatching(/version/)]);
    expect(await changed('version: $ticket.version', 'version: $ticket.key')).toEqual([
      expect.stringMatching(/\/version must be/),
    ]);
    expect(
      await changed(
        "'/tickets/{id}@get', arguments: { id: $id } } }\n        - id: closed",
        "'/tickets@get' } }\n        - id: closed",
      ),
    ).toEqual(expect.arrayContaining([expect.stringMatching(/say its shape in `result`/)]));
    const remove = `endpoint: { api: ${tickets}, endpoint: '/tickets/{id}@put', arguments: { id: $id, version: 1 } }`;
    const early = `        - { id: gone, ${remove} }\n        - { id: again, ${remove} }\n`;
    const [before = ''] = text.split(/(?<=when: close\n\s+steps:\n)/);
    expect(await specs.faultsOf(before + early)).toEqual([
      expect.stringMatching(/one call changes one thing/),
    ]);
  });
});
