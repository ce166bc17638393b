import { v7 } from 'uuid';
import { LogVerifier } from '../../../src/kernel/log-verifier.js';
import { eachDatabase } from '../databases.js';
import { RenameAccount, write } from './account.slice.js';
import { Kernel } from './kernel.js';

eachDatabase((open) => {
  let kernel: Kernel;
  let verifier: LogVerifier;
  beforeAll(async () => {
    kernel = await Kernel.on(open);
    verifier = new LogVerifier(kernel.database);
  });

  /** A host with ten events. */
  async function host(): Promise<string> {
    const hostId = v7();
    const id = await kernel.openAccount(hostId, 'a');
    for (let turn = 1; turn < 5; turn += 1) {
      await kernel.engine.execute(
        write(hostId, [new RenameAccount(hostId, id, { name: `n${String(turn)}` })]),
      );
    }
    await kernel.openAccount(hostId, 'b');
    return hostId;
  }

  async function verdictOf(hostId: string, anchors: readonly string[] = []) {
    const [verdict] = await verifier.verify({ hostId, anchors });
    if (verdict === undefined) throw new Error('There is a verdict for each host.');
    return verdict;
  }

  const tamper = (text: string, hostId: string) => kernel.database.asOwner.query(text, [hostId]);

  test('a log that nobody touched is clean, and its anchor is its head', async () => {
    const hostId = await host();
    const { position, hash } = await kernel.store.head(hostId);
    expect(await verdictOf(hostId)).toEqual({
      hostId,
      events: 10,
      erased: [],
      anchor: `${hostId}:${String(position)}:${hash}`,
    });
    const all = await verifier.verify();
    expect(all.map((verdict) => verdict.hostId)).toContain(hostId);
    expect(all.filter(({ fault }) => fault !== undefined)).toEqual([]);
  });

  test.each([
    [
      'data',
      `UPDATE event_store_t SET data = '{"name":"z"}' WHERE host_id = $1 AND position = 4`,
      4,
      'altered',
    ],
    ['user', `UPDATE event_store_t SET user_id = 'eve' WHERE host_id = $1 AND position = 4`, 4, 'altered'],
    [
      'time',
      `UPDATE event_store_t SET time = time + interval '1 ms' WHERE host_id = $1 AND position = 4`,
      4,
      'altered',
    ],
    [
      'hash',
      `UPDATE event_store_t SET hash = repeat('a', 64) WHERE host_id = $1 AND position = 10`,
      10,
      'altered',
    ],
    ['one that is gone', `DELETE FROM event_store_t WHERE host_id = $1 AND position = 4`, 4, 'removed'],
    ['the first that is gone', `DELETE FROM event_store_t WHERE host_id = $1 AND position = 1`, 1, 'removed'],
    [
      'the last that is gone',
      `DELETE FROM event_store_t WHERE host_id = $1 AND position = 10`,
      10,
      'removed',
    ],
    ['the head', `UPDATE host_head_t SET hash = repeat('a', 64) WHERE host_id = $1`, 10, 'altered'],
    [
      'the head, which is behind',
      `UPDATE host_head_t h SET position = 8, hash = e.hash FROM event_store_t e
       WHERE h.host_id = $1 AND e.host_id = $1 AND e.position = 8`,
      9,
      'altered',
    ],
    ['the head, which is gone', 'DELETE FROM host_head_t WHERE host_id = $1', 1, 'altered'],
  ])('finds what was done to %s', async (_, statement, position, finding) => {
    const hostId = await host();
    await tamper(statement, hostId);
    expect((await verdictOf(hostId)).fault).toMatchObject({ position, finding });
  });

  test('finds two events that changed places', async () => {
    const hostId = await host();
    await tamper(
      'UPDATE event_store_t SET position = 100 - position WHERE host_id = $1 AND position IN (4, 6)',
      hostId,
    );
    await tamper(
      'UPDATE event_store_t SET position = position - 90 WHERE host_id = $1 AND position > 90',
      hostId,
    );
    expect((await verdictOf(hostId)).fault).toMatchObject({ position: 4 });
  });

  /** What somebody adds who may write to the database, as the newest version of the host's first account. */
  const added = (position: number) =>
    `INSERT INTO event_store_t SELECT host_id, ${String(position)}, gen_random_uuid(), event_type, 1, aggregate_type,
       aggregate_id, 100 + ${String(Math.abs(position))}, 'mallory', null, source, correlation_id, null, time, '{"name":"owned"}',
       repeat('0', 64), repeat('0', 64) FROM event_store_t WHERE host_id = $1 AND position = 2`;

  test.each([0, -1, -7])('the log takes no event at position %d', async (position) => {
    await expect(tamper(added(position), await host())).rejects.toMatchObject({
      constraint: 'event_store_position_ck',
    });
  });

  test('finds events that were added before the first, by whoever took the rule away', async () => {
    const hostId = await host();
    const [constraint] = await kernel.database.asOwner.query<{ rule: string }>(
      `SELECT pg_get_constraintdef(oid) AS rule FROM pg_constraint WHERE conname = 'event_store_position_ck'`,
    );
    await kernel.database.asOwner.query('ALTER TABLE event_store_t DROP CONSTRAINT event_store_position_ck');
    await tamper(added(0), hostId);
    expect((await verdictOf(hostId)).fault).toMatchObject({ position: 0, finding: 'added' });
    await tamper(added(-7), hostId);
    expect((await verdictOf(hostId)).fault).toMatchObject({
      position: -7,
      finding: 'added',
      detail: expect.stringContaining('2 events'),
    });
    // As on a log in which they stood before there was the rule.
    await kernel.database.asOwner.query(
      `ALTER TABLE event_store_t ADD CONSTRAINT event_store_position_ck ${constraint?.rule ?? ''}`,
    );
  });

  test('finds a log that lost its end together with its head only by an anchor', async () => {
    const hostId = await host();
    const { anchor } = await verdictOf(hostId);
    await tamper('DELETE FROM event_store_t WHERE host_id = $1 AND position > 8', hostId);
    await tamper(
      `UPDATE host_head_t h SET position = 8, hash = e.hash FROM event_store_t e
       WHERE h.host_id = $1 AND e.host_id = $1 AND e.position = 8`,
      hostId,
    );
    expect((await verdictOf(hostId)).fault).toBeUndefined();
    expect((await verdictOf(hostId, [anchor])).fault).toMatchObject({ position: 9, finding: 'removed' });
  });

  test('finds a log that was written anew by an anchor', async () => {
    const hostId = await host();
    const { anchor } = await verdictOf(hostId);
    const other = anchor.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    expect((await verdictOf(hostId, [anchor])).fault).toBeUndefined();
    expect((await verdictOf(hostId, [other])).fault).toMatchObject({ position: 10, finding: 'rewritten' });
    await expect(verifier.verify({ anchors: ['x'] })).rejects.toMatchObject({ code: 'invalid_anchor' });
  });

  test('names events whose data was erased, and the write side goes on with the rest', async () => {
    const hostId = await host();
    await tamper('UPDATE event_store_t SET data = NULL WHERE host_id = $1 AND position = 2', hostId);
    const { erased, fault } = await verdictOf(hostId);
    expect(fault).toBeUndefined();
    expect(erased).toEqual([{ position: 2, id: expect.any(String), event_type: 'AccountRenamedEvent' }]);
    const [first] = await kernel.store.readLog(hostId, 0, 1);
    await kernel.engine.execute(
      write(hostId, [new RenameAccount(hostId, first?.aggregateid ?? '', { name: 'after' })]),
    );
    expect((await verdictOf(hostId)).events).toBe(12);
  });
});
