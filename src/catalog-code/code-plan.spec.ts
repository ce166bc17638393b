import fc from 'fast-check';
import { type CodeDocument, codeKinds, digestOf, inOrder, placeOf, type Spec } from './code-document.js';
import { type Action, isAsPlanned, type Owned, planned, type Present, setBy } from './code-plan.js';
import { many } from '../../test/soak.js';

const options = { owner: 'repo:a', adopt: false, prune: false, maxDeletions: 10 };

const spec = fc.dictionary(
  fc.constantFrom('x', 'y', 'list'),
  fc.constantFrom<unknown>(1, 2, null, ['a', 'b'], ['b', 'a']),
);
const documents = fc.uniqueArray(
  fc.record({ kind: fc.constantFrom('Tag', 'Api', 'Skill'), key: fc.constantFrom('a', 'b', 'c'), spec }),
  { selector: (document) => placeOf(document as CodeDocument), maxLength: 6 },
) as fc.Arbitrary<CodeDocument[]>;

type Held = Map<string, CodeDocument & { id: string; owned?: Owned }>;

function presentOf(held: Held): Present {
  const owned = [...held].flatMap(([place, { owned: own }]) =>
    own === undefined ? [] : [[place, own] as const],
  );
  return { documents: held, owned: new Map(owned) };
}

/** A model of what carrying out does. */
function carryOut(
  held: Held,
  actions: readonly Action[],
  wanted: readonly CodeDocument[],
  owner: string,
): Held {
  const after: Held = new Map(held);
  for (const action of actions) {
    const place = placeOf(action);
    const before = after.get(place);
    const next: Spec = { ...before?.spec, ...setBy(action) };
    const fields = Object.keys(wanted.find((one) => placeOf(one) === place)?.spec ?? {});
    const kept = before?.owned?.owner === owner ? before.owned.applied : {};
    const applied = { ...kept, ...Object.fromEntries(fields.map((name) => [name, digestOf(next[name])])) };
    after.set(place, { ...action, id: place, spec: next, owned: { owner, applied } });
  }
  return after;
}

describe('a plan', () => {
  it('is empty once it was carried out', () => {
    fc.assert(
      fc.property(documents, documents, fc.boolean(), (first, second, adopt) => {
        let held: Held = new Map();
        for (const wanted of [first, second]) {
          const { actions, refused } = planned(wanted, presentOf(held), { ...options, adopt });
          if (refused.length > 0) return;
          held = carryOut(held, actions, wanted, options.owner);
          expect(planned(wanted, presentOf(held), { ...options, adopt })).toEqual({
            actions: [],
            refused: [],
          });
        }
      }),
      many(100),
    );
  });

  it('changes no field that is not its owner’s, whatever operators wrote in between', () => {
    fc.assert(
      fc.property(documents, documents, documents, (first, operators, wanted) => {
        const held = carryOut(
          new Map(),
          planned(first, presentOf(new Map()), options).actions,
          first,
          options.owner,
        );
        for (const { spec: written, ...place } of operators) {
          const there = held.get(placeOf(place));
          held.set(placeOf(place), { ...place, id: 'x', ...there, spec: { ...there?.spec, ...written } });
        }
        const { actions } = planned(wanted, presentOf(held), options);
        for (const action of actions.filter(({ op }) => op !== 'create')) {
          const { owned } = held.get(placeOf(action)) ?? {};
          for (const { field, from } of action.changes)
            expect([owned?.owner, owned?.applied[field]]).toEqual([options.owner, digestOf(from)]);
        }
        expect(actions.every((action) => isAsPlanned(action, presentOf(held)))).toBe(true);
      }),
      many(100),
    );
  });

  it('places what others of its kind need before them, and kinds in their order', () => {
    const skill = (key: string, dependsOn: readonly string[]): CodeDocument => ({
      ...{ kind: 'Skill', key },
      spec: { dependsOn: dependsOn.map((name) => ({ skill: name })) },
    });
    const sorted = inOrder([
      { kind: 'Agent', key: 'a@1', spec: {} },
      skill('a', ['b', 'c']),
      skill('c', ['b']),
      skill('b', ['a']),
      { kind: 'Tag', key: 'skill/t', spec: {} },
    ]);
    expect(sorted.map(({ key }) => key)).toEqual(['skill/t', 'b', 'c', 'a', 'a@1']);
    expect(codeKinds.indexOf('Skill')).toBeLessThan(codeKinds.indexOf('Agent'));
  });
});
