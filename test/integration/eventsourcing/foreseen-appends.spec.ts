import fc from 'fast-check';
import { v7 } from 'uuid';
import { CommandEngine } from '../../../src/eventsourcing/command-engine.js';
import { LogVerifier } from '../../../src/eventsourcing/log-verifier.js';
import type { Database } from '../../../src/eventsourcing/sql.js';
import { eachDatabase } from '../databases.js';
import { overheard } from '../overheard.js';
import { OpenAccount, RenameAccount, write } from './account.slice.js';
import { Ground } from './ground.js';

eachDatabase((open) => {
  let ground: Ground;
  /** How each append went to the database. */
  let appends: ('asked' | 'foreseen')[] = [];
  beforeAll(async () => {
    ground = await Ground.on(open);
  });
  beforeEach(() => (appends = []));

  /** An instance of the service; `appends` hears of all that it sends. */
  const instance = () => new CommandEngine(heard(ground.database), ground.domain, ground.heads);
  const heard = (database: Database): Database => ({
    ...overheard(database, () => undefined),
    of: (hostId) => ({
      query: (...call) => database.of(hostId).query(...call),
      transaction: (work) =>
        database.of(hostId).transaction((tx) =>
          work({
            send: (...call) => {
              if (call[2] === 'append_events') appends.push('foreseen');
              tx.send(...call);
            },
            query: (...call) => {
              if (call[2] === 'append_events') appends.push('asked');
              return tx.query(...call);
            },
          }),
        ),
    }),
  });
  const opening = (engine: CommandEngine, hostId: string, name: string = v7(), id = v7()) =>
    engine.execute(write(hostId, [new OpenAccount(hostId, id, { name })], { mode: 'optimistic' }));
  /** The log is whole: positions without gaps, hashes that follow each other, times that never run backwards. */
  const expectWhole = async (hostId: string, events: number) => {
    const [verdict] = await new LogVerifier(ground.database).verify({ hostId });
    expect(verdict).toMatchObject({ events });
    expect(verdict?.fault).toBeUndefined();
    const times = (await ground.store.readLog(hostId, 0, 1000)).map(({ time }) => time);
    expect(times).toEqual([...times].sort());
    expect(Math.abs(Date.parse(times.at(-1) ?? '') - Date.now())).toBeLessThan(60_000);
    const rows = await ground.database
      .of(hostId)
      .query<{ position: number }>('SELECT position FROM account_t WHERE host_id = $1', [hostId]);
    expect(new Set(rows.map(({ position }) => position)).size).toBe(rows.length);
  };

  /** Writes until the place of a write was foreseen; gives how many it took. A slow answer is no time to go by. */
  const openUntilForeseen = async (engine: CommandEngine, hostId: string): Promise<number> => {
    for (let events = 1; events <= 100; events += 1) {
      const { body } = await opening(engine, hostId);
      expect(JSON.parse(body)).toMatchObject({ position: events });
      if (appends.at(-1) === 'foreseen') return events;
    }
    throw new Error(`No append was foreseen: ${appends.join()}.`);
  };

  test('who alone writes to a host waits for no answer from the third write on', async () => {
    const [hostId, engine] = [v7(), instance()];
    const events = await openUntilForeseen(engine, hostId);
    expect(events).toBeGreaterThan(2);
    expect(appends).toEqual([...Array<string>(events - 1).fill('asked'), 'foreseen']);
    const { body } = await opening(engine, hostId);
    expect(JSON.parse(body)).toMatchObject({ position: events + 1 });
    await expectWhole(hostId, events + 1);
  });

  test('a write of another instance in between is found out, and nothing is lost or doubled', async () => {
    const [hostId, engine, another] = [v7(), instance(), instance()];
    const events = await openUntilForeseen(engine, hostId);
    await opening(another, hostId);
    const { body } = await opening(engine, hostId);
    expect(JSON.parse(body)).toMatchObject({ position: events + 2 });
    expect(appends.slice(-3)).toEqual(['asked', 'foreseen', 'asked']);
    await expectWhole(hostId, events + 2);
  });

  test('a refusal is the same, and leaves no trace', async () => {
    const [hostId, engine] = [v7(), instance()];
    for (const name of ['a', 'b', 'c']) await opening(engine, hostId, name);
    await expect(opening(engine, hostId, 'a')).rejects.toMatchObject({ code: 'account_name_taken' });
    await expect(opening(engine, hostId, 'nul \u0000')).rejects.toMatchObject({ code: 'invalid_text' });
    await opening(engine, hostId, 'd');
    await expectWhole(hostId, 4);
  });

  test('whoever writes, in whatever order and at once, the log stays whole', async () => {
    const turn = fc.record({
      by: fc.nat(1),
      what: fc.constantFrom('open', 'rename', 'open three at once', 'open with the other'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 12 }), async (turns) => {
        const [hostId, account] = [v7(), v7()];
        const engines = [instance(), instance()] as const;
        await opening(engines[0], hostId, 'first', account);
        let events = 1;
        for (const { by, what } of turns) {
          const [engine = engines[0], other = engines[1]] = by === 0 ? engines : [...engines].reverse();
          const renaming = () =>
            engine.execute(write(hostId, [new RenameAccount(hostId, account, { name: v7() })]));
          if (what === 'open') await opening(engine, hostId);
          if (what === 'rename') await renaming();
          if (what === 'open three at once') await Promise.all([1, 2, 3].map(() => opening(engine, hostId)));
          if (what === 'open with the other')
            await Promise.all([opening(engine, hostId), opening(other, hostId)]);
          const appended = { 'open three at once': 3, 'open with the other': 2, rename: 0, open: 1 }[what];
          events = what === 'rename' ? (await ground.store.head(hostId)).position : events + appended;
        }
        await expectWhole(hostId, events);
      }),
      { numRuns: 25 },
    );
  });
});
