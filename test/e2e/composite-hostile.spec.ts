import { issueSpec, ticketSpec } from './composite-specs.js';
import { CalledSpecs } from './called-specs.js';
import { fresh, guardsWorld } from './guards-world.js';
import { IssuesApi, issuesSchema } from './issues-api.js';
import { eachServer } from './server.js';
import { TicketsApi, ticketsDocument } from './tickets-api.js';

/** Composite tools over services that lie, for callers that may not do all of it, and with operations that cost too much. */

eachServer((server) => {
  const { ask } = guardsWorld(server);
  const [issues, tickets] = [fresh('issues'), fresh('tickets')];
  const [manageIssue, manageTicket, describedIssue] = [fresh('issue'), fresh('ticket'), fresh('described')];
  const specs = new CalledSpecs(server, ask);
  let issuesApi: IssuesApi;
  let ticketsApi: TicketsApi;

  beforeAll(async () => {
    await specs.begin();
    const imported = (apiId: string, apiType: string, document: unknown) =>
      ask('POST', '/imports', {
        ...{ api: { apiId }, document, format: apiType },
        version: { apiVersion: '1', apiType, serviceId: apiId, envTag: 'dev' },
      });
    const flows = {
      clientCredentials: {
        tokenUrl: 'https://login.example.com/token',
        scopes: { 'tickets.close': 'Close them.' },
      },
    };
    const closing = {
      ...ticketsDocument.paths['/tickets/{id}'].put,
      security: [{ login: ['tickets.close'] }],
    };
    const path = { ...ticketsDocument.paths['/tickets/{id}'], put: closing };
    await imported(issues, 'graphql', issuesSchema);
    await imported(tickets, 'openapi', {
      ...ticketsDocument,
      components: { securitySchemes: { login: { type: 'oauth2', flows } } },
      paths: { ...ticketsDocument.paths, '/tickets/{id}': path },
    });
    [issuesApi, ticketsApi] = await Promise.all([IssuesApi.start(), TicketsApi.start()]);
    const output = `outputSchema:
  type: object
  properties: { issue: { type: object, properties: { title: { type: string } }, required: [title] }, title: { type: string } }
composite:`;
    const described = issueSpec(issues, describedIssue).replace('composite:', output);
    const toolIds = [
      await specs.published(issueSpec(issues, manageIssue)),
      await specs.published(described),
      await specs.published(ticketSpec(tickets, manageTicket)),
    ];
    await specs.expose(
      toolIds.map((toolId, at) => ({ toolId, targetHost: at < 2 ? issuesApi.url : ticketsApi.url })),
    );
  });
  afterAll(async () => {
    await specs.end();
    issuesApi.stop();
    ticketsApi.stop();
  });
  afterEach(() => (issuesApi.lying = undefined));

  const answering = (value: unknown, type?: string) => {
    const body = typeof value === 'string' ? value : JSON.stringify(value);
    issuesApi.lying = { status: 200, body, ...(type !== undefined && { type }) };
  };
  const deep = `${'['.repeat(60_000)}${']'.repeat(60_000)}`;

  it.each<[what: string, answer: unknown, said: RegExp]>([
    [
      'errors that are no list',
      { data: { issue: { id: '1' } }, errors: { message: 'Not yours.' } },
      /^graphql_errors: issue: Not yours\./,
    ],
    [
      'errors that are a text',
      { data: { issue: { id: '1' } }, errors: 'Not yours.' },
      /^graphql_errors: issue: Not yours\./,
    ],
    [
      'errors beside data',
      { data: { issue: { id: '1' } }, errors: [{ message: 'Half of it.' }] },
      /^graphql_errors: issue: Half of it\./,
    ],
    ['errors without a message', { errors: [{}, null, 7] }, /^graphql_errors: issue: /],
    ['data that is a list', { data: [] }, /^no_data: issue: /],
    ['data that is a text', { data: 'x' }, /^no_data: issue: /],
    ['no data', {}, /^no_data: issue: /],
    [
      'data of another operation',
      { data: { other: { id: '1' } } },
      /^no_data: issue: Operation returned no data\./,
    ],
    ['a list', [], /^no_data: issue: /],
    ['no JSON', '<html>', /^http_200: issue: The service answered what is no JSON/],
    [
      'what is nested too deep',
      `{"data":{"issue":${deep}}}`,
      /^(answer_too_deep|downstream_broken): issue: /,
    ],
    [
      'more than may come',
      { data: { issue: { id: 'x'.repeat(300_000) } } },
      /^downstream_too_large: issue: /,
    ],
  ])(
    'a read that answers %s is reported by its operation, and nothing is changed',
    async (_what, answer, said) => {
      answering(answer);
      const refused = await specs.call(manageIssue, { operation: 'rename', id: '1', title: 'x' });
      expect([refused.isError, refused.said]).toEqual([true, expect.stringMatching(said)]);
      expect(refused.said).toMatch(/Nothing was changed\.$/);
      expect(refused._meta?.['portal-catalog/fault']).toMatchObject({
        operation: 'issue',
        done: [],
        changed: 'nothing',
      });
    },
  );

  it.each<[what: string, value: unknown]>([
    ['an object', { id: { $ne: 1 } }],
    ['nothing', { id: null }],
    ['what an object has by itself', JSON.parse('{"__proto__": {"id": "1"}, "constructor": "x"}')],
  ])('a read that answers %s where the change takes an id leads to no change', async (_what, issue) => {
    issuesApi.lying = { status: 200, body: JSON.stringify({ data: { issue } }), toReads: true };
    const before = issuesApi.updated.length;
    const refused = await specs.call(manageIssue, { operation: 'rename', id: '1', title: 'x' });
    expect([refused.isError, refused.said]).toEqual([
      true,
      expect.stringMatching(/updateIssue: Variable "\$input"/),
    ]);
    expect(issuesApi.updated).toHaveLength(before);
    // The service is asked for changes honestly: with an id there is one.
    issuesApi.lying = { ...issuesApi.lying, body: JSON.stringify({ data: { issue: { id: '1' } } }) };
    expect((await specs.call(manageIssue, { operation: 'rename', id: '1', title: 'x' })).isError).not.toBe(
      true,
    );
    expect(issuesApi.updated).toHaveLength(before + 1);
  });

  it('an operation that says no and answers what it has made may have changed something', async () => {
    const payload = { issue: { id: '1', title: 'x' }, errors: ['Labels are unknown.'] };
    answering({ data: { createIssue: payload } });
    const args = { operation: 'create', project_path: 'a/b', title: 'x' };
    const refused = await specs.call(manageIssue, args);
    expect(refused.said).toMatch(
      /^payload_errors: createIssue: Labels are unknown\. Whether createIssue has changed something is not known/,
    );
    expect(refused._meta?.['portal-catalog/fault']).toMatchObject({ changed: 'unknown' });
    answering({ data: { createIssue: { issue: null, errors: ['No.'] } } });
    expect((await specs.call(manageIssue, args)).said).toMatch(/nothing was changed\.$/);
  });

  it('a result that has not the shape that the author says is reported as carried out', async () => {
    answering({ data: { createIssue: { issue: { title: 7 }, errors: [] } } });
    const refused = await specs.call(describedIssue, {
      operation: 'create',
      project_path: 'a/b',
      title: 'x',
    });
    expect(refused.said).toMatch(
      /^answer_unfit: createIssue: It was carried out, and its result has not the shape/,
    );
    expect(refused._meta?.['portal-catalog/fault']).toMatchObject({ changed: 'unknown' });
  });

  it('who lacks a scope of an endpoint that it may reach calls none of it', async () => {
    const before = ticketsApi.asked.length;
    const token = await server().token({ scope: 'catalog:agent', sid: 'agent' });
    await expect(specs.call(manageTicket, { action: 'look', id: 'a' }, { token })).rejects.toThrow(
      /insufficient_scope/,
    );
    expect(ticketsApi.asked).toHaveLength(before);
    const able = await server().token({ scope: 'catalog:agent tickets.close', sid: 'agent' });
    expect((await specs.call(manageTicket, { action: 'close', id: 'a' }, { token: able })).isError).not.toBe(
      true,
    );
  });

  it.each<[what: string, selection: string, said: RegExp]>([
    [
      'aliases by the thousand',
      Array.from({ length: 5_000 }, (_, at) => `a${String(at)}: id`).join(' '),
      /more than 1000 fields/,
    ],
    [
      'what costs more than 200',
      Array.from({ length: 300 }, (_, at) => `a${String(at)}: id`).join(' '),
      /200/,
    ],
    ['a field twice in other words', 'id id: title', /conflict/],
  ])('a step with %s is refused', async (_what, selection, said) => {
    const text = issueSpec(issues, fresh('manage_issue')).replace(
      'issue(id: $id) { id title }',
      `issue(id: $id) { ${selection} }`,
    );
    expect(await specs.faultsOf(text)).toEqual(expect.arrayContaining([expect.stringMatching(said)]));
  });
});
