import { makeAccountAgent, type AccountAgent } from './account-agent.js';
import { newHome, ServiceProcess, type Home } from './service-process.js';

/** Contract 3: what one instance wrote, every other serves within this time (milliseconds). */
const freshness = 100;

const onServer = process.env['TEST_DATABASE_URL'] !== undefined;
if (!onServer) process.stdout.write('Two instances need a PostgreSQL: TEST_DATABASE_URL is not set.\n');

(onServer ? describe : describe.skip)('two instances on PostgreSQL (needs TEST_DATABASE_URL)', () => {
  let home: Home;
  let one: ServiceProcess;
  let other: ServiceProcess;
  const running: ServiceProcess[] = [];
  let token: string;
  let agent: AccountAgent;

  beforeAll(async () => {
    home = await newHome('server');
    // At once: their migrations race.
    [one, other] = await Promise.all([ServiceProcess.start(home), ServiceProcess.start(home)]);
    running.push(one, other);
    token = await one.token();
    agent = await makeAccountAgent(one, token);
  }, 120_000);
  afterAll(async () => {
    for (const instance of running) await instance.stop('SIGTERM');
    await home.raze();
  }, 60_000);

  it('see each other’s writes in the catalog within the time promised, reading from memory in between', async () => {
    let stop = false;
    const readers = Array.from({ length: 4 }, async () => {
      while (!stop) await other.send('GET', agent.catalog, token);
    });
    for (let turn = 0; turn < 20; turn += 1) {
      const description = `description ${String(turn)}`;
      await one.send('PATCH', `/skills/${agent.skillId}`, token, { body: { description } });
      await new Promise((resolve) => setTimeout(resolve, freshness));
      const { text } = await other.send('GET', agent.catalog, token);
      expect(text).toContain(description);
    }
    stop = true;
    await Promise.all(readers);
  }, 60_000);

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
