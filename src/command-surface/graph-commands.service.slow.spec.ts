import fc from 'fast-check';
import { Invalid } from '../kernel/errors.js';
import { readQuery } from '../graph/graph.lookup.js';
import { jsonValidator } from '../platform/validation/validator.js';
import { parametersOf, type Parameters } from './agent-command.js';
import {
  aggregateNodes,
  exploreNeighbors,
  findNodes,
  findPaths,
  traverseRelationships,
} from './graph-commands.service.js';
import { graphSpecs } from './graph-commands.js';
import { isSoak, many } from '../../test/soak.js';

const commands = {
  find_nodes: findNodes,
  traverse_relationships: traverseRelationships,
  explore_neighbors: exploreNeighbors,
  find_paths: findPaths,
  aggregate_nodes: aggregateNodes,
} as const;
type Name = keyof typeof commands;
const names = Object.keys(commands) as Name[];

const evil = ["'; DROP TABLE tool_t; --", 'n.name', '-n', '$1', '__proto__', 'tool_t', '', 'x'.repeat(64)];
const odd = fc.oneof(fc.constantFrom<unknown>(...evil), fc.jsonValue({ maxDepth: 2 }));
const filters = fc.oneof(
  fc.constantFrom({ name: 'a' }, { destructive: true }, { name: { contains: "' OR 1=1" } }),
  fc.dictionary(fc.constantFrom('name', 'destructive', 'updatedAt', ...evil), odd, { maxKeys: 2 }),
);
const entity = fc.constantFrom('Tool', 'Skill', 'Agent');
const selector = fc.record({ entity, filters }, { requiredKeys: ['entity'] });
const node = fc.record(
  { id: fc.constantFrom('a', 'b'), entity, filters },
  { requiredKeys: ['id', 'entity'] },
);
const member = {
  ...{ entity, filters, from: selector, to: selector, nodes: fc.array(node, { minLength: 1, maxLength: 2 }) },
  relationships: fc.constant([{ type: 'USES_TOOL', from: 'a', to: 'b' }]),
  aggregations: fc.constantFrom([{ count: 'a' }], [{ min: 'a.name' }], [{ sum: 'b.x' }]),
  order_by: fc.constantFrom('name', '-name', 'a.name', '-__proto__'),
  ...{ node_id: fc.constantFrom(...evil), node_types: fc.constantFrom(['Tool'], ['Skill', 'Tool']) },
  ...{ max_depth: fc.integer({ min: 0, max: 4 }), limit: fc.integer({ min: 0, max: 1001 }) },
  after: fc.string({ maxLength: 40 }),
};
const given = fc.record(member, { requiredKeys: [] });

it('become queries that can be run, or are refused with what is wrong', () => {
  const checks = new Map(
    graphSpecs.map((spec) => [spec.name as string, { spec, check: jsonValidator(parametersOf(spec)) }]),
  );
  let run = 0;
  let refused = 0;
  fc.assert(
    fc.property(fc.constantFrom(...names), given, (name, all) => {
      const { spec, check } = checks.get(name) ?? {};
      if (spec === undefined || check === undefined) throw new Error(`There is no ${name}.`);
      const known = Object.entries(all).filter(([key]) => Object.hasOwn(spec.properties, key));
      const parameters: Parameters = Object.fromEntries(known);
      fc.pre(check(parameters).length === 0);
      try {
        readQuery(commands[name](parameters));
        run += 1;
      } catch (error) {
        expect(error).toBeInstanceOf(Invalid);
        refused += 1;
      }
    }),
    many(3_000),
  );
  expect(run).toBeGreaterThan(isSoak ? 100 : 2);
  expect(refused).toBeGreaterThan(isSoak ? 100 : 2);
});
