import { v7 } from 'uuid';
import { ScriptedGateway, sendJson } from './gateway-servers.js';
import { eachServer, type Server } from './server.js';

interface Item {
  readonly toolName: string;
  readonly finding: string;
  readonly dismissed?: { readonly reason: string };
}
interface Answer {
  readonly code: string;
  readonly changed: boolean;
  readonly items: readonly Item[];
  readonly findings: readonly Item[];
  readonly errors: readonly { readonly pointer: string }[];
}
interface Home {
  readonly waiting: {
    readonly gateways: { readonly items: readonly { readonly gatewayId: string }[] };
  };
}
interface History {
  readonly items: readonly { readonly kind: string }[];
}

let count = 0;
const fresh = (word: string): string => `${word}_${String((count += 1))}`;
const tool = (name: string, more: object = {}) => ({
  ...{ name, description: `Does ${name}.`, inputSchema: { type: 'object' }, ...more },
});

/** A gateway that is registered, and what an operator does about it. */
async function registered(server: Server, url: string) {
  const id = v7();
  const path = `/gateways/${id}`;
  const api = async <Body>(method: string, below: string, body?: object) =>
    server.api<Body>(method, `${path}${below}`, { body });
  const made = await api('PUT', '', { serviceId: fresh('gateway'), envTag: 'dev', url });
  expect([made.status, made.text]).toEqual([201, expect.any(String)]);
  const items = async () => (await api<Answer>('GET', '/drift')).body.items;
  return {
    id,
    settle: (how: string, findings: readonly Item[], reason?: string) =>
      api<Answer>('POST', `/drift/${how}`, { findings, reason }),
    check: async () => (await api<Answer>('POST', '/drift/check')).body,
    found: async () => (await items()).map(({ toolName, finding }) => `${toolName} ${finding}`),
    reasons: async () => (await items()).map(({ dismissed }) => dismissed?.reason),
    history: async () => (await api<History>('GET', '/drift/history')).body.items.map(({ kind }) => kind),
    atHome: async () => {
      const { body } = await server.api<Home>('GET', '/diagnostics/overview');
      return body.waiting.gateways.items.filter(({ gatewayId }) => gatewayId === id);
    },
  };
}

