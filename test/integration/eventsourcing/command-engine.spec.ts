import { v7 } from 'uuid';
import { RuleBroken, VersionConflict } from '../../../src/eventsourcing/errors.js';
import { eachDatabase } from '../databases.js';
import { auditIdOf, CloseAccount, OpenAccount, RenameAccount, write } from './account.slice.js';
import { Ground } from './ground.js';

eachDatabase((open) => {
  let ground: Ground;
  beforeAll(async () => {
    ground = await Ground.on(open);
  });

  const rename = (host: string, id: string, name: string, more?: Parameters<typeof write>[2]) =>
    ground.engine.execute(write(host, [new RenameAccount(host, id, { name })], more));

  test('a write appends, projects and answers; one that changes nothing appends nothing', async () => {
    const [host, id] = [v7(), v7()];
    const opening = write(host, [new OpenAccount(host, id, { name: 'a', tags: ['x', 'y"\\,{}', ''] })]);
    expect(JSON.parse((await ground.engine.execute(opening)).body)).toEqual({
      id,
      version: 1,
      position: 1,
      changed: true,
    });
    const again = await rename(host, id, 'a');
    expect(JSON.parse(again.body)).toEqual({ id, version: 1, position: 1, changed: false });
    const [event] = await ground.store.readLog(host, 0, 10);
    expect(event).toMatchObject({ user: 'ada', clientid: 'test', subject: id, source: 'urn:portal-catalog' });
    const rows = await ground.database.asOwner.query('SELECT * FROM account_t WHERE host_id = $1', [host]);
    expect(rows).toEqual([
      expect.objectContaining({
        name: 'a',
        tags: ['x', 'y"\\,{}', ''],
        history: null,
        update_ts: event?.time,
        position: 1,
      }),
    ]);
  });

  test('a reaction is carried out in the same append, and names its cause', async () => {
    const host = v7();
    const id = await ground.openAccount(host, 'a');
    await rename(host, id, 'b');
    const [, cause, noted] = await ground.store.readLog(host, 0, 10);
    expect(noted).toMatchObject({
      type: 'AuditNotedEvent',
      aggregateid: auditIdOf(id),
      causationid: cause?.id,
      position: 3,
    });
  });

  test('several commands of one write see each other, and are all or none', async () => {
    const [host, id] = [v7(), v7()];
    const both = [new OpenAccount(host, id, { name: 'a' }), new RenameAccount(host, id, { name: 'b' })];
    await ground.engine.execute(write(host, both));
    const broken = [new RenameAccount(host, id, { name: 'c' }), new RenameAccount(host, v7(), { name: 'd' })];
    await expect(ground.engine.execute(write(host, broken))).rejects.toMatchObject({ code: 'not_found' });
    const log = await ground.store.readLog(host, 0, 10);
    expect(log.map(({ type }) => type)).toEqual([
      'AccountOpenedEvent',
      'AccountRenamedEvent',
      'AuditNotedEvent',
    ]);
  });

  test('a dry write answers, and is refused, as if it were one, and leaves nothing', async () => {
    const host = v7();
    const id = await ground.openAccount(host, 'a');
    const dry = (command: RenameAccount) => ground.engine.execute({ ...write(host, [command]), dry: true });
    const { status, body } = await dry(new RenameAccount(host, id, { name: 'b' }));
    expect([status, JSON.parse(body)]).toEqual([200, { id, version: 2, position: 1, changed: true }]);
    await expect(dry(new RenameAccount(host, v7(), { name: 'b' }))).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await ground.store.readLog(host, 0, 10)).toHaveLength(1);
    expect(
      await ground.database.asOwner.query('SELECT name FROM account_t WHERE host_id = $1', [host]),
    ).toEqual([{ name: 'a' }]);
    await rename(host, id, 'c');
  });

  test('If-Match: the version must fit, an absent record is absent first', async () => {
    const host = v7();
    const id = await ground.openAccount(host, 'a');
    await expect(rename(host, id, 'b', { expectedVersion: 2 })).rejects.toThrow(VersionConflict);
    await rename(host, id, 'b', { expectedVersion: 1 });
    await rename(host, id, 'c', { expectedVersion: 'any' });
    await expect(rename(host, v7(), 'b', { expectedVersion: 1 })).rejects.toMatchObject({
      code: 'not_found',
    });
    const opening = [new OpenAccount(host, v7(), { name: 'z' })];
    await expect(ground.engine.execute(write(host, opening, { expectedVersion: 'any' }))).rejects.toThrow(
      VersionConflict,
    );
  });

  test('fifty at once with the same If-Match: one wins; without it all are in the log, once each', async () => {
    const host = v7();
    const id = await ground.openAccount(host, 'a');
    const other = ground.another();
    const race = (more: { expectedVersion?: number }) =>
      Promise.allSettled(
        Array.from({ length: 50 }, (_, index) => {
          const { engine } = index % 2 === 0 ? ground : other;
          return engine.execute(
            write(host, [new RenameAccount(host, id, { name: `n${String(index)}` })], more),
          );
        }),
      );
    const matched = await race({ expectedVersion: 1 });
    expect(matched.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const lost of matched.filter((one) => one.status === 'rejected'))
      expect(lost.reason).toBeInstanceOf(VersionConflict);
    const free = await race({});
    expect(free.filter(({ status }) => status === 'rejected')).toEqual([]);
    const log = await ground.store.readLog(host, 0, 1000);
    const names = log
      .filter(({ type }) => type === 'AccountRenamedEvent')
      .slice(1)
      .map(({ data }) => data);
    // The name that won the first race changes nothing when it comes again right away.
    expect(names.length).toBeGreaterThanOrEqual(49);
    expect(log.map(({ position }) => position)).toEqual(log.map((_, index) => index + 1));
  });

  test('a rule over several aggregates is never broken by a race', async () => {
    const host = v7();
    const planned = (id: string, mode: 'locked' | 'optimistic', name: string) =>
      write(
        host,
        async (sql) => {
          const taken = await sql.query('SELECT FROM account_t WHERE host_id = $1 AND name = $2 AND active', [
            host,
            name,
          ]);
          if (taken.length > 0) throw new RuleBroken('account_name_taken', 'taken');
          return [new OpenAccount(host, id, { name })];
        },
        { mode },
      );
    for (let pair = 0; pair < 50; pair += 1) {
      const mode = pair % 2 === 0 ? 'locked' : 'optimistic';
      const name = `pair ${String(pair)}`;
      const settled = await Promise.allSettled([
        ground.engine.execute(planned(v7(), mode, name)),
        ground.engine.execute(planned(v7(), mode, name)),
      ]);
      const lost = settled.filter((one) => one.status === 'rejected').map(({ reason }): unknown => reason);
      expect(lost).toEqual([expect.objectContaining({ code: 'account_name_taken' })]);
    }
  });

  test('the index keeps the rule where the plan forgot it', async () => {
    const host = v7();
    await ground.openAccount(host, 'same');
    await expect(ground.openAccount(host, 'same')).rejects.toMatchObject({ code: 'account_name_taken' });
    expect((await ground.store.head(host)).position).toBe(1);
  });

  test('optimistic writes of one stream are made again until each has its turn', async () => {
    const host = v7();
    const id = await ground.openAccount(host, 'a');
    const racing = Array.from({ length: 20 }, (_, index) =>
      rename(host, id, `turn ${String(index)}`, { mode: 'optimistic' }),
    );
    await Promise.all(racing);
    const log = await ground.store.readLog(host, 0, 100);
    const versions = log
      .filter(({ aggregateid }) => aggregateid === id)
      .map((event) => event.aggregateversion);
    expect(versions).toEqual(versions.map((_, index) => index + 1));
    expect(versions).toHaveLength(21);
  });

  test('an optimistic plan whose facts do not hold is made twice more, the last time under the lock', async () => {
    const host = v7();
    const id = await ground.openAccount(host, 'a');
    let plans = 0;
    const doubtful = write(
      host,
      () => {
        plans += 1;
        return [new RenameAccount(host, id, { name: `plan ${String(plans)}` })];
      },
      { mode: 'optimistic' },
    );
    await ground.engine.execute({ ...doubtful, stillHolds: () => Promise.resolve(false) });
    expect(plans).toBe(3);
    expect(await ground.accounts()).toContainEqual(
      expect.objectContaining({ account_id: id, name: 'plan 3' }),
    );
  });

  test('a birth that is none is read after all', async () => {
    const host = v7();
    const id = await ground.openAccount(host, 'a');
    const again = write(host, [new OpenAccount(host, id, { name: 'b' })]);
    await expect(ground.engine.execute(again)).rejects.toMatchObject({ code: 'account_exists' });
  });

  test('what can wait gives way to a write under way, and not without an end', async () => {
    const { engine } = ground.another();
    await engine.quiet({ lull: 50, patience: 60_000 });
    const host = v7();
    const order: string[] = [];
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    const writing = engine.execute(
      write(host, async () => {
        await held;
        return [new OpenAccount(host, v7(), { name: 'a' })];
      }),
    );
    const written = writing.then(() => order.push('written'));
    const patient = engine.quiet({ lull: 50, patience: 60_000 }).then(() => order.push('quiet'));
    await engine.quiet({ lull: 50, patience: 100 });
    expect(order).toEqual([]);
    goOn();
    await Promise.all([written, patient]);
    expect(order).toEqual(['written', 'quiet']);
  });

  test('text that cannot be stored is refused, and nothing is written', async () => {
    const host = v7();
    for (const name of ['a\0b', 'half \ud83d', '\udc00']) {
      await expect(ground.openAccount(host, name)).rejects.toMatchObject({ code: 'invalid_text' });
    }
    await ground.openAccount(host, '\\u0000 \\ud83d spelt out, and a whole \u{1F600}');
    expect((await ground.store.head(host)).position).toBe(1);
  });

  test('data that breaks its schema is a mistake of the program', async () => {
    const host = v7();
    const wrong = new OpenAccount(host, v7(), { name: 7 as unknown as string });
    await expect(ground.engine.execute(write(host, [wrong]))).rejects.toThrow('breaks its schema');
  });

  test('a reply is kept with the write, also of one that changed nothing, and not twice', async () => {
    const host = v7();
    const id = await ground.openAccount(host, 'a');
    const idempotency = { key: v7(), fingerprint: 'f', grants: [] };
    const reply = await rename(host, id, 'a', { idempotency });
    const [kept] = await ground.database.asOwner.query('SELECT * FROM idempotency_key_t WHERE key = $1', [
      idempotency.key,
    ]);
    expect(kept).toMatchObject({ status: 200, body: reply.body, headers: reply.headers, fingerprint: 'f' });
    await expect(rename(host, id, 'b', { idempotency })).rejects.toMatchObject({
      code: 'request_in_progress',
    });
    expect((await ground.store.head(host)).position).toBe(1);
  });

  test('a write of many megabytes goes in slices, and the event loop turns meanwhile', async () => {
    const host = v7();
    const tags = Array.from({ length: 200 }, (_, index) => `tag ${String(index)} ${'x'.repeat(60)}`);
    const commands = Array.from(
      { length: 1000 },
      (_, index) => new OpenAccount(host, v7(), { name: String(index), tags }),
    );
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 5);
    await ground.engine.execute(write(host, commands, { mode: 'optimistic' }));
    clearInterval(timer);
    expect(turns).toBeGreaterThan(10);
    expect((await ground.store.head(host)).position).toBe(1000);
    const closing = commands.map(({ aggregateId }) => new CloseAccount(host, aggregateId, {}));
    await ground.engine.execute(write(host, closing, { mode: 'optimistic' }));
    expect(
      await ground.database.asOwner.query('SELECT FROM account_t WHERE host_id = $1 AND active', [host]),
    ).toEqual([]);
  });
});
