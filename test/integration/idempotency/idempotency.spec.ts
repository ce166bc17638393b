import { v7 } from 'uuid';
import { RuleBroken } from '../../../src/kernel/errors.js';
import type { Sql } from '../../../src/kernel/sql.js';
import {
  Idempotency,
  IdempotencyKeyReused,
  ReplyNotCovered,
} from '../../../src/platform/idempotency/idempotency.js';
import { forgetOldReplies, keepReply, type Reply } from '../../../src/platform/idempotency/kept-replies.js';
import { until } from '../../until.js';
import { eachDatabase } from '../databases.js';
import { OpenAccount, write } from '../kernel/account.slice.js';
import { Kernel } from '../kernel/kernel.js';

eachDatabase((open, kind) => {
  let kernel: Kernel;
  let here: Idempotency;
  let elsewhere: Idempotency;
  beforeAll(async () => {
    kernel = await Kernel.on(open);
    here = new Idempotency(kernel.database);
    elsewhere = new Idempotency(kernel.database);
  });
  afterAll(async () => {
    await Promise.all([here.onModuleDestroy(), elsewhere.onModuleDestroy()]);
  });

  const newKey = () => ({ key: v7(), fingerprint: 'f', grants: ['a', 'b'] });
  const claims = (by: Idempotency, host: string, key: ReturnType<typeof newKey>): Promise<boolean> =>
    by.begin(host, key).then(
      () => true,
      (refusal: unknown) => {
        if (refusal instanceof RuleBroken && refusal.code === 'request_in_progress') return false;
        throw refusal;
      },
    );

  /** Opens an account, and keeps what was answered under the key. */
  const keep = async (
    host: string,
    key: ReturnType<typeof newKey>,
    body: (id: string) => object = (id) => ({ id }),
  ): Promise<Reply> => {
    const id = v7();
    const reply = { status: 201, headers: { etag: '"1"' }, body: JSON.stringify(body(id)) } as const;
    await kernel.engine.execute({
      ...write(host, [new OpenAccount(host, id, { name: key.key })]),
      beforeCommit: (sql) => keepReply(sql, host, key, reply),
    });
    return reply;
  };

  test('a second request is refused while the first runs, and answered alike when it has', async () => {
    const [host, key] = [v7(), newKey()];
    expect(await here.begin(host, key)).toBeUndefined();
    await expect(here.begin(host, key)).rejects.toMatchObject({ code: 'request_in_progress' });
    const reply = await keep(host, key);
    here.end(host, key);
    expect(await here.begin(host, key)).toEqual(reply);
    here.end(host, key);
    // Another instance, or this one after a restart.
    expect(await elsewhere.begin(host, key)).toEqual(reply);
    elsewhere.end(host, key);
  });

  test('another request with the same key is refused; another host has keys of its own', async () => {
    const [host, key] = [v7(), newKey()];
    await keep(host, key);
    await expect(here.begin(host, { ...key, fingerprint: 'g' })).rejects.toThrow(IdempotencyKeyReused);
    expect(await here.begin(v7(), key)).toBeUndefined();
    expect(await here.findReply(host, key)).toMatchObject({ status: 201 });
  });

  test('a reply is kept from a caller who may do less than the one it was given to', async () => {
    const [host, key] = [v7(), newKey()];
    const reply = await keep(host, key);
    const less = { ...key, grants: ['b'] };
    await expect(here.begin(host, less)).rejects.toThrow(ReplyNotCovered);
    // Whoever was refused holds the key no longer, and the reply is there even while it is being given back.
    expect(await elsewhere.begin(host, { ...key, grants: ['a', 'b', 'c'] })).toEqual(reply);
    elsewhere.end(host, key);
  });

  test('a request that failed leaves the key free', async () => {
    const [host, key] = [v7(), newKey()];
    await here.begin(host, key);
    here.end(host, key);
    expect(await here.begin(host, key)).toBeUndefined();
    here.end(host, key);
  });

  test('of a body beyond a mebibyte the receipt is kept', async () => {
    const [host, key] = [v7(), newKey()];
    const receipt = { id: host, version: 1, position: 1, changed: true };
    await keep(host, key, () => ({ ...receipt, items: ['x'.repeat(1_100_000)] }));
    expect((await here.findReply(host, key))?.body).toBe(JSON.stringify(receipt));
  });

  test('a key under which a reply is kept takes no second one, and its write is undone', async () => {
    const [host, key] = [v7(), newKey()];
    const reply = await keep(host, key);
    const other = [new OpenAccount(host, v7(), { name: 'another' })];
    const again = { ...write(host, other), beforeCommit: (sql: Sql) => keepReply(sql, host, key, reply) };
    await expect(kernel.engine.execute(again)).rejects.toMatchObject({ code: 'request_in_progress' });
    expect((await kernel.store.head(host)).position).toBe(1);
  });

  test('replies are forgotten after a day, not before', async () => {
    const [host, old, young] = [v7(), newKey(), newKey()];
    for (const [idempotency, hours] of [
      [old, 26],
      [young, 23],
    ] as const) {
      await keep(host, idempotency);
      await kernel.database.asOwner.query(
        'UPDATE idempotency_key_t SET created = now() - make_interval(hours => $2) WHERE key = $1',
        [idempotency.key, hours],
      );
    }
    expect(await forgetOldReplies(kernel.database)).toBe(1);
    expect(await here.findReply(host, old)).toBeUndefined();
    expect(await here.findReply(host, young)).toBeDefined();
  });

  if (kind === 'server') {
    test('a key that another instance works on is refused, until that instance is gone', async () => {
      const [host, key] = [v7(), newKey()];
      await here.begin(host, key);
      await expect(elsewhere.begin(host, key)).rejects.toMatchObject({ code: 'request_in_progress' });
      here.end(host, key);
      const dying = new Idempotency(kernel.database);
      // The lock is given back a moment after the end.
      await until(() => claims(dying, host, key), Boolean);
      await expect(elsewhere.begin(host, key)).rejects.toMatchObject({ code: 'request_in_progress' });
      await dying.onModuleDestroy();
      await until(() => claims(elsewhere, host, key), Boolean);
      elsewhere.end(host, key);
    });
  }
});
