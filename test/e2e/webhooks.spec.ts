import { createHmac } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { until } from '../until.js';
import { eachOwnServer, OwnServer } from './own-server.js';
import { hostId } from './server.js';
import { positionOf, Receiver } from './webhook-receiver.js';

interface Listed {
  readonly items: readonly Record<string, unknown>[];
}

const secrets = mkdtempSync(join(tmpdir(), 'portal-catalog-secrets-'));
const key = 's3cr3t-of-the-hook';
let count = 0;
const fresh = (word: string): string => `${word}_${String((count += 1))}`;

async function change(server: OwnServer): Promise<number> {
  const body = { name: fresh('skill'), contentMarkdown: 'Do.' };
  const made = await server.api<{ position: number }>('POST', '/skills', { body });
  return made.body.position;
}

const environment = { OUTBOUND_ALLOW: '127.0.0.1', SECRETS_DIR: secrets, WEBHOOK_ATTEMPTS: '2' };

eachOwnServer((server, kind) => {
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
    const notice = await until(
      () => receiver.received.find((each) => positionOf(each) === position),
      (seen) => seen !== undefined,
    );
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
    await until(list, ({ body }) => body.items.length === 0);

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
    const letter = await until(
      async () => (await dead()).body.items[0],
      (seen) => seen !== undefined,
    );
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
    await until(
      () => receiver.received.filter((each) => positionOf(each) === position)[2],
      (seen) => seen !== undefined,
    );
    await until(
      () => server().api('GET', path),
      ({ status }) => status === 404,
    );
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
    const letter = await until(
      async () => (await dead()).body.items[0],
      (seen) => seen !== undefined,
    );
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
    await until(
      () => silent.received[0],
      (seen) => seen !== undefined,
    );
    // Told of each of these, one after the other, while the other one is still waited for.
    for (let turn = 0; turn < 3; turn += 1) {
      const position = await change(server());
      await until(
        () => receiver.received.find((each) => positionOf(each) === position),
        (seen) => seen !== undefined,
      );
    }
    expect([silent.received.length, silent.open]).toEqual([1, 1]);
    await server().api('DELETE', `/webhooks/${slow}`);
    await server().api('DELETE', `/webhooks/${quick}`);
    silent.stop();
  });

  it('goes on with its tries after a restart', async () => {
    // Of its own: with tries enough for whatever time the stop takes.
    const own = await OwnServer.start(kind, { ...environment, WEBHOOK_ATTEMPTS: '9' });
    const refusing = new Receiver();
    refusing.status = 500;
    const url = await refusing.start();
    const secret = { value: key, origins: [url] };
    await writeFile(join(secrets, hostId, 'refusing.json'), JSON.stringify(secret));
    const id = v7();
    await own.api('PUT', `/webhooks/${id}`, { body: { url, secret: 'refusing' } });
    const position = await change(own);
    const tries = () => refusing.received.filter((each) => positionOf(each) === position);
    await until(tries, ({ length }) => length > 0);
    let before = 0;
    await own.restart(() => {
      before = tries().length;
      refusing.status = 204;
    });
    const all = await until(tries, ({ length }) => length > before);
    expect(new Set(all.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    await until(
      () => own.api<Listed>('GET', `/webhooks/${id}/deliveries`),
      ({ body }) => body.items.length === 0,
    );
    await own.stop();
    refusing.stop();
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
      async () => (await server().api<Listed>('GET', `/webhooks/${id}/deliveries?state=dead`)).body.items[0],
      (seen) => seen !== undefined,
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
}, environment);

afterAll(() => rm(secrets, { recursive: true }));
