import { Logger } from '@nestjs/common';
import { v7 } from 'uuid';
import { FollowerRunner, type Follower } from '../../../src/kernel/follower-runner.js';
import { until } from '../../until.js';
import { eachDatabase } from '../databases.js';
import { overheard } from '../overheard.js';
import { OpenAccount, write } from './account.slice.js';
import { Kernel } from './kernel.js';

eachDatabase((open, kind) => {
  let kernel: Kernel;
  beforeAll(async () => {
    // One of them fails on purpose.
    Logger.overrideLogger(false);
    kernel = await Kernel.on(open);
    const { asOwner } = kernel.database;
    await asOwner.query('CREATE TABLE public.heard_t (host_id uuid, position bigint)');
    await asOwner.query(`SELECT raise_walls('public')`);
  });

  const listener = (name: string, refuses?: string): Follower => ({
    name,
    handles: ['AccountOpenedEvent'],
    async handle(sql, events) {
      for (const { host, position } of events) {
        await sql.query('INSERT INTO public.heard_t VALUES ($1, $2)', [host, position]);
      }
      if (events.some(({ host }) => host === refuses)) throw new Error('refused');
    },
  });
  const runner = (follower: Follower) =>
    new FollowerRunner(kernel.database, kernel.domain, kernel.heads, kernel.engine, [follower]);
  const heard = async (host: string) => {
    const rows = await kernel.database.asOwner.query<{ position: number }>(
      'SELECT position FROM public.heard_t WHERE host_id = $1 ORDER BY position',
      [host],
    );
    return rows.map(({ position }) => position);
  };

  test('every event takes effect once, whoever runs and however often', async () => {
    const host = v7();
    const openings = Array.from(
      { length: 450 },
      (_, index) => new OpenAccount(host, v7(), { name: String(index) }),
    );
    await kernel.engine.execute(write(host, openings));
    const follower = listener('racing');
    const instances = Array.from({ length: 4 }, () => runner(follower));
    for (let turn = 0; turn < 4; turn += 1)
      await Promise.all(instances.map((instance) => instance.catchUp()));
    expect(await heard(host)).toEqual(openings.map((_, index) => index + 1));
  });

  test('data comes with the events that are read, and with no others', async () => {
    const host = v7();
    await kernel.openAccount(host, 'a');
    const seen: object[] = [];
    const watching = (name: string, reads?: readonly string[]): Follower => ({
      name,
      handles: ['AccountOpenedEvent'],
      ...(reads && { reads }),
      handle: (_sql, events) => {
        seen.push(...events.filter((event) => event.host === host).map(({ data }) => data));
        return Promise.resolve();
      },
    });
    await runner(watching('reading')).catchUp();
    await runner(watching('counting', [])).catchUp();
    expect(seen).toMatchObject([{ name: 'a' }, {}]);
    expect(seen[1]).toEqual({});
  });

  test('a host that fails has no effect, waits for its turn, and keeps no other waiting', async () => {
    const [bad, good] = [v7(), v7()];
    await kernel.openAccount(bad, 'a');
    await kernel.openAccount(good, 'a');
    await runner(listener('failing', bad)).catchUp();
    expect(await heard(bad)).toEqual([]);
    expect(await heard(good)).toEqual([1]);
    const mended = runner(listener('failing'));
    await mended.catchUp();
    expect(await heard(bad)).toEqual([]);
    await kernel.database.asOwner.query(
      `UPDATE checkpoint_t SET retry_after = now() - interval '1 s' WHERE host_id = $1`,
      [bad],
    );
    await mended.catchUp();
    expect(await heard(bad)).toEqual([1]);
  });

  test('who waits for the one connection goes first between two batches, with all that it asks', async () => {
    const host = v7();
    const openings = Array.from(
      { length: 60 },
      (_, index) => new OpenAccount(host, v7(), { name: String(index) }),
    );
    await kernel.engine.execute(write(host, openings));
    let batches = 0;
    const batchesAtAnswer: number[] = [];
    const ask = async () => {
      for (let turn = 0; turn < 5; turn += 1) {
        await kernel.database.of(host).query('SELECT 1');
        batchesAtAnswer.push(batches);
      }
    };
    let asking: Promise<void> | undefined;
    const counting: Follower = {
      name: 'counting batches',
      handles: ['AccountOpenedEvent'],
      handle: (_sql, events) => {
        if (events[0]?.host !== host) return Promise.resolve();
        batches += 1;
        asking ??= ask();
        return Promise.resolve();
      },
    };
    await runner(counting).catchUp();
    await asking;
    expect(batchesAtAnswer).toEqual([1, 1, 1, 1, 1]);
    expect(batches).toBe(kind === 'server' ? 1 : 3);
  });

  test('follows by itself while the service runs, and stops with it', async () => {
    const host = v7();
    const running = runner(listener('running'));
    running.onApplicationBootstrap();
    await kernel.openAccount(host, 'a');
    await until(
      () => heard(host),
      (positions) => positions.length > 0,
    );
    await running.beforeApplicationShutdown();
    expect(await heard(host)).toEqual([1]);
  });

  test('one that gives way to writes for long keeps no other waiting, and no stop; who needs it asks to reach it', async () => {
    const host = v7();
    const patient = { ...listener('patient'), idlePolicy: { quietMs: 600_000, maxDelayMs: 600_000 } };
    const followers = [patient, listener('prompt')];
    const running = new FollowerRunner(
      kernel.database,
      kernel.domain,
      kernel.heads,
      kernel.engine,
      followers,
    );
    running.onApplicationBootstrap();
    await kernel.openAccount(host, 'a');
    await until(
      () => heard(host),
      (positions) => positions.length > 0,
    );
    expect(await heard(host)).toEqual([1]);
    expect(await running.reach('patient', host, { patience: 60_000, most: 0 })).toBe(false);
    expect(await running.reach('patient', host, { patience: 60_000 })).toBe(true);
    expect(await heard(host)).toEqual([1, 1]);
    await running.beforeApplicationShutdown();
  });

  test('one that is far behind is not waited for, and only where another instance may have followed the database is asked how far', async () => {
    const host = v7();
    let asked = 0;
    const database = overheard(kernel.database, (text) => (asked += Number(/AS failing/.test(text))));
    const running = new FollowerRunner(database, kernel.domain, kernel.heads, kernel.engine, [
      listener('far'),
    ]);
    await kernel.openAccount(host, 'a');
    await running.catchUp();
    await kernel.openAccount(host, 'b');
    expect(await running.reach('far', host, { patience: 60_000, most: 0 })).toBe(false);
    expect(asked).toBe(kind === 'server' ? 1 : 0);
    expect(await heard(host)).toEqual([1]);
  });
});
