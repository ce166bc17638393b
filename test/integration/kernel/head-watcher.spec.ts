import { v7 } from 'uuid';
import { HeadWatcher } from '../../../src/kernel/heads.js';
import type { Database, Session } from '../../../src/kernel/sql.js';
import { until } from '../../until.js';
import { eachDatabase } from '../databases.js';
import { overheard } from '../overheard.js';
import { Kernel } from './kernel.js';

const { jest } = import.meta;

eachDatabase((open, kind) => {
  let kernel: Kernel;
  const watchers: HeadWatcher[] = [];
  beforeAll(async () => {
    kernel = await Kernel.on(open);
  });
  afterAll(() => {
    kernel.heads.onModuleDestroy();
    for (const watcher of watchers) watcher.onModuleDestroy();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** From here on the clock of the watchers, and of their polls, goes by `advanceTimersByTime` alone. */
  const stopClock = (): void => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'setTimeout', 'Date'] });
  };

  const watcher = (database: Database = kernel.database): HeadWatcher => {
    const made = new HeadWatcher(database);
    watchers.push(made);
    return made;
  };

  /** A database whose first answers, so many, are held back until `answer` is called; it is not polled. */
  const slowDatabase = (slow: number) => {
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    const asked: string[] = [];
    const silent = () => new Promise<never>(() => undefined);
    const database: Database = {
      ...overheard(kernel.database, () => undefined),
      of: (hostId) => ({
        ...kernel.database.of(hostId),
        async query(...call) {
          asked.push(hostId);
          const isSlow = asked.length <= slow;
          const rows = await kernel.database.of(hostId).query<never>(...call);
          if (isSlow) await held;
          return rows;
        },
      }),
      acrossHosts: { query: silent, transaction: silent },
      session: silent,
    };
    return { database, asked, answer };
  };

  test('forgets hosts that nobody has asked about for long, but none that somebody follows', async () => {
    // One that is not polled: ten minutes of polls at once would open a connection for each that seems to hang.
    const heads = watcher(slowDatabase(0).database);
    const [asked, followed, late] = [v7(), v7(), v7()];
    stopClock();
    await heads.position(asked);
    const subscription = heads.changesOf(followed).subscribe();
    expect(heads.remembered).toBe(2);
    jest.advanceTimersByTime(599_000);
    heads.freshPosition(late);
    expect(heads.remembered).toBe(3);
    jest.advanceTimersByTime(62_000);
    // What is there is forgotten where another comes.
    heads.freshPosition(v7());
    expect(heads.remembered).toBe(3);
    expect(await heads.position(asked)).toBe(0);
    subscription.unsubscribe();
  });

  test('knows nothing at first, then the end of the log, and its own writes at once', async () => {
    const host = v7();
    expect(kernel.heads.freshPosition(host)).toBeUndefined();
    expect(await kernel.heads.position(host)).toBe(0);
    // However long the commit takes.
    stopClock();
    await kernel.openAccount(host, 'a');
    expect(kernel.heads.freshPosition(host)).toBe(1);
    expect(await kernel.heads.position(host)).toBe(1);
  });

  test('tells of its own writes', async () => {
    const host = v7();
    const seen: number[] = [];
    const subscription = kernel.heads.changesOf(host).subscribe((position) => seen.push(position));
    await kernel.openAccount(host, 'a');
    await kernel.openAccount(host, 'b');
    subscription.unsubscribe();
    await kernel.openAccount(host, 'c');
    expect(seen.filter((position) => position > 0)).toEqual([1, 2]);
  });

  test('tells each own write with its events before its reply, also those that share a commit', async () => {
    const host = v7();
    const positions = new Map<string, number>();
    const subscription = kernel.heads.written.subscribe(({ hostId, position, events }) => {
      if (hostId !== host) return;
      expect(events.at(-1)?.position).toBe(position);
      for (const event of events) positions.set(event.aggregateid, event.position);
    });
    const open = async (name: string): Promise<void> => {
      const accountId = await kernel.openAccount(host, name);
      expect(positions.has(accountId)).toBe(true);
    };
    const names = Array.from({ length: 20 }, (_, index) => `own ${String(index)}`);
    await Promise.all(names.map(open));
    await kernel.another().openAccount(host, 'of another');
    subscription.unsubscribe();
    expect([...positions.values()].sort((a, b) => a - b)).toEqual(names.map((_, index) => index + 1));
  });

  test('has at most two questions under way on a slow database, and one on the embedded, however many ask', async () => {
    stopClock();
    const host = v7();
    const { database, asked, answer } = slowDatabase(Infinity);
    const other = watcher(database);
    const answers = [other.position(host)];
    for (let count = 1; count <= 3; count += 1) {
      jest.advanceTimersByTime(100);
      answers.push(other.position(host), other.position(host));
    }
    expect(asked).toHaveLength(kind === 'server' ? 2 : 1);
    answer();
    expect(await Promise.all(answers)).toEqual(answers.map(() => 0));
    expect(asked).toHaveLength(kind === 'server' ? 3 : 1);
  });

  if (kind === 'server') {
    test('sees within a moment what another instance has written, as long as somebody listens', async () => {
      const host = v7();
      const other = watcher();
      const seen: number[] = [];
      const subscription = other.changesOf(host).subscribe((position) => seen.push(position));
      for (const position of [0, 1]) {
        await until(
          () => seen,
          (positions) => positions.includes(position),
        );
        if (position === 0) await kernel.openAccount(host, 'a');
      }
      subscription.unsubscribe();
    });

    test('never calls fresh what another instance has outdated for more than 100 ms', async () => {
      stopClock();
      const host = v7();
      const other = watcher();
      await other.position(host);
      for (let count = 1; count <= 20; count += 1) {
        await kernel.openAccount(host, String(count));
        for (let waited = 0; waited < 100; waited += 10) {
          other.freshPosition(host);
          jest.advanceTimersByTime(10);
          // Long enough for an answer to come, and for none.
          if (count % 2 === 0) await kernel.database.asOwner.query('SELECT 1');
        }
        expect(other.freshPosition(host) ?? count).toBe(count);
        expect(await other.position(host)).toBe(count);
      }
    });

    test('shares no answer with one whose question was sent too long ago', async () => {
      stopClock();
      const host = v7();
      const { database, answer } = slowDatabase(1);
      const other = watcher(database);
      const before = other.position(host);
      await kernel.openAccount(host, 'a');
      jest.advanceTimersByTime(100);
      const after = other.position(host);
      expect(await after).toBe(1);
      answer();
      await before;
    });

    test('a connection that hangs silently makes nobody wait: the database is asked', async () => {
      stopClock();
      const host = v7();
      let hangs = true;
      let hung = 0;
      let closed = 0;
      const silent = { query: () => new Promise<never>(() => undefined) };
      const hanging: Session = {
        ...{ of: () => silent, acrossHosts: silent, asOwner: silent },
        close: () => (closed += 1),
        onEnd: () => undefined,
      };
      const database = Object.assign(Object.create(kernel.database) as typeof kernel.database, {
        session: () => {
          if (!hangs) return kernel.database.session();
          hung += 1;
          return Promise.resolve(hanging);
        },
      });
      const other = watcher(database);
      expect(await other.position(host)).toBe(0);
      await kernel.openAccount(host, 'a');
      jest.advanceTimersByTime(100);
      expect(other.freshPosition(host)).toBeUndefined();
      expect(await other.position(host)).toBe(1);
      // Each is given up after half a second, and replaced.
      const aMomentLater = (): number | undefined => {
        jest.advanceTimersByTime(10);
        return other.freshPosition(host);
      };
      await until(aMomentLater, () => closed > 0);
      hangs = false;
      const seen = await until(aMomentLater, (position) => position !== undefined);
      expect(seen).toBe(1);
      expect(closed).toBe(hung);
    });
  }
});
