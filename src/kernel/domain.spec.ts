import { Command, type Decider } from './command.js';
import { Domain } from './domain.js';
import { RuleBroken } from './errors.js';
import { eventType, type DomainEvent } from './event.js';
import { aggregate, type Slice } from './slice.js';

class Plant extends Command {
  readonly aggregateType = 'Tree';
}
class Fell extends Command {
  readonly aggregateType = 'Bush';
}

const planted = eventType({
  type: 'TreePlantedEvent',
  aggregateType: 'Tree',
  version: 1,
  schema: { type: 'object' },
});
const decider: Decider<null, Command, DomainEvent> = {
  aggregateType: 'Tree',
  initial: null,
  decide: () => [],
  evolve: () => null,
};
const trees: Slice = {
  name: 'trees',
  events: [planted],
  aggregates: [aggregate(decider, [Plant])],
  projections: [
    { name: 'trees', tables: ['tree_t'], handles: ['TreePlantedEvent'], apply: () => Promise.resolve() },
  ],
  uniqueRules: { tree_uk: { code: 'tree_exists', detail: 'There is such a tree.' } },
};

test('finds the decider of a command by its aggregate', () => {
  const domain = new Domain([trees]);
  expect(domain.deciderOf(new Plant('h', 'a', {}))).toBe(decider);
  expect(() => domain.deciderOf(new Fell('h', 'a', {}))).toThrow('No slice declares the aggregate Bush');
});

test('speaks of a broken unique rule in the words of its slice', () => {
  const domain = new Domain([trees]);
  const violation = (constraint: string) =>
    Object.assign(new Error('duplicate'), { code: '23505', constraint });
  expect(domain.asRefusal(violation('tree_uk'))).toEqual(
    new RuleBroken('tree_exists', 'There is such a tree.'),
  );
  const others = [violation('other_uk'), new Error('else'), 'text'];
  for (const other of others) expect(domain.asRefusal(other)).toBe(other);
});

test.each<[string, Partial<Slice>, string]>([
  ['event type', { aggregates: [], projections: [] }, 'TreePlantedEvent is declared twice'],
  ['aggregate', { events: [], projections: [] }, 'Tree is declared twice'],
  ['table', { events: [], aggregates: [] }, 'tree_t is declared twice'],
])('refuses a second declaration of one %s', (_, less, message) => {
  expect(() => new Domain([trees, { ...trees, ...less }])).toThrow(message);
});

test('refuses a projection or a reaction of events that nobody declares', () => {
  expect(() => new Domain([{ ...trees, events: [] }])).toThrow('TreePlantedEvent is not declared');
  const reactions = [{ name: 'r', on: ['OtherEvent'], react: () => Promise.resolve([]) }];
  expect(() => new Domain([{ ...trees, reactions }])).toThrow('OtherEvent is not declared');
});
