import { createHmac } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { v7 } from 'uuid';
import { eachServer, hostId, type TestServer } from './server.js';
import { positionOf, Receiver } from './webhook-receiver.js';

interface Listed {
  readonly items: readonly Record<string, unknown>[];
}

const secrets = mkdtempSync(join(tmpdir(), 'portal-catalog-secrets-'));
const key = 's3cr3t-of-the-hook';
let count = 0;
const fresh = (word: string): string => `${word}_${String((count += 1))}`;

async function until<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    await sleep(50);
  }
}

async function change(server: TestServer): Promise<number> {
  const body = { name: fresh('skill'), contentMarkdown: 'Do.' };
  const made = await server.api<{ position: number }>('POST', '/skills', { body });
  return made.body.position;
}

eachServer(
  (server) => {
    let receiver: Receiver;
    let origin: string;
    beforeAll(async () => {
      receiver = new Receiver();
      origin = await receiver.start();
      await mkdir(join(secrets, hostId), { recursive: true });
      const secret = { value: key, origins: [origin] };
      await writeFile(join(secrets, hostId, 'hook.json'), JSON.stringify(secret));
    });
    afterAll(() => {
      receiver.stop();
    });
    const put = (id: string, body: object) => server().api('PUT', `/webhooks/${id}`, { body });

    it('tells of changes, signed, and says nothing of what they are', async () => {
      const id = v7();
      const made = await put(id, { url: `${origin}/hook`, secret: 'hook' });
      expect([made.status, made.body]).toMatchObject([201, { id, version: 1 }]);
      expect((await put(id, { url: `${origin}/hook`, secret: 'hook' })).body).toMatchObject({
        changed: false,
      });
      const position = await change(server());
      const notice = await until(() => receiver.received.find((each) => positionOf(each) === position));
      const {
        'webhook-id': noticeId,
        'webhook-timestamp': at,
        'webhook-signature': signature,
      } = notice.headers;
      expect(notice.headers['content-type']).toContain('application/cloudevents+json');
      const hmac = createHmac('sha256', key).update(`${String(noticeId)}.${String(at)}.${notice.body}`);
      expect(signature).toBe(`v1,${hmac.digest('base64')}`);
      expect(JSON.parse(notice.body)).toEqual({
        ...{ specversion: '1.0', id: noticeId, source: 'urn:portal-catalog', type: 'catalog-changed' },
        ...{ subject: hostId, host: hostId, time: expect.any(String), datacontenttype: 'application/json' },
        data: { position },
      });
      const list = () => server().api<Listed>('GET', `/webhooks/${id}/deliveries`);
      await until(async () => ((await list()).body.items.length === 0 ? true : undefined));

      expect((await server().api('DELETE', `/webhooks/${id}`)).status).toBe(200);
      expect((await server().api('DELETE', `/webhooks/${id}`)).status).toBe(404);
      expect((await server().api('GET', `/webhooks/${id}`)).status).toBe(404);
      expect((await server().api<Listed>('GET', '/webhooks')).body.items).toEqual([]);
    });

    it('tries again, gives up, and delivers dead letters again when it is told to', async () => {
      const id = v7();
      receiver.status = 500;
      await put(id, { url: `${origin}/broken`, secret: 'hook' });
      const position = await change(server());
      const dead = () => server().api<Listed>('GET', `/webhooks/${id}/deliveries?state=dead`);
      const letter = await until(async () => (await dead()).body.items[0]);
      expect(letter).toMatchObject({
        ...{ webhookId: id, position, state: 'dead', attempts: 2 },
        lastError: 'It answered with the status 500.',
      });
      const sent = receiver.received.filter((each) => positionOf(each) === position);
      expect(new Set(sent.map(({ headers }) => headers['webhook-id']))).toEqual(
        new Set([letter['deliveryId']]),
      );
      expect(sent).toHaveLength(2);

      receiver.status = 204;
      const path = `/webhooks/${id}/deliveries/${String(letter['deliveryId'])}`;
      expect((await server().api('GET', path)).body).toEqual(letter);
      const headers = { 'idempotency-key': v7() };
      expect((await server().api('POST', `${path}/replay`, { headers })).body).toEqual({ replayed: 1 });
      await until(() => receiver.received.filter((each) => positionOf(each) === position)[2]);
      await until(async () => ((await server().api('GET', path)).status === 404 ? true : undefined));
      expect((await server().api('POST', `${path}/replay`)).status).toBe(404);
      expect((await server().api('POST', `${path}/replay`, { headers })).body).toEqual({ replayed: 1 });
      expect((await server().api('POST', `/webhooks/${id}/replay`)).body).toEqual({ replayed: 0 });
      expect((await server().api('POST', `/webhooks/${id}/replay`, { headers })).status).toBe(422);
      const metrics = await server().api('GET', '//metrics');
      for (const result of ['delivered', 'failed', 'dead']) {
        expect(metrics.text).toContain(`catalog_webhook_deliveries_total{result="${result}"}`);
      }
      await server().api('DELETE', `/webhooks/${id}`);
    });

    it('delivers nothing again to a webhook that is no more', async () => {
      const id = v7();
      receiver.status = 500;
      await put(id, { url: `${origin}/gone`, secret: 'hook' });
      await change(server());
      const dead = () => server().api<Listed>('GET', `/webhooks/${id}/deliveries?state=dead`);
      const letter = await until(async () => (await dead()).body.items[0]);
      await server().api('DELETE', `/webhooks/${id}`);
      receiver.status = 204;
      for (const path of [`/deliveries/${String(letter['deliveryId'])}/replay`, '/replay']) {
        expect((await server().api('POST', `/webhooks/${id}${path}`)).body).toMatchObject({
          ...{ status: 404, detail: expect.stringContaining('webhook') },
        });
      }
      await put(id, { url: `${origin}/back`, secret: 'hook' });
      expect((await dead()).body.items).toEqual([]);
      await server().api('DELETE', `/webhooks/${id}`);
    });

    it('is held up by nobody who does not answer', async () => {
      const silent = new Receiver();
      silent.status = 'never';
      const silentOrigin = await silent.start();
      const secret = { value: key, origins: [silentOrigin] };
      await writeFile(join(secrets, hostId, 'silent.json'), JSON.stringify(secret));
      const [slow, quick] = [v7(), v7()];
      await put(slow, { url: `${silentOrigin}/slow`, secret: 'silent' });
      await put(quick, { url: `${origin}/quick`, secret: 'hook' });
      await change(server());
      await until(() => silent.received[0]);
      // Told of each of these, one after the other, while the other one is still waited for.
      for (let turn = 0; turn < 3; turn += 1) {
        const position = await change(server());
        await until(() => receiver.received.find((each) => positionOf(each) === position));
      }
      expect([silent.received.length, silent.open]).toEqual([1, 1]);
      await server().api('DELETE', `/webhooks/${slow}`);
      await server().api('DELETE', `/webhooks/${quick}`);
      silent.stop();
    });

    it('goes on with its tries after a restart', async () => {
      const id = v7();
      receiver.status = 500;
      await put(id, { url: `${origin}/restarted`, secret: 'hook' });
      const position = await change(server());
      const tries = () => receiver.received.filter((each) => positionOf(each) === position);
      await until(() => tries()[0]);
      // Before it starts again, so that no try finds the old answer, however long the start takes.
      receiver.status = 204;
      await server().restart();
      const second = await until(() => tries()[1]);
      expect(second.headers['webhook-id']).toBe(tries()[0]?.headers['webhook-id']);
      const list = () => server().api<Listed>('GET', `/webhooks/${id}/deliveries`);
      await until(async () => ((await list()).body.items.length === 0 ? true : undefined));
      await server().api('DELETE', `/webhooks/${id}`);
    });

    it('passes the guard at every try, and is the administrator’s', async () => {
      const id = v7();
      await put(id, { url: 'http://169.254.169.254/latest', secret: 'hook' });
      await writeFile(
        join(secrets, hostId, 'metadata.json'),
        JSON.stringify({ value: key, origins: ['http://169.254.169.254'] }),
      );
      await put(id, { url: 'http://169.254.169.254/latest', secret: 'metadata' });
      await change(server());
      const letter = await until(
        async () =>
          (await server().api<Listed>('GET', `/webhooks/${id}/deliveries?state=dead`)).body.items[0],
      );
      expect(letter['lastError']).toContain('not at a public address');
      for (const claims of [
        { scope: 'catalog:write' },
        { maxSensitivityTier: 'public' },
        { agent_def_id: v7() },
      ]) {
        const token = await server().token(claims);
        expect((await server().api('GET', '/webhooks', { token })).status).toBe(403);
        const body = { url: `${origin}/`, secret: 'hook' };
        expect((await server().api('PUT', `/webhooks/${v7()}`, { token, body })).status).toBe(403);
      }
      const odd = await put(v7(), { url: 'https://a:b@example.com/', secret: 'hook' });
      expect(odd.status).toBe(400);
      await server().api('DELETE', `/webhooks/${id}`);
    });
  },
  { OUTBOUND_ALLOW: '127.0.0.1', SECRETS_DIR: secrets, WEBHOOK_ATTEMPTS: '2' },
);

afterAll(() => rm(secrets, { recursive: true }));
