import { v7 } from 'uuid';
import { turns } from '../../turns.js';
import { eachDatabase } from '../databases.js';
import { OpenAccount, RenameAccount, write } from './account.slice.js';
import { Kernel } from './kernel.js';

eachDatabase((open) => {
  let kernel: Kernel;
  beforeAll(async () => {
    kernel = await Kernel.on(open);
  });

  /** Begins all of them while the table of heads is locked: none is done before the last has come. */
  const atOnce = async <Answer>(
    writes: readonly (() => Promise<Answer>)[],
  ): Promise<PromiseSettledResult<Answer>[]> => {
    const begun = await kernel.database.asOwner.transaction(async (tx) => {
      await tx.query('LOCK TABLE host_head_t IN EXCLUSIVE MODE');
      const all = Promise.allSettled(writes.map((write) => write()));
      // Until each has got as far as it can by itself.
      await turns(20);
      return { all };
    });
    return begun.all;
  };

  const opening = (host: string, name: string) =>
    kernel.engine.execute(write(host, [new OpenAccount(host, v7(), { name })]));

  /** How many transactions have written the host's log. */
  const commits = async (host: string): Promise<number> => {
    const [row] = await kernel.database.asOwner.query<{ count: number }>(
      'SELECT count(DISTINCT xmin::text)::int AS count FROM event_store_t WHERE host_id = $1',
      [host],
    );
    return row?.count ?? 0;
  };

  test('writes of one host that wait for their turn share a commit, and each is answered for itself', async () => {
    const host = v7();
    const names = Array.from({ length: 30 }, (_, index) => `account ${String(index)}`);
    const settled = await atOnce(names.map((name) => () => opening(host, name)));
    const answers = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(answers.map(({ position }) => position).sort((a, b) => a - b)).toEqual(
      names.map((_, at) => at + 1),
    );
    const log = await kernel.store.readLog(host, 0, 100);
    for (const { id, position } of answers) expect(log[position - 1]?.aggregateid).toBe(id);
    expect(await commits(host)).toBeLessThan(10);
  });

  test('one that is refused takes none of the others with it, nor do the events that they share a commit with', async () => {
    const host = v7();
    const absent = () => kernel.engine.execute(write(host, [new RenameAccount(host, v7(), { name: 'x' })]));
    const settled = await atOnce<unknown>(
      Array.from(
        { length: 20 },
        (_, index) => () => (index % 2 === 0 ? opening(host, `a ${String(index)}`) : absent()),
      ),
    );
    expect(settled.map(({ status }) => status)).toEqual(
      settled.map((_, index) => (index % 2 === 0 ? 'fulfilled' : 'rejected')),
    );
    expect((await kernel.store.head(host)).position).toBe(10);
    expect(await commits(host)).toBeLessThan(10);
  });

  test('where a row is refused, each goes alone: all are in the log but those that broke the rule', async () => {
    const host = v7();
    const names = Array.from({ length: 20 }, (_, index) => `account ${String(index % 15)}`);
    const settled = await Promise.allSettled(names.map((name) => opening(host, name)));
    const refused = settled.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(refused).toHaveLength(5);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'account_name_taken' });
    expect((await kernel.store.head(host)).position).toBe(15);
  });

  test('a later one sees what an earlier one wrote', async () => {
    const host = v7();
    const accountId = v7();
    const steps = [
      new OpenAccount(host, accountId, { name: 'first' }),
      ...Array.from({ length: 8 }, (_, index) => new RenameAccount(host, accountId, { name: String(index) })),
    ];
    const answers = await Promise.all(steps.map((step) => kernel.engine.execute(write(host, [step]))));
    expect(answers.map(({ version }) => version)).toEqual(steps.map((_, index) => index + 1));
  });
});
