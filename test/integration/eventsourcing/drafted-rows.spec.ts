import { v7 } from 'uuid';
import { CommandEngine } from '../../../src/eventsourcing/command-engine.js';
import { Domain } from '../../../src/eventsourcing/domain.js';
import type { Projection } from '../../../src/eventsourcing/projection.js';
import type { Database } from '../../../src/eventsourcing/sql.js';
import { eachDatabase } from '../databases.js';
import { overheard } from '../overheard.js';
import { AccountRow, accountSlice, OpenAccount, RenameAccount, write } from './account.slice.js';
import { Ground } from './ground.js';
import { RowChanges } from '../../../src/platform/database/row-changes.js';

eachDatabase((open) => {
  let ground: Ground;
  beforeAll(async () => {
    ground = await Ground.on(open);
  });

  /** The service with another projection of accounts. */
  const engineWith = (apply: Projection['apply'], database: Database = ground.database) => {
    const projections = accountSlice.projections.map((projection) => ({ ...projection, apply }));
    return new CommandEngine(database, new Domain([{ ...accountSlice, projections }]), ground.heads);
  };
  const applied: Projection['apply'] = (tx, events) => accountSlice.projections[0]?.apply(tx, events);
  const opened = (host: string, count: number) =>
    Array.from(
      { length: count },
      (_, index) => new OpenAccount(host, v7(), { name: `many ${String(index)}` }),
    );

  /** Each row says of itself what the log says of the last event of its stream. */
  const expectRowsAsLogged = async (host: string, accounts: number) => {
    const log = await ground.store.readLog(host, 0, 10_000);
    const latest = new Map(
      log
        .filter(({ aggregatetype }) => aggregatetype === 'Account')
        .map((event) => [event.aggregateid, event]),
    );
    const rows = await ground.database
      .of(host)
      .query<AccountRow>('SELECT * FROM account_t WHERE host_id = $1', [host]);
    expect(rows).toHaveLength(accounts);
    for (const { account_id: id, position, update_ts: time, aggregate_version: version } of rows)
      expect({ position, time, version }).toEqual({
        position: latest.get(id)?.position,
        time: latest.get(id)?.time,
        version: latest.get(id)?.aggregateversion,
      });
  };

  test.each(['optimistic', 'locked'] as const)(
    'rows of a large write (%s) stand where their events do, whoever else writes',
    async (mode) => {
      const host = v7();
      const many = opened(host, 300);
      const small = (index: number) => ground.openAccount(host, `small ${String(index)}`);
      await Promise.all([
        small(1),
        ground.engine.execute(write(host, many, { mode })),
        ...[2, 3, 4, 5].map(small),
      ]);
      await expectRowsAsLogged(host, 305);
      const renamed = many.map(
        ({ aggregateId }, index) => new RenameAccount(host, aggregateId, { name: `new ${String(index)}` }),
      );
      await Promise.all([small(6), ground.engine.execute(write(host, renamed, { mode })), small(7)]);
      await expectRowsAsLogged(host, 307);
    },
  );

  test('they are made before the host is locked', async () => {
    const happened: string[] = [];
    const database = overheard(ground.database, (text) => {
      if (/\block/i.test(text)) happened.push('locked');
    });
    const engine = engineWith((tx, events) => {
      happened.push('made');
      return applied(tx, events);
    }, database);
    const host = v7();
    await engine.execute(write(host, opened(host, 300), { mode: 'optimistic' }));
    expect(happened[0]).toBe('made');
    expect(happened).toContain('locked');
    expect(happened.filter((what) => what === 'made')).toHaveLength(1);
  });

  test('where the world has changed meanwhile they are made anew', async () => {
    const host = v7();
    const stood = [false, true];
    const attempts: number[] = [];
    await ground.openAccount(host, 'first');
    await ground.engine.execute({
      ...write(host, opened(host, 300), { mode: 'optimistic' }),
      stillHolds: () => {
        attempts.push(attempts.length);
        return Promise.resolve(stood.shift() ?? true);
      },
    });
    expect(attempts).toHaveLength(2);
    await expectRowsAsLogged(host, 301);
  });

  test.each([
    ['takes the place for a part of a document', (position: number) => ({ position })],
    ['reckons with it', (position: number) => position + 1],
    ['compares it', (position: number) => position > 7],
  ])('a projection that %s is told so, and nothing is written', async (_, historyOf) => {
    const host = v7();
    const engine = engineWith((tx, events) => {
      const rows = new RowChanges(AccountRow);
      for (const { aggregateid, position, time } of events) {
        const history = historyOf(position);
        const columns = { name: aggregateid, tags: [], history, active: true, aggregate_version: 1 };
        rows.set({ host_id: host, account_id: aggregateid }, { ...columns, position, update_ts: time }, true);
      }
      rows.write(tx);
    });
    await expect(engine.execute(write(host, opened(host, 300), { mode: 'optimistic' }))).rejects.toThrow(
      'The position of event 1 is not known yet',
    );
    expect((await ground.store.head(host)).position).toBe(0);
  });
});
