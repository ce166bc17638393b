import { SlowReads } from './slow-reads.js';

const of = (hostId: string, fingerprint = hostId) => ({ hostId, fingerprint });

/** Reads that are under way until they are let go. */
class Held {
  readonly begun: string[] = [];
  private readonly letGo: (() => void)[] = [];

  constructor(readonly reads: SlowReads) {}

  begin(hostId: string, fingerprint?: string): Promise<void> {
    return this.reads.run(of(hostId, fingerprint), () => {
      this.begun.push(fingerprint ?? hostId);
      return new Promise<void>((resolve) => this.letGo.push(resolve));
    });
  }

  async endAll(): Promise<void> {
    await settled();
    while (this.letGo.length > 0) {
      this.letGo.shift()?.();
      await settled();
    }
  }
}

/** Who has a turn begins some turns of the queue of promises later. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

describe('reads that may take long', () => {
  let held: Held;
  beforeEach(() => {
    held = new Held(new SlowReads(8));
  });

  it('are few of one caller, more of one host, and leave room for other hosts', async () => {
    const all: Promise<void>[] = [];
    for (let n = 0; n < 6; n += 1) all.push(held.begin('a', 'one'));
    await settled();
    expect(held.begun).toEqual(['one', 'one', 'one', 'one']);
    for (let n = 0; n < 6; n += 1) all.push(held.begin('a', 'two'));
    await settled();
    expect(held.begun.filter((who) => who === 'two')).toHaveLength(2);
    for (let n = 0; n < 3; n += 1) all.push(held.begin('b'));
    await settled();
    expect(held.begun.filter((who) => who === 'b')).toHaveLength(2);
    await held.endAll();
    await Promise.all(all);
    expect(held.begun).toHaveLength(15);
  });

  it('that wait begin in the order in which they came, the host with the fewest first', async () => {
    held = new Held(new SlowReads(2));
    const all = [held.begin('a', 'a1'), held.begin('b', 'b1')];
    all.push(held.begin('a', 'a2'), held.begin('a', 'a3'), held.begin('b', 'b2'));
    await held.endAll();
    await Promise.all(all);
    expect(held.begun).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
  });

  it('are refused where too many of the caller wait, and no others are', async () => {
    const all: Promise<void>[] = [];
    for (let n = 0; n < 4 + 64; n += 1) all.push(held.begin('a', 'one'));
    await expect(held.begin('a', 'one')).rejects.toMatchObject({
      status: 429,
      code: 'reads_busy',
      headers: { 'retry-after': '2' },
    });
    all.push(held.begin('a', 'two'));
    await held.endAll();
    await Promise.all(all);
  });

  it('of a host above its budget of time go one by one, and after those of all others', async () => {
    let now = 0;
    const clock = () => now;
    held = new Held(new SlowReads(4, 60_000, clock));
    const all = ['a1', 'a2'].map((caller) => held.begin('a', caller));
    await settled();
    now = 6_000;
    await held.endAll();
    // Twelve seconds are spent of the ten: one more has room, and what comes after it waits, though two turns are free.
    all.push(held.begin('a', 'a3'), held.begin('a', 'a4'), held.begin('b', 'b1'), held.begin('c', 'c1'));
    all.push(held.begin('d', 'd1'), held.begin('e', 'e1'), held.begin('a', 'a5'));
    await settled();
    expect(held.begun).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'd1']);
    await held.endAll();
    expect(held.begun).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'd1', 'e1', 'a4', 'a5']);
    await Promise.all(all);
    // Time gives it back, by two turns at once.
    now += 6_000;
    all.push(held.begin('a', 'a6'), held.begin('a', 'a7'), held.begin('a', 'a8'));
    await settled();
    expect(held.begun.slice(-3)).toEqual(['a6', 'a7', 'a8']);
    await held.endAll();
  });

  it('that wait for their host’s budget begin all together when it is whole again, before who comes then', async () => {
    let now = 0;
    held = new Held(new SlowReads(4, 60_000, () => now));
    const all = ['a1', 'a2'].map((caller) => held.begin('a', caller));
    await settled();
    now = 6_000;
    await held.endAll();
    all.push(...['a3', 'a4', 'a5', 'a6'].map((caller) => held.begin('a', caller)));
    await settled();
    expect(held.begun).toEqual(['a1', 'a2', 'a3']);
    now += 6_000;
    all.push(held.begin('b', 'b1'), held.begin('c', 'c1'));
    await settled();
    expect(held.begun.slice(3).sort()).toEqual(['a4', 'a5', 'b1']);
    await held.endAll();
    await Promise.all(all);
  });

  it('make room where one fails', async () => {
    const reads = new SlowReads(1);
    await expect(reads.run(of('a'), () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await reads.run(of('a'), () => Promise.resolve(1))).toBe(1);
  });

  it('are refused when their turn does not come in time, and wait no longer', async () => {
    held = new Held(new SlowReads(1, 1));
    const first = held.begin('a');
    await expect(held.begin('a')).rejects.toMatchObject({ status: 429, code: 'reads_busy' });
    await held.endAll();
    await first;
    expect(held.begun).toEqual(['a']);
  });
});
