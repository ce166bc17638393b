import {
  aCatalog,
  anAgent,
  aSkill,
  aTool,
  listedAs,
  schema,
  ScriptedCatalog,
  SdkGateway,
} from '../../test/agent-world.js';
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

  it('adds what the service’s own search finds', async () => {
    const { catalog, gateway } = world();
    catalog.scores = { forecast: 0.9 };
    const { agent } = anAgent(catalog, gateway, { selection: { semantic: true } });
    await agent.start();
    expect(names((await agent.prepare('shall I take an umbrella?')).tools)).toEqual(['forecast']);
    await agent.close();
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
    expect(anthropicTools(turn.tools)).toEqual([{ name, description, input_schema: inputSchema }]);
    expect(mcpTools(turn.tools)).toEqual([{ name: 'odd.name', description, inputSchema }]);
    expect(await turn.call(String(name))).toMatchObject({ isError: false });
    expect(gateway.calls).toMatchObject([{ name: 'odd.name' }]);
    await agent.close();
  });
});
