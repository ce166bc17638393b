import { DATABASE, type Database } from '../../src/kernel/sql.js';
import { describeUnless, noServer } from '../unless.js';
import { asRead } from './approving.js';
import { fresh, guardsWorld, override } from './guards-world.js';
import { OwnServer } from './own-server.js';
import { hostId } from './server.js';

/** Specs are read, judged and linted before the lock of the host is taken, so that other writes never wait for that. */
describeUnless(noServer, 'while another write holds the host', () => {
  let running: OwnServer;
  beforeAll(async () => {
    running = await OwnServer.start('server');
  });
  afterAll(() => running.stop());
  const { ask } = guardsWorld(() => running);
  const tokens = { author: '', reviewer: '' };
  beforeAll(async () => {
    const scope = 'catalog:read catalog:write catalog:all-services';
    tokens.author = await running.token({ sub: 'ada', scope });
    tokens.reviewer = await running.token({ sub: 'grace', scope: `${scope} catalog:approve` });
  });

  const held = <Result>(work: () => Promise<Result>): Promise<Result> =>
    running.app
      .get<Database>(DATABASE)
      .of(hostId)
      .transaction(async (tx) => {
        await tx.query('SELECT FROM host_head_t WHERE host_id = $1 FOR UPDATE', [hostId]);
        return work();
      });
  const spec = (name: string, version: string, description: string, parameters = '[]') =>
    `version: ${version}\nname: ${name}\ndescription: ${description}\nhost: shop\ninputSchema: { parameters: ${parameters} }\n`;
  const push = (specText: string) =>
    running.api<{ id: string; code?: string }>('POST', '/tools/specs', {
      ...{ token: tokens.author, body: { specText } },
    });
  const approved = async () => {
    const name = fresh('reads');
    const { id } = (await push(spec(name, '1.0.0', 'Reads a file.'))).body;
    const path = `/tools/${id}/versions/1.0.0`;
    await ask('POST', `${path}/submit`, {}, tokens.author);
    await ask('POST', `${path}/approve`, await asRead(running, `${path}/approve`, override), tokens.reviewer);
    return { id, name };
  };

  it('a spec is compared with the version before it', async () => {
    const { name } = await approved();
    const more = '[{ name: path, type: string, required: true }]';
    const { body } = await held(() => push(spec(name, '1.0.1', 'Reads a file.', more)));
    expect(body.code).toBe('version_too_small');
  });

  it('a version that is to be approved is linted', async () => {
    const { id, name } = await approved();
    await push(spec(name, '1.1.0', 'Reads a file.', '[{ name: path, type: string }]'));
    const path = `/tools/${id}/versions/1.1.0`;
    await ask('POST', `${path}/evaluate`, {}, tokens.author);
    await ask('POST', `${path}/submit`, {}, tokens.author);
    const asked = { token: tokens.reviewer, body: await asRead(running, `${path}/approve`) };
    const { body } = await held(() => running.api<{ code: string }>('POST', `${path}/approve`, asked));
    expect(body.code).toBe('lint_findings');
  });

  it('and one that waits meanwhile is decided by what there is then', async () => {
    const { id, name } = await approved();
    const pushes = await held(() => {
      const both = ['Reads one file.', 'Reads any file.'].map((said) => push(spec(name, '1.0.1', said)));
      return Promise.resolve(both);
    });
    const answers = await Promise.all(pushes);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const { content } = await ask<{ content: { description: string } }>('GET', `/tools/${id}/versions/1.0.1`);
    expect(content.description).toMatch(/^Reads (one|any) file\.$/);
  });
});
