import {
  aCatalog,
  anAgent,
  aSkill,
  aTool,
  identity,
  listedAs,
  schema,
  ScriptedCatalog,
  SdkGateway,
  tokenOf,
} from '../../test/agent-world.js';
import type { AgentClientOptions } from './agent-options.js';
import { anthropicTools, mcpTools, openAiTools } from './adapters.js';

const read = aTool('readAccount', {
  description: 'Shows one account with its balance.',
  inputSchema: schema({ accountId: { type: 'string' } }, ['accountId']),
  routing: { contextRequirements: { requiredInputs: ['accountId'], requiredContext: [] } },
});
const close = aTool('closeAccount', { description: 'Closes an account for good.' });
const weather = aTool('forecast', { description: 'Tells the weather of tomorrow.' });
const household = aSkill('Household accounts', [read, close]);
const outdoors = aSkill('Outdoors', [weather]);

function world(tools = [read, close, weather]) {
  const catalog = new ScriptedCatalog(aCatalog([household, outdoors]));
  const gateway = new SdkGateway(tools.map(listedAs));
  return { catalog, gateway, ...anAgent(catalog, gateway) };
}

const names = (tools: readonly { readonly name: string }[]): string[] => tools.map(({ name }) => name);

describe('a prompt', () => {
  it('is given the tools that match, with the catalog’s words and the gateway’s schema', async () => {
    const { agent, gateway } = world();
    const wider = { ...listedAs(read), inputSchema: schema({ accountId: {} }, ['accountId']) };
    gateway.tools = [wider, listedAs(weather)];
    await agent.start();
    const turn = await agent.prepare('what is the balance of my account?');
    expect(names(turn.tools)).toEqual(['readAccount']);
    expect(turn.tools[0]).toMatchObject({
      description: read.description,
      inputSchema: wider.inputSchema,
      schemaDiffers: 'compatible',
      source: 'catalog',
    });
    expect(turn.skills).toEqual(['Household accounts']);
    expect(turn.instructions).toContain(household.contentMarkdown);
    expect(turn.askFirst).toEqual([{ toolName: 'readAccount', inputs: ['accountId'] }]);
    expect(turn.instructions).toContain('readAccount: accountId');
    expect(turn.state).toMatchObject({ catalog: 'fresh', gateway: 'available' });
    await agent.close();
  });

  it('is given a tool that an example prompt alone speaks of, where the catalog tells them', async () => {
    const { agent, catalog } = world();
    const taught = { ...weather, examplePrompts: ['shall I take an umbrella?'] };
    // Of the same hash as without them.
    catalog.change({ ...catalog.document, skills: [household, { ...outdoors, tools: [taught] }] });
    const { tools, state } = await agent.prepare('is an umbrella needed?');
    expect(names(tools)).toEqual(['forecast']);
    expect(state).not.toHaveProperty('fallback');
    await agent.close();
  });

  it('is not told to ask for what is at hand', async () => {
    const { agent } = world();
    const turn = await agent.prepare('balance of my account', { context: ['accountId'] });
    expect(turn.askFirst).toEqual([]);
    await agent.close();
  });

  it('has its calls carried out by the gateway, and only those of its tools', async () => {
    const { agent, gateway } = world();
    const turn = await agent.prepare('balance of my account');
    expect(await turn.call('readAccount', { accountId: '1' })).toMatchObject({
      isError: false,
      text: 'readAccount was called',
    });
    expect(await turn.call('forecast')).toMatchObject({ isError: true });
    expect(gateway.calls).toEqual([{ name: 'readAccount', args: { accountId: '1' } }]);
    await agent.close();
  });

  it('calls an older version by name where the gateway serves it beside the one that it lists', async () => {
    const { catalog, gateway } = world();
    const [given] = catalog.document.skills.flatMap(({ tools }) => tools);
    const newer = schema({ iban: { type: 'string' } }, ['iban']);
    const versions = [{ version: '1.0.0', inputSchema: given?.inputSchema }];
    gateway.tools = gateway.tools.map((tool) => ({ ...tool, inputSchema: newer }));
    const { agent } = anAgent(catalog, gateway);
    expect((await agent.prepare('balance of my account')).tools).toEqual([]);
    await agent.close();
    gateway.tools = gateway.tools.map((tool) => ({
      ...tool,
      _meta: { 'portal-catalog/versions': versions },
    }));
    const { agent: other } = anAgent(catalog, gateway);
    const turn = await other.prepare('balance of my account');
    expect(turn.tools).toMatchObject([{ name: 'readAccount', inputSchema: given?.inputSchema }]);
    await turn.call('readAccount', { accountId: '1' });
    expect(gateway.calls).toEqual([{ name: 'readAccount', args: { accountId: '1' }, version: '1.0.0' }]);
    await other.close();
  });

  it('says that a version is deprecated, and what to take instead', async () => {
    const { catalog, gateway } = world();
    const deprecation = { on: '2027-01-01', message: 'Take 2.0.0.' };
    const skills = catalog.document.skills.map((skill) => ({
      ...skill,
      tools: skill.tools.map((tool) => ({ ...tool, ...(tool.name === 'readAccount' && { deprecation }) })),
    }));
    catalog.change(aCatalog(skills));
    const { agent } = anAgent(catalog, gateway);
    const turn = await agent.prepare('balance of my account');
    expect(turn.tools.find(({ name }) => name === 'readAccount')).toMatchObject({ deprecation });
    await agent.close();
  });

  it('adds what the service’s own search finds', async () => {
    const { catalog, gateway } = world();
    catalog.scores = { forecast: 0.9 };
    const { agent } = anAgent(catalog, gateway, { selection: { semantic: true } });
    await agent.start();
    expect(names((await agent.prepare('shall I take an umbrella?')).tools)).toEqual(['forecast']);
    await agent.close();
  });
});

