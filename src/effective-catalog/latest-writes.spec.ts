import { ToldHeads } from '../../test/told-heads.js';
import type { RecordedEvent } from '../eventsourcing/event.js';
import { mostLookedAt } from './catalog.concern.js';
import { LatestWrites } from './latest-writes.service.js';

const idOf = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const [mine, others] = [idOf(1), idOf(2)];
const ids = new Set([mine]);

describe('the latest writes', () => {
  let heads: ToldHeads;
  let writes: LatestWrites;
  beforeEach(() => {
    heads = new ToldHeads();
    writes = new LatestWrites(heads);
  });

  /** A write whose events name these ids, up to a position. */
  const told = (position: number, names: readonly string[], aggregatetype = 'Skill', hostId = 'a'): void => {
    const events = names.map((aggregateid) => ({ aggregatetype, aggregateid, data: {} }));
    heads.committed({ hostId, position, events: events as unknown as RecordedEvent[] });
  };
  const heldUpTo = (position: number): number => writes.heldUpTo('a', position, ids);

  it('leave what they do not concern as it is', () => {
    told(11, [others]);
    told(13, [others, others]);
    expect([9, 10, 11, 12, 13].map(heldUpTo)).toEqual([9, 13, 13, 12, 13]);
  });

  it('end it where one names an id of it, or may concern everybody', () => {
    told(11, [others]);
    told(13, [others, mine]);
    told(14, [others]);
    told(15, [others], 'Gateway');
    expect([heldUpTo(10), heldUpTo(13), heldUpTo(14)]).toEqual([11, 14, 14]);
  });

  it('say nothing over a gap, until it is told', () => {
    told(11, [others]);
    told(13, [others]);
    expect(heldUpTo(10)).toBe(11);
    told(12, [others]);
    expect(heldUpTo(10)).toBe(13);
  });

  it('say nothing of another host', () => {
    told(11, [others], 'Skill', 'b');
    expect(heldUpTo(10)).toBe(10);
  });

  it('may concern everybody where they are long', () => {
    const many = (length: number) => Array.from({ length }, () => others);
    told(mostLookedAt - 1, many(mostLookedAt - 1));
    told(2 * mostLookedAt - 1, many(mostLookedAt));
    expect(heldUpTo(0)).toBe(mostLookedAt - 1);
  });

  it('are not gone through for long: it is as fast to ask', () => {
    for (let position = 1; position <= 2_000; position += 1) told(position, [others]);
    expect(heldUpTo(0)).toBeGreaterThan(100);
    expect(heldUpTo(0)).toBeLessThan(1_000);
  });

  it('are forgotten in time, the oldest first', () => {
    const wide = Array.from({ length: 100 }, (_, n) => idOf(100 + n));
    for (let n = 1; n <= 1_500; n += 1) told(n * 100, wide);
    expect(heldUpTo(0)).toBe(0);
    expect(heldUpTo(149_800)).toBe(150_000);
  });

  it('tell nothing any more once the service has ended', () => {
    writes.onModuleDestroy();
    told(11, [others]);
    expect(heldUpTo(10)).toBe(10);
  });
});
