import fc from 'fast-check';
import { v7 } from 'uuid';
import { CommandEngine } from '../../../src/kernel/command-engine.js';
import { RuleBroken, VersionConflict } from '../../../src/kernel/errors.js';
import { LogVerifier } from '../../../src/kernel/log-verifier.js';
import type { Database, Sql } from '../../../src/kernel/sql.js';
import { eachDatabase } from '../databases.js';
import { overheard } from '../overheard.js';
import {
  auditIdOf,
  CloseAccount,
  OpenAccount,
  preparedWrite,
  RenameAccount,
  write,
} from './account.slice.js';
import type { AccountRow } from './account.slice.js';
import { Kernel } from './kernel.js';
import { many } from '../../soak.js';

eachDatabase((open) => {
  let kernel: Kernel;
  beforeAll(async () => {
    kernel = await Kernel.on(open);
  });

  const rename = (host: string, id: string, name: string, more?: Parameters<typeof write>[2]) =>
    kernel.engine.execute(write(host, [new RenameAccount(host, id, { name })], more));

  test('a write appends, projects and answers; one that changes nothing appends nothing', async () => {
    const [host, id] = [v7(), v7()];
    const opening = write(host, [new OpenAccount(host, id, { name: 'a', tags: ['x', 'y"\\,{}', ''] })]);
    expect(await kernel.engine.execute(opening)).toEqual({ id, version: 1, position: 1, changed: true });
    const again = await rename(host, id, 'a');
    expect(again).toEqual({ id, version: 1, position: 1, changed: false });
    const [event] = await kernel.store.readLog(host, 0, 10);
    expect(event).toMatchObject({ user: 'ada', clientid: 'test', subject: id, source: 'urn:portal-catalog' });
    const rows = await kernel.database.asOwner.query('SELECT * FROM account_t WHERE host_id = $1', [host]);
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
    const id = await kernel.openAccount(host, 'a');
    await rename(host, id, 'b');
    const [, cause, noted] = await kernel.store.readLog(host, 0, 10);
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
    await kernel.engine.execute(write(host, both));
    const broken = [new RenameAccount(host, id, { name: 'c' }), new RenameAccount(host, v7(), { name: 'd' })];
    await expect(kernel.engine.execute(write(host, broken))).rejects.toMatchObject({ code: 'not_found' });
    const log = await kernel.store.readLog(host, 0, 10);
    expect(log.map(({ type }) => type)).toEqual([
      'AccountOpenedEvent',
      'AccountRenamedEvent',
      'AuditNotedEvent',
    ]);
  });

  test('several writes go together: each sees those before it, and all are committed or none', async () => {
    const [host, id] = [v7(), v7()];
    const renaming = (name: string) => new RenameAccount(host, id, { name });
    const together = (isDryRun: boolean, last: RenameAccount) =>
      kernel.engine.together(write(host, []).context, isDryRun, async (context) => {
        await kernel.engine.execute({ ...write(host, [new OpenAccount(host, id, { name: 'a' })]), context });
        const [seen] = await context.within.tx.query<AccountRow>(
          'SELECT * FROM account_t WHERE account_id = $1',
          [id],
        );
        await kernel.engine.execute({ ...write(host, [last]), context });
        return seen?.name;
      });
    expect(await together(true, renaming('b'))).toBe('a');
    await expect(together(false, new RenameAccount(host, v7(), { name: 'nobody’s' }))).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await kernel.store.readLog(host, 0, 10)).toEqual([]);
    expect(await together(false, renaming('b'))).toBe('a');
    const log = await kernel.store.readLog(host, 0, 10);
    expect(log.map(({ type, position }) => [type, position])).toEqual([
      ['AccountOpenedEvent', 1],
      ['AccountRenamedEvent', 2],
      ['AuditNotedEvent', 3],
    ]);
  });

  test('a dry run answers, and is refused, as if it were none, and leaves nothing', async () => {
    const host = v7();
    const id = await kernel.openAccount(host, 'a');
    const seen: object[] = [];
    const dry = (command: RenameAccount) =>
      kernel.engine.execute({
        ...write(host, [command]),
        isDryRun: true,
        beforeCommit: async (sql) => {
          seen.push(...(await sql.query('SELECT name FROM account_t WHERE host_id = $1', [host])));
        },
      });
    const receipt = await dry(new RenameAccount(host, id, { name: 'b' }));
    expect(receipt).toEqual({ id, version: 2, position: 1, changed: true });
    expect(seen).toEqual([{ name: 'b' }]);
    await expect(dry(new RenameAccount(host, v7(), { name: 'b' }))).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await kernel.store.readLog(host, 0, 10)).toHaveLength(1);
    expect(
      await kernel.database.asOwner.query('SELECT name FROM account_t WHERE host_id = $1', [host]),
    ).toEqual([{ name: 'a' }]);
    await rename(host, id, 'c');
  });

  test('If-Match: the version must fit, an absent record is absent first', async () => {
    const host = v7();
    const id = await kernel.openAccount(host, 'a');
    await expect(rename(host, id, 'b', { expectedVersion: 2 })).rejects.toThrow(VersionConflict);
    await rename(host, id, 'b', { expectedVersion: 1 });
    await rename(host, id, 'c', { expectedVersion: 'any' });
    await expect(rename(host, v7(), 'b', { expectedVersion: 1 })).rejects.toMatchObject({
      code: 'not_found',
    });
    const opening = [new OpenAccount(host, v7(), { name: 'z' })];
    await expect(kernel.engine.execute(write(host, opening, { expectedVersion: 'any' }))).rejects.toThrow(
      VersionConflict,
    );
  });

  test('fifty at once with the same If-Match: one wins; without it all are in the log, once each', async () => {
    const host = v7();
    const id = await kernel.openAccount(host, 'a');
    const other = kernel.another();
    const race = (more: { expectedVersion?: number }) =>
      Promise.allSettled(
        Array.from({ length: 50 }, (_, index) => {
          const { engine } = index % 2 === 0 ? kernel : other;
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
    const log = await kernel.store.readLog(host, 0, 1000);
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
    const opening = (id: string, name: string) => async (sql: Sql) => {
      const taken = await sql.query('SELECT FROM account_t WHERE host_id = $1 AND name = $2 AND active', [
        host,
        name,
      ]);
      if (taken.length > 0) throw new RuleBroken('account_name_taken', 'taken');
      return [new OpenAccount(host, id, { name })];
    };
    for (let pair = 0; pair < 50; pair += 1) {
      const name = `pair ${String(pair)}`;
      const execute = () =>
        pair % 2 === 0
          ? kernel.engine.execute(write(host, opening(v7(), name)))
          : kernel.engine.execute(preparedWrite(host, opening(v7(), name)));
      const settled = await Promise.allSettled([execute(), execute()]);
      const lost = settled.filter((one) => one.status === 'rejected').map(({ reason }): unknown => reason);
      expect(lost).toEqual([expect.objectContaining({ code: 'account_name_taken' })]);
    }
  });

  test('the index keeps the rule where the plan forgot it', async () => {
    const host = v7();
    await kernel.openAccount(host, 'same');
    await expect(kernel.openAccount(host, 'same')).rejects.toMatchObject({ code: 'account_name_taken' });
    expect((await kernel.store.head(host)).position).toBe(1);
  });

  test('prepared writes of one stream are made again until each has its turn', async () => {
    const host = v7();
    const id = await kernel.openAccount(host, 'a');
    const racing = Array.from({ length: 20 }, (_, index) =>
      kernel.engine.execute(
        preparedWrite(host, () => [new RenameAccount(host, id, { name: `turn ${String(index)}` })]),
      ),
    );
    await Promise.all(racing);
    const log = await kernel.store.readLog(host, 0, 100);
    const versions = log
      .filter(({ aggregateid }) => aggregateid === id)
      .map((event) => event.aggregateversion);
    expect(versions).toEqual(versions.map((_, index) => index + 1));
    expect(versions).toHaveLength(21);
  });

  test('what was prepared and no longer holds is prepared twice more, the last time under the lock', async () => {
    const host = v7();
    const id = await kernel.openAccount(host, 'a');
    let plans = 0;
    const doubtful = preparedWrite(
      host,
      () => {
        plans += 1;
        return [new RenameAccount(host, id, { name: `plan ${String(plans)}` })];
      },
      () => plans === 3,
    );
    await kernel.engine.execute(doubtful);
    expect(plans).toBe(3);
    expect(await kernel.accounts()).toContainEqual(
      expect.objectContaining({ account_id: id, name: 'plan 3' }),
    );
  });

  test('a stream that is said to be new and is not is read after all', async () => {
    const host = v7();
    const id = await kernel.openAccount(host, 'a');
    const again = write(host, [new OpenAccount(host, id, { name: 'b' })]);
    await expect(kernel.engine.execute(again)).rejects.toMatchObject({ code: 'account_exists' });
  });

  test('what can wait gives way to a write under way, and not without an end', async () => {
    const { engine } = kernel.another();
    await engine.whenIdle({ quietMs: 50, maxDelayMs: 60_000 });
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
    const patient = engine.whenIdle({ quietMs: 50, maxDelayMs: 60_000 }).then(() => order.push('quiet'));
    await engine.whenIdle({ quietMs: 50, maxDelayMs: 100 });
    expect(order).toEqual([]);
    goOn();
    await Promise.all([written, patient]);
    expect(order).toEqual(['written', 'quiet']);
  });

  test('text that cannot be stored is refused, and nothing is written', async () => {
    const host = v7();
    for (const name of ['a\0b', 'half \ud83d', '\udc00']) {
      await expect(kernel.openAccount(host, name)).rejects.toMatchObject({ code: 'invalid_text' });
    }
    await kernel.openAccount(host, '\\u0000 \\ud83d spelt out, and a whole \u{1F600}');
    expect((await kernel.store.head(host)).position).toBe(1);
  });

  test('data that breaks its schema is a mistake of the program', async () => {
    const host = v7();
    const wrong = new OpenAccount(host, v7(), { name: 7 as unknown as string });
    await expect(kernel.engine.execute(write(host, [wrong]))).rejects.toThrow('breaks its schema');
  });

  test.each([
    ['the connection', new Error('The connection ended.')],
    ['a proxy on the way', Object.assign(new Error('Gone.'), { severity: 'FATAL', code: '08P01' })],
  ])('a commit to which %s gave no answer is not made twice', async (_who, ended) => {
    const host = v7();
    const silent: Database = {
      ...overheard(kernel.database, () => undefined),
      of: (hostId) => ({
        query: (...call) => kernel.database.of(hostId).query(...call),
        transaction: async (work) => {
          await kernel.database.of(hostId).transaction(work);
          throw ended;
        },
      }),
    };
    const engine = new CommandEngine(silent, kernel.domain, kernel.heads);
    const opening = write(host, [new OpenAccount(host, v7(), { name: 'a' })]);
    await expect(engine.execute(opening)).rejects.toBe(ended);
    expect(await kernel.store.readLog(host, 0, 10)).toHaveLength(1);
  });

  test('rows stand where their events do, whoever writes and however much', async () => {
    const host = v7();
    const many = Array.from(
      { length: 300 },
      (_, index) => new OpenAccount(host, v7(), { name: `many ${String(index)}` }),
    );
    const small = (index: number) => kernel.openAccount(host, `small ${String(index)}`);
    await Promise.all([small(1), kernel.engine.execute(write(host, many)), ...[2, 3, 4, 5].map(small)]);
    const renamed = many.map(
      ({ aggregateId }, index) => new RenameAccount(host, aggregateId, { name: `new ${String(index)}` }),
    );
    await Promise.all([small(6), kernel.engine.execute(preparedWrite(host, () => renamed)), small(7)]);
    const log = await kernel.store.readLog(host, 0, 10_000);
    const accounts = log.filter(({ aggregatetype }) => aggregatetype === 'Account');
    const latest = new Map(accounts.map((event) => [event.aggregateid, event]));
    const rows = await kernel.database
      .of(host)
      .query<AccountRow>('SELECT * FROM account_t WHERE host_id = $1', [host]);
    expect(rows).toHaveLength(307);
    for (const { account_id: id, position, update_ts: time, aggregate_version: version } of rows)
      expect({ position, time, version }).toEqual({
        position: latest.get(id)?.position,
        time: latest.get(id)?.time,
        version: latest.get(id)?.aggregateversion,
      });
  });

  test('whoever writes, in whatever order and at once, the log stays whole', async () => {
    const turn = fc.record({
      by: fc.nat(1),
      what: fc.constantFrom('open', 'open a taken name', 'open three at once', 'open with the other'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 12 }), async (turns) => {
        const host = v7();
        const grounds = [kernel, kernel.another()] as const;
        await kernel.openAccount(host, 'first');
        for (const { by, what } of turns) {
          const [one, other] = by === 0 ? grounds : [grounds[1], grounds[0]];
          if (what === 'open') await one.openAccount(host, v7());
          if (what === 'open a taken name')
            await expect(one.openAccount(host, 'first')).rejects.toMatchObject({
              code: 'account_name_taken',
            });
          if (what === 'open three at once')
            await Promise.all([1, 2, 3].map(() => one.openAccount(host, v7())));
          if (what === 'open with the other')
            await Promise.all([one.openAccount(host, v7()), other.openAccount(host, v7())]);
        }
        const events = { open: 1, 'open a taken name': 0, 'open three at once': 3, 'open with the other': 2 };
        const [verdict] = await new LogVerifier(kernel.database).verify({ hostId: host });
        expect(verdict?.fault).toBeUndefined();
        expect(verdict?.events).toBe(turns.reduce((sum, { what }) => sum + events[what], 1));
        const times = (await kernel.store.readLog(host, 0, 1000)).map(({ time }) => time);
        expect(times).toEqual([...times].sort());
      }),
      many(15),
    );
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
    await kernel.engine.execute(write(host, commands));
    clearInterval(timer);
    expect(turns).toBeGreaterThan(10);
    expect((await kernel.store.head(host)).position).toBe(1000);
    const closing = commands.map(({ aggregateId }) => new CloseAccount(host, aggregateId, {}));
    await kernel.engine.execute(write(host, closing));
    expect(
      await kernel.database.asOwner.query('SELECT FROM account_t WHERE host_id = $1 AND active', [host]),
    ).toEqual([]);
  });
});