describe('the service’s own search', () => {
  const asking = (options: Partial<AgentClientOptions> = {}) => {
    const { catalog, gateway } = world();
    catalog.scores = { forecast: 0.9 };
    const given = anAgent(catalog, gateway, { selection: { semantic: true }, ...options });
    return { catalog, gateway, ...given };
  };
  const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

  it('is asked with the first prompt, too, of an agent that loads nothing before', async () => {
    const { agent } = asking({ load: 'first-request' });
    const { tools, state } = await agent.prepare('shall I take an umbrella?');
    expect(names(tools)).toEqual(['forecast']);
    expect(state.degraded).toBeUndefined();
    await agent.close();
  });

  it.each<[string, (request: Request) => Response | Promise<Response>]>([
    ['does not answer', () => never()],
    ['fails', () => new Response('', { status: 503 })],
    ['answers what is none', () => Response.json({ items: 'many' })],
  ])('leaves words alone to rank where it %s, and that is told', async (_, search) => {
    const { agent, catalog } = asking();
    await agent.start();
    catalog.answer = (request) => (request.url.endsWith('/search') ? search(request) : never());
    const { tools, state } = await agent.prepare('what is the balance?');
    expect(names(tools)).toEqual(['readAccount']);
    expect(state).toMatchObject({ catalog: 'fresh', degraded: ['semantic'] });
    await agent.close();
  });

  it('has no more time where the token is late', async () => {
    let isLate = false;
    const token = () => (isLate ? never<string>() : tokenOf({}));
    const { agent } = asking({ catalog: { url: 'http://catalog.test', token, ...identity } });
    await agent.start();
    isLate = true;
    const { tools, state } = await agent.prepare('what is the balance?');
    expect(names(tools)).toEqual(['readAccount']);
    expect(state).toMatchObject({ catalog: 'fresh', degraded: ['semantic'] });
    await agent.close();
  });

  it('is not missed where no agent is named', async () => {
    const { agent, catalog } = asking({ catalog: { url: 'http://catalog.test', token: tokenOf({}) } });
    expect((await agent.prepare('umbrella')).state).toMatchObject({ catalog: 'no_agent' });
    expect((await agent.prepare('umbrella')).state.degraded).toBeUndefined();
    expect(catalog.requests).toEqual([]);
    await agent.close();
  });
});

describe('a token that never comes', () => {
  const never = (): Promise<string> => new Promise<string>(() => undefined);

  it('holds up no prompt, whether it is for the catalog or for the gateway', async () => {
    const { catalog, gateway } = world();
    const late = { url: 'http://catalog.test', token: never, timeoutMs: 50, ...identity };
    const { agent } = anAgent(catalog, gateway, { catalog: late, follow: true });
    expect((await agent.prepare('what is the balance?')).state).toMatchObject({ catalog: 'no_token' });
    await agent.close();
    const silent = { url: 'http://gateway.test/mcp', token: never, listTimeoutMs: 50 };
    const { agent: other } = anAgent(catalog, gateway, { gateway: silent });
    expect((await other.prepare('balance')).state).toMatchObject({
      catalog: 'fresh',
      gateway: 'unavailable',
    });
    await other.close();
  });
});

