import fc from 'fast-check';
import { applyPatch } from 'rfc6902';
import { patchOf } from './catalog-deltas.service.js';
import { many } from '../../../test/soak.js';

const name = fc.constantFrom('a', 'b', 'c', 'd/~', 'e\n');
const schema = fc.record({ enum: fc.array(name, { maxLength: 3 }), default: fc.constantFrom(null, 1, 'x') });
const things = (id: string, more: fc.Arbitrary<object>) =>
  fc
    .uniqueArray(fc.tuple(name, more), { maxLength: 5, selector: ([id]) => id })
    .map((list) => list.map(([value, rest]) => ({ [id]: value, ...rest })));
const tool = fc.record(
  { description: name, inputSchema: schema, params: things('name', schema) },
  { requiredKeys: [] },
);
const workflow = fc.record({ workflowRole: fc.constantFrom('primary', 'test') });
const catalog = fc.record({
  catalogHash: name,
  skills: things(
    'skillId',
    fc.record({ tools: things('toolId', tool), workflows: fc.array(workflow), tags: fc.array(name) }),
  ),
});

const copyOf = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

it('makes the one of the other', () => {
  fc.assert(
    fc.property(catalog, catalog, (before, after) => {
      const document = copyOf(before);
      const faults = applyPatch(document, copyOf(patchOf(before, after)));
      expect(faults.filter((fault) => fault !== null)).toEqual([]);
      expect(document).toEqual(after);
    }),
    many(300),
  );
});

const of = (description: string, ...ids: string[]) => ({
  skills: [{ skillId: 's', tools: ids.map((toolId) => ({ toolId, description, inputSchema: {} })) }],
});

it('takes no longer where everything has changed', () => {
  const ids = Array.from({ length: 5000 }, (_, n) => `t${String(n)}`);
  expect(patchOf(of('x', ...ids), of('y', ...ids))).toHaveLength(ids.length);
});

it('says nothing where nothing has changed, and of a tool only what has', () => {
  expect(patchOf(of('x', 'a', 'b'), of('x', 'a', 'b'))).toEqual([]);
  expect(patchOf(of('x', 'a', 'b', 'c'), of('y', 'b', 'd', 'c'))).toEqual([
    { op: 'remove', path: '/skills/0/tools/0' },
    { op: 'add', path: '/skills/0/tools/1', value: { toolId: 'd', description: 'y', inputSchema: {} } },
    { op: 'replace', path: '/skills/0/tools/0/description', value: 'y' },
    { op: 'replace', path: '/skills/0/tools/2/description', value: 'y' },
  ]);
});
