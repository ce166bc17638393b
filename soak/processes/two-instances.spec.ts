import { v7 } from 'uuid';
import { describeUnless, noServer } from '../../test/unless.js';
import { until } from '../../test/until.js';
import { makeAccountAgent, type AccountAgent } from '../../test/e2e/account-agent.js';
import { ScriptedGateway } from '../../test/e2e/gateway-servers.js';
import { newHome, type Home } from '../../test/e2e/home.js';
import { ServiceProcess } from '../../test/system/service-process.js';

describeUnless(noServer, 'two instances on PostgreSQL', () => {
  let home: Home;
  let one: ServiceProcess;
  let other: ServiceProcess;
  const running: ServiceProcess[] = [];
  let token: string;
  let agent: AccountAgent;

  beforeAll(async () => {
    home = await newHome('server');
    // At once: their migrations race.
    const start = () => ServiceProcess.start(home, { OUTBOUND_ALLOW: '127.0.0.1' });
    [one, other] = await Promise.all([start(), start()]);
    running.push(one, other);
    token = await one.token();
    agent = await makeAccountAgent(one, token);
  });
  afterAll(async () => {
    for (const instance of running) await instance.stop('SIGTERM');
    await home.raze();
  });

  it('see each other’s writes in the catalog, reading from memory in between', async () => {
    let stop = false;
    const readers = Array.from({ length: 4 }, async () => {
      while (!stop) await other.send('GET', agent.catalog, token);
    });
    for (let turn = 0; turn < 20; turn += 1) {
      const description = `description ${String(turn)}`;
      await one.send('PATCH', `/skills/${agent.skillId}`, token, { body: { description } });
      const served = async () => (await other.send('GET', agent.catalog, token)).text;
      await until(served, (text) => text.includes(description));
    }
    stop = true;
    await Promise.all(readers);
  });

  it('give the same version, hash and bytes', async () => {
    const [a, b] = await Promise.all(
      [one, other].map((instance) => instance.send('GET', agent.catalog, token)),
    );
    expect(a?.text).toBe(b?.text);
    expect(a?.headers.get('etag')).toBe(b?.headers.get('etag'));
  });

  it('replay an idempotent write that the other one did', async () => {
    const body = { name: 'written once', contentMarkdown: 'x' };
    const headers = { 'idempotency-key': 'once' };
    const first = await one.send('POST', '/skills', token, { body, headers });
    const second = await other.send('POST', '/skills', token, { body, headers });
    expect([second.status, second.text]).toEqual([201, first.text]);
  });

  it('share the checks of gateways: each is one instance’s, and both count what was found', async () => {
    const gateway = await ScriptedGateway.start();
    gateway.tools = [{ name: 'stray', description: 'In no catalog.', inputSchema: { type: 'object' } }];
    const admin = await one.token({ scope: 'catalog:admin catalog:all-services' });
    const ids = Array.from({ length: 12 }, () => v7());
    await Promise.all(
      ids.map(async (id, index) => {
        const serviceId = `gateway-${String(index)}`;
        const body = { serviceId, envTag: 'dev', url: gateway.url, checkIntervalSeconds: 86_400 };
        expect((await one.send('PUT', `/gateways/${id}`, admin, { body })).status).toBe(201);
      }),
    );
    for (const id of ids) {
      const history = async () => (await other.send('GET', `/gateways/${id}/drift/history`, admin)).text;
      await until(history, (text) => text.includes('not_in_catalog'));
    }
    const metrics = await Promise.all(
      [one, other].map(async ({ address }) => (await fetch(`${address}/metrics`)).text()),
    );
    const asked = metrics.map(
      (text) => /^catalog_gateway_check_seconds_count.* (\d+)$/m.exec(text)?.[1] ?? '0',
    );
    expect(Number(asked[0]) + Number(asked[1])).toBe(ids.length);
    for (const text of metrics) expect(text).toContain('catalog_gateways_drifting 12\n');
    await gateway.stop();
  });

  it('let one of fifty racing writes with one If-Match win, whichever instance they reach', async () => {
    const { headers } = await one.send('GET', `/skills/${agent.skillId}`, token);
    const ifMatch = { 'if-match': headers.get('etag') ?? '' };
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, turn) =>
        (turn % 2 === 0 ? one : other).send('PATCH', `/skills/${agent.skillId}`, token, {
          body: { description: `race ${String(turn)}` },
          headers: ifMatch,
        }),
      ),
    );
    const count = (status: number): number => answers.filter((answer) => answer.status === status).length;
    expect([count(200), count(412)]).toEqual([1, 49]);
  });
});
