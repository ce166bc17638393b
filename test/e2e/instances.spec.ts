import { freshServerDatabase } from '../integration/databases.js';
import { proveUnderLoad, type Send } from '../system/database-load.js';
import { describeUnless, noServer } from '../unless.js';
import { until } from '../until.js';
import { OwnServer } from './own-server.js';
import { Relay } from './relay.js';

/** In one process; those of processes of their own: `npm run soak processes`. */
describeUnless(noServer, 'two instances on PostgreSQL, in one process', () => {
  let one: OwnServer;
  let other: OwnServer;
  let skillId: string;
  beforeAll(async () => {
    one = await OwnServer.start('server');
    other = await one.another();
    const body = { name: 'shared', contentMarkdown: 'x' };
    skillId = (await one.api<{ id: string }>('POST', '/skills', { body })).body.id;
  });
  afterAll(() => one.stop());

  it('find what the other one has written', async () => {
    const body = { prompt: 'written for a walrus', kinds: ['skill'] };
    const found = async () => (await other.api('POST', '/search', { body })).text;
    expect(await found()).not.toContain(skillId);
    const description = 'Written for a walrus.';
    await one.api('PATCH', `/skills/${skillId}`, { body: { description } });
    expect((await other.api('GET', `/skills/${skillId}`)).body).toMatchObject({ description });
    await until(found, (text) => text.includes(skillId));
  });

  it('replay an idempotent write that the other one did', async () => {
    const call = { body: { name: 'once', contentMarkdown: 'x' }, headers: { 'idempotency-key': 'once' } };
    const first = await one.api('POST', '/skills', call);
    const second = await other.api('POST', '/skills', call);
    expect([second.status, second.text]).toEqual([201, first.text]);
  });

  it('let one of racing writes with one If-Match win, whichever instance they reach', async () => {
    const { headers } = await one.api('GET', `/skills/${skillId}`);
    const ifMatch = { 'if-match': headers.get('etag') ?? '' };
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, turn) =>
        (turn % 2 === 0 ? one : other).api('PATCH', `/skills/${skillId}`, {
          body: { description: `race ${String(turn)}` },
          headers: ifMatch,
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(412)]);
  });
});

/** Of each way to lose them, and of hundreds: `npm run soak processes`. */
describeUnless(noServer, 'connections to PostgreSQL that are lost', () => {
  it('are made anew, and cost nothing that was acknowledged', async () => {
    const database = await freshServerDatabase();
    const near = new URL(database.url);
    const relay = await Relay.before(`http://${near.host}`);
    near.host = new URL(relay.url).host;
    const environment = { DATABASE_URL: near.href, AUTH_DEV_ISSUER: 'on', LOG_LEVEL: 'fatal' };
    const server = await OwnServer.start('embedded', environment);
    const send: Send = (method, path, more) => server.api(method, path, more);
    try {
      await proveUnderLoad(send, async (load) => {
        do {
          await load.acknowledges(5);
          relay.reset();
        } while (load.refusals.length === 0);
      });
    } finally {
      await server.stop();
      await relay.stop();
      await database.drop();
    }
  });
});
