import { mkdtempSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { until } from '../until.js';
import { fresh, guardsWorld, openapi } from './guards-world.js';
import { eachOwnServer } from './own-server.js';
import { hostId } from './server.js';
import { Receiver } from './webhook-receiver.js';

/** Reviewers are told when a version begins to wait for them: by the log, and by a webhook that wants to know. */

interface Notice {
  readonly type: string;
  readonly data: { readonly position: number };
}
interface Line {
  readonly level: number;
  readonly msg: string;
  readonly hostId: string;
  readonly count: number;
  readonly versions: readonly { readonly toolId: string; readonly version: string; readonly by: string }[];
}

const secrets = mkdtempSync(join(tmpdir(), 'portal-catalog-secrets-'));
const inputSchema = { type: 'object', properties: { path: { type: 'string' } } };

eachOwnServer(
  (server) => {
    const { ask, bring, toolOf } = guardsWorld(server);
    const receiver = new Receiver();
    let origin = '';
    let ada = '';
    beforeAll(async () => {
      origin = await receiver.start();
      await mkdir(join(secrets, hostId), { recursive: true });
      await writeFile(
        join(secrets, hostId, 'hook.json'),
        JSON.stringify({ value: 'v'.repeat(16), origins: [origin] }),
      );
      ada = await server().token({ sub: 'ada', scope: 'catalog:write catalog:all-services' });
    });
    afterAll(() => {
      receiver.stop();
    });

    const lines = (from = 0): Line[] =>
      server()
        .logged.slice(from)
        .map((line) => JSON.parse(line) as Line)
        .filter(({ msg }) => msg === 'review wanted');
    const linesOf = async (work: () => Promise<unknown>): Promise<Line[]> => {
      const from = server().logged.length;
      await work();
      return lines(from);
    };
    const made = async (): Promise<string> => {
      const body = {
        name: fresh('readFile'),
        implementationType: 'python',
        description: 'Reads.',
        inputSchema,
      };
      return (await ask<{ id: string }>('POST', '/tools', body, ada)).id;
    };
    const draft = async (toolId: string, version = '1.1.0') => {
      const body = { version, description: `Reads a file as ${version} does.`, inputSchema };
      await ask('POST', `/tools/${toolId}/versions`, body, ada);
      return `/tools/${toolId}/versions/${version}`;
    };
    const notices = (of: string): Notice[] =>
      receiver.received
        .map(({ body }) => JSON.parse(body) as Notice)
        .filter(({ type }) => of === '' || type === of);

    it('writes one line of the version that is submitted, and none of drafts and of what is approved as it comes', async () => {
      let toolId = '';
      let path = '';
      expect(await linesOf(async () => (toolId = await made()))).toEqual([]);
      expect(await linesOf(async () => (path = await draft(toolId)))).toEqual([]);
      const own = await linesOf(() => ask('POST', `${path}/submit`, {}, ada));
      expect(own).toMatchObject([
        { level: 30, hostId, count: 1, versions: [{ toolId, version: '1.1.0', by: 'ada' }] },
      ]);
      expect(JSON.stringify(own)).not.toContain('Reads a file');
    });

    it('writes one line of what waits by an import, a patch and a new tool where the host approves nothing by itself', async () => {
      const [apiId, ...names] = [fresh('files'), ...Array.from({ length: 7 }, () => fresh('op'))];
      const operations = (summary: string) =>
        openapi(Object.fromEntries(names.map((op) => [op, { summary }])));
      await ask('PUT', '/settings', { autoApprove: false });
      const first = await linesOf(() => bring(apiId, operations('Does it.'), { publish: true }, ada));
      expect(first).toMatchObject([{ count: 7 }]);
      expect(first[0]?.versions).toHaveLength(5);
      const { toolId } = await toolOf(apiId);
      const patched = await linesOf(async () => {
        const own = await made();
        await ask('PATCH', `/tools/${own}`, { description: 'Reads a file whole.' }, ada);
      });
      expect(patched.length).toBeGreaterThan(0);
      expect(toolId).not.toBe('');
      await ask('PUT', '/settings', { autoApprove: true });
    });

    it('tells webhooks that want it, and those of before nothing new', async () => {
      const [plain, reviewers] = [v7(), v7()];
      const hook = (path: string) => ({ url: `${origin}/${path}`, secret: 'hook' });
      await ask('PUT', `/webhooks/${plain}`, hook('plain'));
      await ask('PUT', `/webhooks/${reviewers}`, { ...hook('reviewers'), kinds: ['review-wanted'] });
      expect(await ask('GET', `/webhooks/${plain}`)).toMatchObject({ kinds: ['catalog-changed'] });
      expect(await ask('GET', `/webhooks/${reviewers}`)).toMatchObject({ kinds: ['review-wanted'] });
      const toolId = await made();
      const path = await draft(toolId);
      const { position } = await ask<{ position: number }>('POST', `${path}/submit`, {}, ada);
      const [notice] = await until(
        () => notices('review-wanted'),
        ({ length }) => length > 0,
      );
      expect(notice).toMatchObject({ type: 'review-wanted', data: { position } });
      expect(Object.keys(notice?.data ?? {})).toEqual(['position']);
      for (const id of [plain, reviewers])
        await until(
          () => ask<{ items: object[] }>('GET', `/webhooks/${id}/deliveries`),
          ({ items }) => items.length === 0,
        );
      // The new tool was told to the one, its version to the other, and to each nothing else.
      expect(notices('review-wanted')).toHaveLength(1);
      expect(notices('catalog-changed').every(({ data }) => data.position < position)).toBe(true);
      expect(notices('catalog-changed').length).toBeGreaterThan(0);
      await ask('PUT', `/webhooks/${reviewers}`, {
        ...hook('gone'),
        kinds: ['review-wanted', 'catalog-changed'],
      });
      receiver.status = 500;
      await ask('POST', `${await draft(toolId, '1.2.0')}/submit`, {}, ada);
      const dead = await until(
        () => ask<{ items: object[] }>('GET', `/webhooks/${reviewers}/deliveries?state=dead`),
        ({ items }) => items.length > 0,
      );
      expect(dead.items).toMatchObject([{ kind: 'review-wanted' }]);
    });
  },
  { OUTBOUND_ALLOW: '127.0.0.1', SECRETS_DIR: secrets, WEBHOOK_ATTEMPTS: '1', LOG_LEVEL: 'info' },
);

afterAll(() => rm(secrets, { recursive: true }));
