import { until } from '../../test/until.js';
import { makeAccountAgent } from '../../test/e2e/account-agent.js';
import { newHome, type Home } from '../../test/e2e/home.js';
import { kinds, nameOf } from '../../test/e2e/kinds.js';
import { runToEnd, ServiceProcess } from '../../test/system/service-process.js';

/** Writers that are busy when the process is killed, and how many of their writes it has acknowledged until then. */
const writers = 8;
const acknowledgedBefore = 100;

describe.each(kinds.map((kind) => [nameOf(kind), kind] as const))(
  'a process that is killed %s',
  (_, kind) => {
    let home: Home;
    beforeAll(async () => {
      home = await newHome(kind);
    });
    afterAll(async () => {
      await home.raze();
    });

    it('has lost no acknowledged write, doubled none, and serves the same bytes after a rebuild', async () => {
      const first = await ServiceProcess.start(home);
      const token = await first.token();
      const { catalog } = await makeAccountAgent(first, token);
      const before = await first.send('GET', catalog, token);

      const acknowledged: string[] = [];
      const tried: string[] = [];
      let goOn = true;
      const write = async (writer: number): Promise<void> => {
        for (let turn = 0; goOn; turn += 1) {
          const name = `skill-${String(writer)}-${String(turn)}`;
          tried.push(name);
          const body = { name, contentMarkdown: 'x' };
          const answer = await first
            .send('POST', '/skills', token, { body, headers: { 'idempotency-key': name } })
            .catch(() => undefined);
          if (answer === undefined) return;
          expect(answer.status).toBe(201);
          acknowledged.push(name);
        }
      };
      const work = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
      const enough = until(
        () => acknowledged.length,
        (count) => !goOn || count >= acknowledgedBefore,
      );
      try {
        await Promise.race([work, enough]);
        expect(await first.stop('SIGKILL')).toBeNull();
      } finally {
        goOn = false;
      }
      await work;
      expect(acknowledged.length).toBeGreaterThanOrEqual(acknowledgedBefore);

      const second = await ServiceProcess.start(home);
      // Who was not answered asks again under the same key: done once, whether it had happened or not.
      for (const name of tried) {
        const body = { name, contentMarkdown: 'x' };
        const answer = await second.send('POST', '/skills', token, {
          body,
          headers: { 'idempotency-key': name },
        });
        expect([name, answer.status]).toEqual([name, 201]);
      }
      const created = (await log(second, token)).filter(({ type }) => type === 'SkillCreatedEvent');
      expect(created.map(({ data }) => data.name).sort()).toEqual(['Accounts', ...tried].sort());
      const after = await second.send('GET', catalog, token);
      expect([after.text, after.headers.get('etag')]).toEqual([before.text, before.headers.get('etag')]);
      expect(await second.stop('SIGTERM')).toBe(0);

      expect(await runToEnd('cli.js', ['verify'], home)).toMatchObject({ code: 0 });
      expect(await runToEnd('cli.js', ['rebuild'], home)).toMatchObject({ code: 0 });
      const third = await ServiceProcess.start(home);
      expect((await third.send('GET', catalog, token)).text).toBe(before.text);
      await third.stop('SIGTERM');
    });
  },
);

interface Logged {
  readonly type: string;
  readonly position: number;
  readonly data: { readonly name?: string };
}

async function log(service: ServiceProcess, token: string): Promise<readonly Logged[]> {
  const events: Logged[] = [];
  for (;;) {
    const after = events.at(-1)?.position ?? 0;
    const { text } = await service.send('GET', `/events?after=${String(after)}&limit=500`, token);
    const { items } = JSON.parse(text) as { items: Logged[] };
    if (items.length === 0) return events;
    events.push(...items);
  }
}
