import { prioritiesOf, weightOf } from './weight.js';

const giving = (priority: number, link?: unknown) => ({
  ...{ skill: { priority }, tool: { config: link === undefined ? {} : { priority: link } } },
});

it('the priorities of assignment and link raise up to a fifth each, and never lower', () => {
  const raised = (priority: number, linkPriority: number) =>
    weightOf({ priority, linkPriority }, false).priority;
  expect([raised(0, 0), raised(10, 0), raised(0, 10), raised(-5, -5)]).toEqual([1, 1.1, 1.1, 1]);
  expect(raised(10, 10)).toBeCloseTo(1.21);
  expect(raised(1e9, 1e9)).toBeLessThan(1.44);
});

it('a tool that several skills give weighs as with the one that counts most', () => {
  expect(prioritiesOf([giving(1), giving(5, 5), giving(0, 8)])).toEqual({ priority: 5, linkPriority: 5 });
  expect(prioritiesOf([giving(-3, 'high')])).toEqual({ priority: 0, linkPriority: 0 });
  expect(prioritiesOf([])).toEqual({ priority: 0, linkPriority: 0 });
});
