import { RankingPool } from './paged-ranking.pool.js';

/** Evaluations that are under way until they are let go: none begins a step, so that no process starts. */
class Held {
  readonly begun: string[] = [];
  private readonly ends = new Map<string, () => void>();

  constructor(readonly pool: RankingPool) {}

  begin(hostId: string): Promise<void> {
    return this.pool.run(hostId, () => {
      this.begun.push(hostId);
      return new Promise<void>((resolve) => this.ends.set(hostId, resolve));
    });
  }

  async end(hostId: string): Promise<void> {
    this.ends.get(hostId)?.();
    await settled();
  }
}

/** Who has a turn begins some turns of the queue of promises later. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

const busy = { status: 429, code: 'reads_busy', headers: { 'retry-after': '10' } };

describe('evaluations that are ranked apart', () => {
  let held: Held;
  beforeEach(() => {
    held = new Held(new RankingPool({ processes: 2 }));
  });

  it('are one of a host, also while it waits; the next is refused at once, and says why', async () => {
    const all = ['a', 'b', 'c'].map((host) => held.begin(host));
    for (const host of ['a', 'c'])
      await expect(held.begin(host)).rejects.toMatchObject({
        ...busy,
        message: expect.stringContaining('this host'),
      });
    expect(held.begun).toEqual(['a', 'b']);
    for (const host of ['a', 'b', 'c']) await held.end(host);
    await Promise.all(all);
    expect(held.begun).toEqual(['a', 'b', 'c']);
  });

  it('of other hosts wait for their turn, in the order in which they came, and the host may ask again', async () => {
    const all = ['a', 'b', 'c', 'd'].map((host) => held.begin(host));
    await held.end('b');
    expect(held.begun).toEqual(['a', 'b', 'c']);
    all.push(held.begin('b'));
    await held.end('a');
    await held.end('c');
    expect(held.begun).toEqual(['a', 'b', 'c', 'd', 'b']);
    for (const host of ['b', 'd']) await held.end(host);
    await Promise.all(all);
  });

  it('are refused where too many hosts wait, and no others are', async () => {
    const hosts = Array.from({ length: 2 + 16 }, (_, at) => `host ${String(at)}`);
    const all = hosts.map((host) => held.begin(host));
    await expect(held.begin('z')).rejects.toMatchObject({
      ...busy,
      message: expect.stringContaining('other hosts'),
    });
    for (const host of hosts) await held.end(host);
    await Promise.all(all);
    expect(held.begun).toEqual(hosts);
  });

  it('make room where one fails', async () => {
    const failing = () => held.pool.run('a', () => Promise.reject(new Error('no')));
    await expect(failing()).rejects.toThrow('no');
    await expect(failing()).rejects.toThrow('no');
  });

  it('are refused when the service stops, those that wait too', async () => {
    const { pool } = held;
    let letGo = (): void => undefined;
    const gate = new Promise<void>((resolve) => (letGo = resolve));
    const running = pool.run('a', async (ranking) => {
      await gate;
      return ranking.scores(['one']);
    });
    const other = held.begin('b');
    const waiting = held.begin('c');
    const stopped = Promise.allSettled([running, waiting, pool.run('d', () => Promise.resolve())]);
    await pool.onApplicationShutdown();
    letGo();
    for (const one of await stopped) expect(one).toMatchObject({ reason: { status: 503, code: 'stopping' } });
    await held.end('b');
    await other;
  });
});
