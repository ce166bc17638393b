import { GivenHeads } from '../../test/given-heads.js';
import { Domain } from '../kernel/domain.js';
import type { RecordedEvent } from '../kernel/event.js';
import { endpointSlice } from '../endpoints/endpoint.slice.js';
import { gatewaySlice } from '../gateways/gateway.slice.js';
import { skillSlice } from '../skills/skill.slice.js';
import { toolSlice } from '../tools/tool.slice.js';
import { workflowSlice } from '../workflows/workflow.slice.js';
import { LatestWrites, MAX_EVENTS } from './latest-writes.service.js';

const idOf = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const [mine, others] = [idOf(1), idOf(2)];
const ids = new Set([mine]);

describe('the latest writes', () => {
  let heads: GivenHeads;
  let writes: LatestWrites;
  beforeEach(() => {
    heads = new GivenHeads();
    writes = new LatestWrites(
      heads,
      new Domain([endpointSlice, toolSlice, workflowSlice, gatewaySlice, skillSlice]),
    );
  });

  /** Notes a write whose events name these ids, up to a position. */
  const wrote = (
    position: number,
    names: readonly string[],
    type = 'SkillCreatedEvent',
    hostId = 'a',
  ): void => {
    const events = names.map((aggregateid) => ({ type, aggregateid, data: {} }));
    heads.committed({ hostId, position, events: events as unknown as RecordedEvent[] });
  };
  const validThrough = (position: number): number => writes.validThrough('a', position, ids);

  it('leave what they do not affect as it is', () => {
    wrote(11, [others]);
    wrote(13, [others, others]);
    expect([9, 10, 11, 12, 13].map(validThrough)).toEqual([9, 13, 13, 12, 13]);
  });

  it('end it where one names an id of it, or may affect everybody', () => {
    wrote(11, [others]);
    wrote(13, [others, mine]);
    wrote(14, [others]);
    wrote(15, [others], 'GatewayCreatedEvent');
    expect([validThrough(10), validThrough(13), validThrough(14)]).toEqual([11, 14, 14]);
  });

  it('say nothing over a gap, until it is filled', () => {
    wrote(11, [others]);
    wrote(13, [others]);
    expect(validThrough(10)).toBe(11);
    wrote(12, [others]);
    expect(validThrough(10)).toBe(13);
  });

  it('say nothing of another host', () => {
    wrote(11, [others], 'SkillCreatedEvent', 'b');
    expect(validThrough(10)).toBe(10);
  });

  it('may affect everybody where they are long', () => {
    const many = (length: number) => Array.from({ length }, () => others);
    wrote(MAX_EVENTS - 1, many(MAX_EVENTS - 1));
    wrote(2 * MAX_EVENTS - 1, many(MAX_EVENTS));
    expect(validThrough(0)).toBe(MAX_EVENTS - 1);
  });

  it('are not gone through for long: it is as fast to ask', () => {
    for (let position = 1; position <= 2_000; position += 1) wrote(position, [others]);
    expect(validThrough(0)).toBeGreaterThan(100);
    expect(validThrough(0)).toBeLessThan(1_000);
  });

  it('are forgotten in time, the oldest first', () => {
    const wide = Array.from({ length: 100 }, (_, n) => idOf(100 + n));
    for (let n = 1; n <= 1_500; n += 1) wrote(n * 100, wide);
    expect(validThrough(0)).toBe(0);
    expect(validThrough(149_800)).toBe(150_000);
  });

  it('tell nothing any more once the service has ended', () => {
    writes.onModuleDestroy();
    wrote(11, [others]);
    expect(validThrough(10)).toBe(10);
  });
});
