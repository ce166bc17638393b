import { bothSpec, issueSpec, ticketSpec } from './composite-specs.js';
import { CalledSpecs } from './called-specs.js';
import { fresh, guardsWorld } from './guards-world.js';
import { issuesSchema } from './issues-api.js';
import { eachServer } from './server.js';
import { ticketsDocument } from './tickets-api.js';

/** Documents that are imported anew, and the steps that people have written for those before. */

interface Operation {
  readonly toolName: string;
  readonly version: string;
  readonly change: string;
  readonly grade: string;
  readonly code?: string;
  readonly faults: readonly string[];
  readonly skills: readonly string[];
}

eachServer((server) => {
  const { ask, agentWith, catalogOf } = guardsWorld(server);
  const [issues, tickets] = [fresh('issues'), fresh('tickets')];
  const [manageIssue, manageTicket, manageBoth] = [fresh('a_issue'), fresh('b_ticket'), fresh('c_both')];
  const specs = new CalledSpecs(server, ask);
  const toolIds: string[] = [];
  let agent = '';

  const imported = async (apiId: string, apiType: string, document: unknown, more: object = {}) => {
    const { operations } = await ask<{ operations: readonly Operation[] }>('POST', '/imports', {
      ...{ api: { apiId }, document, format: apiType, ...more },
      version: { apiVersion: '1', apiType, serviceId: apiId, envTag: 'dev' },
    });
    return operations.map(({ toolName, version, change, code, faults, skills }) => [
      ...[toolName, version, change, code, skills.length, faults.join('\n')],
    ]);
  };
  const schema = (from = '', to = '') => {
    expect(issuesSchema).toContain(from);
    return issuesSchema.replace(from, to);
  };
  const drift = async () => {
    await ask('POST', `${specs.at}/drift/check`).catch(() => undefined);
    const { items } = await ask<{
      items: { problems?: { code: string }[]; tools: { toolId: string; problems: { code: string }[] }[] }[];
    }>('GET', '/diagnostics/skills?limit=500');
    return items
      .flatMap(({ tools }) => tools)
      .filter(({ toolId }) => toolIds.includes(toolId))
      .flatMap(({ toolId, problems }) => problems.map(({ code }) => [toolIds.indexOf(toolId), code]))
      .filter(([, code]) => String(code).endsWith('_unfit'));
  };

  beforeAll(async () => {
    await specs.begin();
    await imported(issues, 'graphql', schema());
    await imported(tickets, 'openapi', ticketsDocument);
    toolIds.push(await specs.published(issueSpec(issues, manageIssue)));
    toolIds.push(await specs.published(ticketSpec(tickets, manageTicket)));
    toolIds.push(await specs.published(bothSpec({ issues, tickets }, manageBoth)));
    agent = await agentWith(toolIds);
    const targets = [issues, tickets].map((api) => ({ api, targetHost: `https://${api}.example.com` }));
    await specs.expose(toolIds.map((toolId) => ({ toolId, runtime: { targets } })));
  });
  afterAll(() => specs.end());

  const given = async () => (await catalogOf(agent)).given.length;

  it('a step that a schema breaks is told of with its alternative, in a dry run and in an import; the others are called on', async () => {
    const renamed = schema(
      'input UpdateIssueInput { id: ID! title: String',
      'input UpdateIssueInput { issueId: ID! title: String',
    );
    const expected = [
      [
        ...[manageIssue, '1.0.0', 'breaks', 'variables_unfit', 1],
        expect.stringMatching(/^rename, step updateIssue: .*issueId[^]*close, step updateIssue: /),
      ],
    ];
    expect(await imported(issues, 'graphql', renamed, { dryRun: true })).toEqual(expected);
    expect(await drift()).toEqual([]);
    expect(await imported(issues, 'graphql', renamed)).toEqual(expected);
    expect(await drift()).toEqual([[0, 'variables_unfit']]);
    expect(await given()).toBe(3);
    // The same again says nothing new.
    expect(await imported(issues, 'graphql', renamed)).toEqual([]);
    const fits = [manageIssue, '1.0.0', 'fits_again', undefined, 1, ''];
    expect(await imported(issues, 'graphql', schema())).toEqual([fits]);
    expect(await drift()).toEqual([]);
  });

  it('a tool of which no alternative is left is withheld, until one is', async () => {
    const untitled = schema('iid: Int! title: String!', 'iid: Int!');
    expect(await imported(issues, 'graphql', untitled)).toEqual([
      [
        ...[manageIssue, '1.0.0', 'breaks', 'variables_unfit', 1],
        expect.stringMatching(/^create, step createIssue: Cannot query field "title" on type "Issue"/),
      ],
      [
        ...[manageBoth, '1.0.0', 'breaks', 'operation_unfit', 1],
        expect.stringMatching(/^report, step createIssue: Cannot query field "title" on type "Issue"/),
      ],
    ]);
    expect(await given()).toBe(2);
    expect((await catalogOf(agent)).withheld).toContain('operation_unfit');
    expect((await imported(issues, 'graphql', schema())).map(([name, , change]) => [name, change])).toEqual([
      [manageIssue, 'fits_again'],
      [manageBoth, 'fits_again'],
    ]);
    expect(await given()).toBe(3);
  });

  it('a step is held against what its endpoint of HTTP takes and answers, too', async () => {
    const document = (change: (paths: typeof ticketsDocument.paths) => void) => {
      const copy = structuredClone(ticketsDocument);
      change(copy.paths);
      return copy;
    };
    const stricter = document((paths) => {
      const reason = { name: 'reason', in: 'query', required: true, schema: { type: 'string' } };
      Object.assign(paths['/tickets/{id}'].put, {
        parameters: [...paths['/tickets/{id}'].put.parameters, reason],
      });
    });
    expect(await imported(tickets, 'openapi', stricter)).toEqual([
      [
        ...[manageTicket, '1.0.0', 'breaks', 'variables_unfit', 1],
        expect.stringMatching(/^close, step closed: \/tickets\/\{id\}@put: \/reason is missing/),
      ],
    ]);
    expect(await drift()).toEqual([[1, 'variables_unfit']]);
    const keyless = document((paths) => {
      const schema = {
        type: 'object',
        required: ['id'],
        properties: { id: { type: 'string' } },
        additionalProperties: false,
      };
      Object.assign(paths['/tickets/{id}'].get, {
        responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } },
      });
    });
    expect((await imported(tickets, 'openapi', keyless)).map((operation) => operation.slice(0, 4))).toEqual([
      [manageTicket, '1.0.0', 'breaks', 'variables_unfit'],
      [manageBoth, '1.0.0', 'breaks', 'variables_unfit'],
    ]);
    expect(
      (await imported(tickets, 'openapi', ticketsDocument)).map(([name, , change]) => [name, change]),
    ).toEqual([
      [manageTicket, 'fits_again'],
      [manageBoth, 'fits_again'],
    ]);
    expect(await drift()).toEqual([]);
  });

  it('one whose endpoint is gone is withheld until it is back', async () => {
    const without = structuredClone(ticketsDocument) as { paths: Record<string, object> };
    delete without.paths['/tickets/{id}'];
    await imported(tickets, 'openapi', without);
    expect(await given()).toBe(1);
    await imported(tickets, 'openapi', ticketsDocument);
    expect(await given()).toBe(3);
  });
});
