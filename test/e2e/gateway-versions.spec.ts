import { load } from 'js-yaml';
import { v7 } from 'uuid';
import { ScriptedGateway } from './gateway-servers.js';
import { fresh, guardsWorld } from './guards-world.js';
import { eachServer } from './server.js';

/** Versions of a tool side by side at a gateway: what it is told to serve, and whether it does. */

interface Item {
  readonly finding: string;
  readonly grade?: string;
  readonly version?: string;
  readonly skills?: readonly string[];
}
interface Entry {
  readonly name: string;
  readonly toolMetadata: { readonly lifecycle: { readonly version: string } };
  readonly versions?: readonly { readonly version: string; readonly inputSchema: object }[];
}
interface Listed {
  readonly name: string;
  readonly inputSchema: object;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

eachServer((server) => {
  const { ask, approve } = guardsWorld(server);
  let scripted: ScriptedGateway;
  const tokens = { author: '', reviewer: '' };
  const name = fresh('readFile');
  const old = fresh('old');
  const taking = (...names: string[]) => ({
    type: 'object',
    properties: Object.fromEntries(names.map((each) => [each, { type: 'string' }])),
    required: names,
  });
  const listedAs = (inputSchema: object, more: object = {}) => [
    { name, description: 'Reads a file.', inputSchema, ...more },
  ];
  const gatewayId = v7();
  const at = `/gateways/${gatewayId}`;
  let toolId = '';

  const exported = async () => {
    const { text } = await server().api('GET', `${at}/config`);
    const { 'mcp-router.tools': entries } = load(text) as { readonly 'mcp-router.tools': readonly Entry[] };
    const { tools } = await ask<{ tools: readonly Listed[] }>('GET', `${at}/tools-list`);
    return { entries, tools };
  };
  const drift = async () => {
    const { items } = await ask<{ items: readonly Item[] }>('GET', `${at}/drift`);
    return items.map(({ finding, grade, version, skills }) => [finding, grade, version, skills]);
  };
  const linked = async (skill: string) => {
    const { id } = await ask<{ id: string }>('POST', '/skills', { name: skill, contentMarkdown: 'Read.' });
    await ask('PUT', `/skills/${id}/tools/${toolId}`, { accessLevel: 'execute' });
    return id;
  };
  const ailing = async () => {
    await ask('POST', `${at}/drift/check`);
    const { items } = await ask<{ items: { name: string }[] }>('GET', '/diagnostics/skills?limit=100');
    return items.map((skill) => skill.name).filter((each) => [old, `${old}-next`].includes(each));
  };

  beforeAll(async () => {
    scripted = await ScriptedGateway.start();
    const scope = 'catalog:read catalog:write catalog:approve catalog:all-services';
    tokens.author = await server().token({ sub: 'ada', scope });
    tokens.reviewer = await server().token({ sub: 'grace', scope });
    const tool = {
      name,
      implementationType: 'python',
      description: 'Reads a file.',
      inputSchema: taking('path'),
    };
    toolId = (await ask<{ id: string }>('POST', '/tools', tool, tokens.author)).id;
    await ask('PUT', at, { serviceId: fresh('gateway'), envTag: 'dev', url: scripted.url });
    await ask('PUT', `${at}/exposures`, { tools: [{ toolId }] });
    await linked(old);
  });
  afterAll(() => scripted.stop());

  it('are exported once they are approved, the newest and those that links keep to', async () => {
    const draft = { version: '2.0.0', description: 'Reads a file.', inputSchema: taking('path', 'from') };
    await ask('POST', `/tools/${toolId}/versions`, draft, tokens.author);
    await ask('POST', `/tools/${toolId}/versions/2.0.0/submit`, {}, tokens.author);
    const before = await exported();
    expect(JSON.stringify(before)).not.toMatch(/2\.0\.0|from/);
    expect(before.entries).toMatchObject([{ name, toolMetadata: { lifecycle: { version: '1.0.0' } } }]);
    const override = { override: { reason: 'Looked at by hand.' } };
    await approve(`/tools/${toolId}/versions/2.0.0/approve`, override, tokens.reviewer);
    await linked(`${old}-next`);

    const { entries, tools } = await exported();
    expect(entries).toMatchObject([
      {
        toolMetadata: { lifecycle: { version: '2.0.0' } },
        inputSchema: taking('path', 'from'),
        versions: [{ version: '1.0.0', inputSchema: taking('path') }],
      },
    ]);
    expect(tools).toMatchObject([
      {
        inputSchema: taking('path', 'from'),
        _meta: { 'portal-catalog/versions': [{ version: '1.0.0', inputSchema: taking('path') }] },
      },
    ]);
  });

  it('are in sync where the gateway lists what it is told to', async () => {
    const { tools } = await exported();
    scripted.tools = [...tools];
    expect(await drift()).toEqual([['in_sync', undefined, undefined, undefined]]);
    expect(await ailing()).toEqual([]);
  });

  it('are missed where it lists the newest alone, with the skills that keep to the other', async () => {
    scripted.tools = listedAs(taking('path', 'from'));
    expect(await drift()).toEqual([['version_not_served', 'breaking', '1.0.0', [old]]]);
    expect(await ailing()).toEqual([old]);
  });

  it('are missed where it still lists the old one', async () => {
    scripted.tools = listedAs(taking('path'));
    expect(await drift()).toEqual([['schema_changed', 'breaking', '2.0.0', undefined]]);
    expect(await ailing()).toEqual([`${old}-next`]);
  });
});
