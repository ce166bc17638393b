import { load } from 'js-yaml';
import { v7 } from 'uuid';
import { ScriptedGateway } from './gateway-servers.js';
import { fresh, guardsWorld, override } from './guards-world.js';
import { eachServer } from './server.js';

/** A schema that is imported anew, and the operations that people have written for the one before. */

const schemaWith = (issue: string, argument = 'id: ID!') => `
  type Issue { id: ID! ${issue} }
  type Query { issue(${argument}): Issue project(id: ID!): String }
`;
const spec = (api: string, name: string, version: string, field: string) => `version: ${version}
name: ${name}
description: Reads the issue that somebody names. Use it when people ask what an issue is about.
inputSchema:
  parameters:
    - { name: id, type: string, required: true, description: Id of the issue. }
${version.startsWith('1') ? '    - { name: why, type: string, required: true, description: Why it is read. }\n' : ''}annotations: { readOnlyHint: true }
graphql:
  api: ${api}
  operation: 'query ($id: ID!) { issue(id: $id) { ${field} } }'
  variables: { id: $id }
`;

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
  const { ask, agentWith, catalogOf, approve } = guardsWorld(server);
  const name = fresh('get_issue');
  const [api, at] = [fresh('issues'), `/gateways/${v7()}`];
  const tokens = { author: '', reviewer: '' };
  let scripted: ScriptedGateway;
  let toolId = '';
  let [older, newer] = ['', ''];

  const imported = async (document: string, more: object = {}) => {
    const { operations } = await ask<{ operations: readonly Operation[] }>('POST', '/imports', {
      api: { apiId: api },
      version: { apiVersion: '1', apiType: 'graphql', serviceId: api, envTag: 'dev' },
      ...{ document, format: 'graphql', ...more },
    });
    return operations.map(({ toolName, version, change, code, skills }) => [
      ...[toolName, version, change, code, skills.length],
    ]);
  };
  const published = async (version: string, field: string) => {
    const specText = spec(api, name, version, field);
    const { id } = await ask<{ id: string }>('POST', '/tools/specs', { specText }, tokens.author);
    const path = `/tools/${id}/versions/${version}`;
    await ask('POST', `${path}/submit`, {}, tokens.author);
    await approve(`${path}/approve`, override, tokens.reviewer);
    return id;
  };
  const served = async () => {
    const { text } = await server().api('GET', `${at}/config`);
    const config = load(text) as {
      'mcp-router.tools': {
        toolMetadata: { lifecycle: { version: string } };
        versions?: { version: string }[];
      }[];
    };
    return config['mcp-router.tools'].map(({ toolMetadata, versions = [] }) => [
      ...[toolMetadata.lifecycle.version, ...versions.map(({ version }) => version)],
    ]);
  };
  const drift = async () => {
    const { tools } = await ask<{ tools: object[] }>('GET', `${at}/tools-list`);
    scripted.tools = tools;
    const { items } = await ask<{ items: (Partial<Operation> & { finding: string; details?: string[] })[] }>(
      'GET',
      `${at}/drift`,
    );
    return items.map(({ finding, grade, version, skills, details }) => [
      ...[finding, grade, version, skills?.length, details?.join(' ')],
    ]);
  };

  beforeAll(async () => {
    scripted = await ScriptedGateway.start();
    const scope = 'catalog:read catalog:write catalog:approve catalog:all-services';
    tokens.author = await server().token({ sub: 'ada', scope: `${scope} catalog:admin` });
    tokens.reviewer = await server().token({ sub: 'grace', scope });
    expect(await imported(schemaWith('title: String state: String'))).toEqual([]);
    toolId = await published('0.1.0', 'title');
    older = await agentWith([toolId]);
    await published('1.0.0', 'state');
    newer = await agentWith([toolId]);
    await ask('PUT', at, { serviceId: fresh('gateway'), envTag: 'dev', url: scripted.url });
    await ask('PUT', `${at}/exposures`, {
      tools: [{ toolId, targetHost: 'https://issues.example.com/graphql' }],
    });
  });
  afterAll(() => scripted.stop());

  it('a dry run says which versions would break, and changes nothing', async () => {
    const report = await imported(schemaWith('state: String'), { dryRun: true });
    expect(report).toEqual([[name, '0.1.0', 'breaks', 'operation_unfit', 1]]);
    expect((await catalogOf(older)).given).toMatchObject([{ version: '0.1.0' }]);
    expect(await served()).toEqual([['1.0.0', '0.1.0']]);
    expect(await drift()).toEqual([['in_sync', undefined, undefined, undefined, undefined]]);
  });

  it('exactly these versions are withheld, and are drift with their reason, until the schema fits again', async () => {
    expect(await imported(schemaWith('state: String'))).toEqual([
      [name, '0.1.0', 'breaks', 'operation_unfit', 1],
    ]);
    expect(await catalogOf(older)).toEqual({ given: [], withheld: ['operation_unfit'] });
    expect((await catalogOf(newer)).given).toMatchObject([{ version: '1.0.0' }]);
    expect(await served()).toEqual([['1.0.0']]);
    const reason = expect.stringMatching(/Cannot query field "title" on type "Issue"/) as string;
    expect(await drift()).toEqual([['operation_unfit', 'breaking', '0.1.0', 1, reason]]);
    await ask('POST', `${at}/drift/check`);
    const kept = await ask<{ items: { findings: object[] }[] }>('GET', `${at}/drift/history`);
    expect(kept.items[0]?.findings).toMatchObject([{ finding: 'operation_unfit', version: '0.1.0' }]);
    const ailing = await ask<{ items: { tools: { toolId: string; problems: { code: string }[] }[] }[] }>(
      'GET',
      '/diagnostics/skills?limit=100',
    );
    const own = ailing.items.flatMap(({ tools }) => tools).filter((tool) => tool.toolId === toolId);
    expect(own.map(({ problems }) => problems.map(({ code }) => code))).toEqual([['operation_unfit']]);
    // The same again says nothing new.
    expect(await imported(schemaWith('state: String'))).toEqual([]);

    expect(await imported(schemaWith('title: String'))).toEqual([
      [name, '0.1.0', 'fits_again', undefined, 1],
      [name, '1.0.0', 'breaks', 'operation_unfit', 1],
    ]);
    expect((await catalogOf(older)).given).toMatchObject([{ version: '0.1.0' }]);
    expect(await catalogOf(newer)).toEqual({ given: [], withheld: ['operation_unfit'] });

    expect(await imported(schemaWith('title: String state: String'))).toEqual([
      [name, '1.0.0', 'fits_again', undefined, 1],
    ]);
    expect((await catalogOf(newer)).given).toHaveLength(1);
    expect(await served()).toEqual([['1.0.0', '0.1.0']]);
  });

  it('one of which only the variables may not do is given on, and told of', async () => {
    const found = (more: string) => `
      input Sought { id: ID! ${more} }
      type Issue { id: ID! title: String state: String }
      type Query { issue(id: ID!): Issue find(sought: Sought!): Issue }
    `;
    expect(await imported(found(''))).toEqual([]);
    const specText = spec(api, name, '2.0.0', 'title')
      .replace('query ($id: ID!) { issue(id: $id)', 'query ($sought: Sought!) { find(sought: $sought)')
      .replace('{ id: $id }', '{ sought: { id: $id } }');
    await ask('POST', '/tools/specs', { specText }, tokens.author);
    await ask('POST', `/tools/${toolId}/versions/2.0.0/submit`, {}, tokens.author);
    // Also of a version that waits to be approved.
    expect(await imported(found('project: ID!'))).toEqual([[name, '2.0.0', 'breaks', 'variables_unfit', 0]]);
    const { callFault } = await ask<{ callFault: { details: string[] } }>(
      'GET',
      `/tools/${toolId}/versions/2.0.0`,
    );
    expect(callFault.details.join()).toMatch(/"project" of required type "ID!"/);
    await approve(`/tools/${toolId}/versions/2.0.0/approve`, override, tokens.reviewer);
    const agent = await agentWith([toolId]);
    expect((await catalogOf(agent)).given).toMatchObject([{ version: '2.0.0' }]);
    const reason = expect.stringMatching(/project/) as string;
    expect(await drift()).toEqual([['variables_unfit', 'breaking', '2.0.0', 1, reason]]);
    // What rises without its author calls the same.
    await ask('PATCH', `/tools/${toolId}`, { safety: { destructive: true } });
    expect(await drift()).toContainEqual(['variables_unfit', 'breaking', '2.0.1', 1, reason]);
  });

  it('a version that an agent keeps to stays while the endpoint of the newest one is off, and goes with its own', async () => {
    const other = fresh('get_either');
    const text = (version: string, operation: string) =>
      spec(api, other, version, 'title').replace('issue(id: $id) { title }', operation);
    const pushed = async (version: string, operation: string) => {
      const specText = text(version, operation);
      const { id } = await ask<{ id: string }>('POST', '/tools/specs', { specText }, tokens.author);
      await ask('POST', `/tools/${id}/versions/${version}/submit`, {}, tokens.author);
      await approve(`/tools/${id}/versions/${version}/approve`, override, tokens.reviewer);
      return id;
    };
    await imported(schemaWith('title: String state: String'));
    const id = await pushed('0.1.0', 'issue(id: $id) { title }');
    const keeping = await agentWith([id]);
    await pushed('1.0.0', 'project(id: $id)');
    const taking = await agentWith([id]);
    await ask('PUT', `${at}/exposures`, {
      tools: [{ toolId: id, targetHost: 'https://issues.example.com/graphql' }],
    });
    const given = async () =>
      Promise.all(
        [keeping, taking].map(async (agent) =>
          (await catalogOf(agent)).given.map((tool) => (tool as { version?: string }).version),
        ),
      );
    const { items } = await ask<{ items: { endpointId: string; endpoint: string }[] }>(
      'GET',
      `/endpoints?apiId=${api}&limit=100`,
    );
    const switched = (field: string, to: 'activate' | 'deactivate') =>
      ask(
        'POST',
        `/endpoints/${items.find(({ endpoint }) => endpoint.split(/\W/).includes(field))?.endpointId ?? ''}/${to}`,
      );
    expect(await given()).toEqual([['0.1.0'], ['1.0.0']]);
    await switched('project', 'deactivate');
    expect(await given()).toEqual([['0.1.0'], []]);
    expect(await served()).toEqual([['0.1.0']]);
    expect((await drift()).map(([finding]) => finding)).toEqual(['in_sync']);
    await switched('project', 'activate');
    await switched('issue', 'deactivate');
    expect(await given()).toEqual([[], ['1.0.0']]);
    expect(await served()).toEqual([['1.0.0']]);
    await switched('issue', 'activate');
    expect(await given()).toEqual([['0.1.0'], ['1.0.0']]);
    expect(await served()).toEqual([['1.0.0', '0.1.0']]);
  });
});