describe('a fallback', () => {
  const all = ['readAccount', 'closeAccount', 'forecast', 'extra'];
  const given = async (options: Partial<AgentClientOptions>, isDown = false) => {
    const { catalog, gateway } = world([read, close, weather, aTool('extra')]);
    if (isDown) catalog.down();
    const { agent } = anAgent(catalog, gateway, options);
    const { tools, state, notice } = await agent.prepare('nothing of the kind');
    await agent.close();
    return { names: names(tools), fallback: state.fallback, catalog: state.catalog, notice };
  };
  const { hostId, serviceId, envTag } = identity;
  const agentless = {
    url: 'http://catalog.test',
    token: tokenOf({ host: hostId, sid: serviceId, env: envTag }),
  };

  it('where nothing matches: all tools of the catalog, of the gateway, or none', async () => {
    expect(await given({})).toMatchObject({ names: all.slice(0, 3), fallback: 'no_match' });
    expect(await given({ fallback: { noMatch: 'gateway-tools' } })).toMatchObject({
      ...{
        names: all,
        notice:
          'This agent is offered tools of the gateway that no catalog chose (1): nothing in the catalog matches the prompt.',
      },
    });
    expect((await given({ fallback: { noMatch: 'none' } })).names).toEqual([]);
  });

  it('where there is no catalog: none, or all tools of the gateway, which is said', async () => {
    expect(await given({}, true)).toMatchObject({
      ...{ names: [], fallback: 'no_catalog', catalog: 'none' },
      notice: 'This agent is offered no tools: its catalog is not known at the moment.',
    });
    expect(await given({ fallback: { noCatalog: 'gateway-tools' } }, true)).toMatchObject({
      ...{ names: all, fallback: 'no_catalog' },
      notice:
        'This agent is offered tools of the gateway that no catalog chose (4): its catalog is not known at the moment.',
    });
  });

  it('where no agent is named: none, or all tools of the gateway, which is said', async () => {
    for (const catalog of [agentless, { ...agentless, agentDefId: ' ' }])
      expect(await given({ catalog })).toMatchObject({
        ...{ names: [], fallback: 'no_agent' },
        notice: 'This agent is offered no tools: neither its token nor its configuration names an agent.',
      });
    expect(await given({ catalog: agentless, fallback: { noAgent: 'gateway-tools' } })).toMatchObject({
      ...{ names: all, fallback: 'no_agent' },
      notice:
        'This agent is offered tools of the gateway that no catalog chose (4): neither its token nor its configuration names an agent.',
    });
  });

  it('is not taken where the service refuses, or the token is for somebody else', async () => {
    const token = tokenOf({
      host: 'another',
      agent_def_id: identity.agentDefId,
      sid: serviceId,
      env: envTag,
    });
    const other = { url: 'http://catalog.test', token, hostId };
    expect(await given({ catalog: other })).toMatchObject({ names: [], catalog: 'refused' });
  });

  it('needs no configuration where the token says who this is', async () => {
    const token = tokenOf({ host: hostId, agent_def_id: identity.agentDefId, sid: serviceId, env: envTag });
    expect(await given({ catalog: { url: 'http://catalog.test/', token } })).toMatchObject({
      catalog: 'fresh',
    });
  });
});

describe('adapters', () => {
  it('give the tools as each interface takes them', async () => {
    const { catalog, gateway } = world([]);
    gateway.tools = [{ name: 'odd.name', description: 'Odd.', inputSchema: schema() }];
    const { agent } = anAgent(catalog, gateway, { fallback: { noMatch: 'gateway-tools' } });
    const turn = await agent.prepare('nothing of the kind');
    const [tool] = turn.tools;
    expect(tool?.modelName).toMatch(/^odd_name_[0-9a-f]{8}$/);
    const { modelName: name, description, inputSchema } = tool ?? {};
    expect(openAiTools(turn.tools)).toEqual([
      { type: 'function', function: { name, description, parameters: inputSchema } },
    ]);
    const bare = turn.tools.map((each) => ({ ...each, inputSchema: { type: 'object' } }));
    expect(openAiTools(bare)[0]?.function.parameters).toEqual({ type: 'object', properties: {} });
    expect(anthropicTools(turn.tools)).toEqual([{ name, description, input_schema: inputSchema }]);
    expect(mcpTools(turn.tools)).toEqual([{ name: 'odd.name', description, inputSchema }]);
    expect(await turn.call(String(name))).toMatchObject({ isError: false });
    expect(gateway.calls).toMatchObject([{ name: 'odd.name' }]);
    await agent.close();
  });
});