eachServer((server) => {
  let scripted: ScriptedGateway;
  beforeAll(async () => {
    scripted = await ScriptedGateway.start();
  });
  beforeEach(() => {
    scripted.answering = undefined;
  });
  afterAll(() => scripted.stop());

  it('leaves a finding that somebody has dismissed until it says something else', async () => {
    const [kept, next] = [fresh('tool'), fresh('tool')];
    const isNew = (toolName: string) => ({ toolName, finding: 'not_in_catalog' });
    const reworded = { toolName: kept, finding: 'description_changed' };
    const lists = (description: string) => {
      scripted.tools = [tool(kept, { description }), tool(next)];
    };
    scripted.tools = [tool(kept)];
    const gateway = await registered(server(), scripted.url);
    const { settle, check, reasons, atHome } = gateway;
    await settle('accept', [isNew(kept)]);
    lists('Worded otherwise.');
    await check();
    expect(await atHome()).toMatchObject([{ toolNames: [kept, next] }]);

    const reason = 'Its own clients read that.';
    const done = await settle('dismiss', [reworded], reason);
    expect([done.status, done.body]).toMatchObject([200, { id: gateway.id, changed: true }]);
    expect(done.body.findings).toMatchObject([
      {
        ...reworded,
        dismissed: {
          ...{ reason, by: 'operator', at: expect.stringMatching(/Z$/) },
          digest: expect.stringMatching(/^[\da-f]{64}$/),
        },
      },
      isNew(next),
    ]);
    expect(await reasons()).toEqual([reason, undefined]);
    expect(await atHome()).toMatchObject([{ toolNames: [next] }]);
    expect(await check()).toMatchObject({ changed: false });
    // A gateway that is down for a while takes nothing back.
    scripted.answering = (_, response) => response.writeHead(503).end();
    await check();
    scripted.answering = undefined;
    await check();
    expect(await reasons()).toEqual([reason, undefined]);
    // It is news again where it says something else, and where it was gone in between.
    lists('Worded in a third way.');
    expect(await reasons()).toEqual([undefined, undefined]);
    scripted.tools = [tool(kept), tool(next)];
    await check();
    lists('Worded otherwise.');
    await check();
    expect(await atHome()).toMatchObject([{ toolNames: [kept, next] }]);

    await settle('dismiss', [reworded, isNew(next)], reason);
    expect(await atHome()).toEqual([]);
    const reopened = await settle('reopen', [reworded]);
    expect(reopened.body.findings.map(({ dismissed }) => dismissed?.reason)).toEqual([undefined, reason]);
    expect(await atHome()).toMatchObject([{ toolNames: [kept] }]);
    await settle('accept', [reworded, isNew(next)]);
    expect(await gateway.found()).toEqual([`${kept} in_sync`, `${next} in_sync`]);
    expect(await gateway.history()).toEqual([
      ...['accepted', 'recorded', 'recorded', 'dismissed', 'recorded', 'recorded', 'recorded'],
      ...['recorded', 'recorded', 'dismissed', 'recorded', 'reopened', 'recorded', 'accepted', 'recorded'],
    ]);
  });

  it('keeps a finding dismissed while another one of the tool is accepted', async () => {
    const toolName = fresh('tool');
    scripted.tools = [tool(toolName)];
    const { settle, check, found, reasons, atHome } = await registered(server(), scripted.url);
    await settle('accept', [{ toolName, finding: 'not_in_catalog' }]);
    const inputSchema = { type: 'object', properties: { more: { type: 'string' } } };
    scripted.tools = [tool(toolName, { inputSchema, description: 'Worded otherwise.' })];
    await settle('dismiss', [{ toolName, finding: 'schema_changed' }], 'Known.');
    await settle('accept', [{ toolName, finding: 'description_changed' }]);
    expect(await found()).toEqual([`${toolName} schema_changed`]);
    await check();
    expect([await reasons(), await atHome()]).toEqual([['Known.'], []]);
  });

  it('takes a tool for another one where the gateway lists it otherwise, and writes nothing twice', async () => {
    const toolName = fresh('tool');
    scripted.tools = [tool(toolName)];
    const { settle, reasons, history } = await registered(server(), scripted.url);
    const isNew = [{ toolName, finding: 'not_in_catalog' }];
    expect((await settle('reopen', isNew)).body).toMatchObject({ changed: true });
    expect(await history()).toEqual(['recorded']);
    await settle('dismiss', isNew, 'Known.');
    expect((await settle('dismiss', isNew, 'Known.')).body).toMatchObject({ changed: false });
    scripted.tools = [tool(toolName, { description: 'Deletes all that there is.' })];
    expect(await reasons()).toEqual([undefined]);
  });

  it.each(['check', 'dismiss'])('takes no mark by a %s whose answer is older than it', async (late) => {
    const [one, two] = [fresh('tool'), fresh('tool')];
    const isNew = (toolName: string) => ({ toolName, finding: 'not_in_catalog' });
    scripted.tools = [tool(one)];
    const { settle, check, reasons } = await registered(server(), scripted.url);
    await check();
    const asked = new Promise<() => void>((resolve) => {
      scripted.answering = ({ id }, response) => {
        const result = { tools: scripted.tools };
        resolve(() => {
          sendJson(response, { jsonrpc: '2.0', id, result });
        });
      };
    });
    const older = late === 'check' ? check() : settle('dismiss', [isNew(one)], 'Late.');
    const answer = await asked;
    scripted.answering = undefined;
    scripted.tools = [tool(one), tool(two)];
    await settle('dismiss', [isNew(two)], 'Known.');
    answer();
    await older;
    expect(await reasons()).toEqual([undefined, 'Known.']);
  });

  it('dismisses only what is found, with a reason that gives nothing away', async () => {
    const toolName = fresh('tool');
    scripted.tools = [tool(toolName)];
    const { settle, history } = await registered(server(), scripted.url);
    const found = { toolName, finding: 'not_in_catalog' };
    const refused = async (item: Item & { readonly version?: string }, reason: string) => {
      const { status, body } = await settle('dismiss', [item], reason);
      return [status, body.code, body.errors[0]?.pointer];
    };
    const gone = [409, 'finding_not_current', '/findings/0'];
    expect(await refused({ ...found, toolName: 'other' }, 'Known.')).toEqual(gone);
    expect(await refused({ ...found, version: '2.0.0' }, 'Known.')).toEqual(gone);
    expect((await refused({ ...found, finding: 'in_sync' }, 'Known.'))[0]).toBe(400);
    expect((await refused(found, ' \n'))[0]).toBe(400);
    const secret = `The key is ${['AKIA', 'Z7Q2XKJ4PLMN3RTS'].join('')}.`;
    expect((await refused(found, secret))[1]).toBe('secret_in_body');
    expect(await history()).toEqual([]);
  });
});
