import { AgentClient } from './agent-client.js';
import {
  aCatalog,
  anAgent,
  aSkill,
  aTool,
  listedAs,
  ScriptedCatalog,
  SdkGateway,
} from '../../test/agent-world.js';

const read = aTool('readAccount', { description: 'Shows one account with its balance.' });
const inputSchema = { type: 'object' as const };
type Listing = NonNullable<SdkGateway['listing']>;
let pages = 0;

describe('a gateway that does harm by its list', () => {
  it.each<[string, RegExp, Listing]>([
    [
      'lists 10,000 tools',
      /more than 5000 tools/,
      () => ({ tools: Array.from({ length: 10_000 }, (_, n) => ({ name: `t${n}`, inputSchema })) }),
    ],
    ['gives one cursor for ever', /never come to an end/, () => ({ tools: [], nextCursor: 'again' })],
    [
      'gives cursors for ever',
      /never come to an end/,
      () => ({ tools: [], nextCursor: String((pages += 1)) }),
    ],
    [
      'sends more than anybody reads',
      /larger than 16777216 bytes/,
      () => ({ tools: [{ ...listedAs(read), description: ' '.repeat(17_000_000) }] }),
    ],
    ['hangs', /can't be listed/, () => new Promise(() => undefined)],
  ])('is done without where it %s, and asked again', async (what, reason, listing) => {
    const listTimeoutMs = what === 'hangs' ? 2_000 : 60_000;
    const gateway = new SdkGateway([listedAs(read)]);
    const catalog = new ScriptedCatalog(aCatalog([aSkill('Accounts', [read])]));
    const { agent } = anAgent(catalog, gateway, {
      gateway: { url: 'http://gateway.test/mcp', listTimeoutMs },
    });
    gateway.listing = listing;
    const { tools, notice, state } = await agent.prepare('what is the balance?');
    expect([tools, state]).toMatchObject([[], { gateway: 'unavailable', catalog: 'fresh' }]);
    expect(notice).toMatch(reason);
    gateway.listing = undefined;
    expect((await agent.prepare('what is the balance?')).tools).toMatchObject([{ name: 'readAccount' }]);
    await agent.close();
  });
});

it('a call that takes too long is an answer that the model can read', async () => {
  const gateway = new SdkGateway([listedAs(read)]);
  const catalog = new ScriptedCatalog(aCatalog([aSkill('Accounts', [read])]));
  const { agent } = anAgent(catalog, gateway, {
    gateway: { url: 'http://gateway.test/mcp', callTimeoutMs: 100 },
  });
  const turn = await agent.prepare('what is the balance?');
  gateway.calling = () => new Promise(() => undefined);
  expect(await turn.call('readAccount')).toMatchObject({
    isError: true,
    text: expect.stringContaining('did not carry out readAccount'),
  });
  await agent.close();
});

it('a gateway that nobody serves is named with what its connection met', async () => {
  const catalog = new ScriptedCatalog(aCatalog([aSkill('Accounts', [read])]));
  const { agent } = anAgent(catalog, new SdkGateway([listedAs(read)]), {
    fetch: async (input, init) => {
      if (!String(input instanceof Request ? input.url : input).startsWith('http://gateway.test'))
        return catalog.fetch(input, init);
      throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:4000') });
    },
  });
  expect((await agent.prepare('what is the balance?')).notice).toContain('ECONNREFUSED 127.0.0.1:4000');
  await agent.close();
});

it.each([
  ['catalog.url', undefined, 'http://gateway.test/mcp'],
  ['gateway.url', 'http://catalog.test', 'gateway.test/mcp'],
])('an address that is none is refused with its option, %s', (option, catalog, gateway) => {
  const made = () =>
    new AgentClient({ catalog: { url: catalog as string, token: 'a' }, gateway: { url: gateway } });
  expect(made).toThrow(option);
});
