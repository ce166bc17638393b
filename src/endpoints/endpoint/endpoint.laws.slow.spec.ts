import fc from 'fast-check';
import { canonicalJson, sha256Hex } from '../../kernel/canonical-json.js';
import { conflictsOf } from './endpoint.overrides.js';
import {
  AcceptEndpointChanges,
  ActivateEndpoint,
  type ApiEndpointCommand,
  DeactivateEndpoint,
  endpointDecider,
  ImportEndpoint,
  OverrideEndpoint,
  SettleConflict,
  VanishEndpoint,
} from './endpoint.decider.js';
import { type EndpointState, type Imported, isChanged, type KnownEndpoint } from './endpoint.state.js';
import { effectiveOf } from './endpoint.effective.js';
import { loosened } from './endpoint.guards.js';
import { fieldsOf, invocationFields, type Layer, layers } from './endpoint.layers.js';
import type { EndpointFacts } from '../../formats/endpoint-facts.js';
import { many } from '../../../test/soak.js';

const hostId = '0198c0de-0000-7000-8000-000000000001';
const endpointId = '5f1c7a52-8a3c-5d0e-9a57-0f2f5a6f7c11';

const imported = (layer: Layer, facts: EndpointFacts): Imported => ({
  ...{ apiId: 'a', apiVersionId: 'v', serviceId: 's', envTag: null, endpoint: '/a@get' },
  ...{ layer, digest: sha256Hex(canonicalJson(facts)), facts },
});

const word = fc.constantFrom('a', 'b', 'c');
const flag = fc.boolean();
const routing = fc.record(
  { domain: word, sensitivityTier: fc.constantFrom('public', 'restricted') },
  { requiredKeys: [] },
);
const safety = fc.record(
  { destructive: flag, readOnly: flag, humanApprovalRequired: flag, approvalWorkflow: word },
  { requiredKeys: [] },
);
const facts: fc.Arbitrary<EndpointFacts> = fc.record(
  {
    ...{ method: word, path: word, description: word, routing, safety },
    inputSchema: fc.record({ type: fc.constant('object'), title: word }),
  },
  { requiredKeys: [] },
);
const nullable = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const patch: fc.Arbitrary<OverrideEndpoint['payload']> = fc.record(
  {
    description: nullable(word),
    routing: nullable(fc.record({ domain: nullable(word) }, { requiredKeys: [] })),
    safety: nullable(fc.record({ destructive: nullable(flag) }, { requiredKeys: [] })),
  },
  { requiredKeys: [] },
);

/** What somebody does, given the endpoint as it is then: conflicts are settled where there are some. */
type Step = (known: KnownEndpoint) => ApiEndpointCommand | undefined;
const documents = layers.filter((layer) => layer !== 'operator');
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.tuple(fc.constantFrom(...documents), facts, flag).map(
      ([layer, said, mayLoosen]): Step =>
        () =>
          new ImportEndpoint(hostId, endpointId, { ...imported(layer, said), mayLoosen }, false),
    ),
  },
  {
    weight: 3,
    arbitrary: patch.map(
      (said): Step =>
        () =>
          new OverrideEndpoint(hostId, endpointId, said),
    ),
  },
  { weight: 2, arbitrary: fc.tuple(fc.nat(), flag).map(([index, keep]): Step => settling(index, keep)) },
  fc.constant<Step>(() => new AcceptEndpointChanges(hostId, endpointId, {})),
  fc.constantFrom(...documents).map(
    (layer): Step =>
      () =>
        new VanishEndpoint(hostId, endpointId, { layer }),
  ),
  flag.map(
    (off): Step =>
      () =>
        new (off ? DeactivateEndpoint : ActivateEndpoint)(hostId, endpointId, {}),
  ),
);

function settling(index: number, keep: boolean): Step {
  return (known) => {
    const conflicts = conflictsOf(known);
    const conflict = conflicts[index % Math.max(conflicts.length, 1)];
    if (conflict === undefined) return undefined;
    const { field, layer } = conflict;
    const own = invocationFields.has(field)
      ? (effectiveOf(known.layers).provenance[field] ?? 'source')
      : 'operator';
    const take = keep || invocationFields.has(field) ? own : (layer ?? 'source');
    if (take === 'held') throw new Error('What is held is in no conflict.');
    return new SettleConflict(hostId, endpointId, { field, take });
  };
}

const known = (state: EndpointState): KnownEndpoint => {
  if (state.status === 'unknown') throw new Error('An endpoint that was imported is known.');
  return state;
};
const carriedOut = (state: EndpointState, command: ApiEndpointCommand): KnownEndpoint =>
  known(
    endpointDecider
      .decide(command, state)
      .reduce<EndpointState>((now, event) => endpointDecider.evolve(now, event), state),
  );

/** Runs a history step by step, and shows each step what was before and after. */
function run(
  steps: readonly Step[],
  look: (before: KnownEndpoint, after: KnownEndpoint, by: ApiEndpointCommand) => void,
) {
  const first = new ImportEndpoint(
    hostId,
    endpointId,
    { ...imported('source', { method: 'get', path: 'a' }), mayLoosen: true },
    true,
  );
  let state = carriedOut(endpointDecider.initial, first);
  for (const next of steps) {
    const command = next(state);
    if (command === undefined) continue;
    const after = carriedOut(state, command);
    look(state, after, command);
    state = after;
  }
}
const eachStep = (look: Parameters<typeof run>[1]) => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      run(steps, look);
    }),
    many(300),
  );
};
const words = ({ layers: { operator = {} } }: KnownEndpoint) => Object.fromEntries(fieldsOf(operator));

describe('whatever happens to an endpoint', () => {
  it('an operator’s words are changed by operators alone', () => {
    eachStep((before, after, by) => {
      if (by instanceof OverrideEndpoint || by instanceof SettleConflict) return;
      expect(words(after)).toEqual(words(before));
    });
  });

  it('a settlement takes back one word at most, and ends its conflict', () => {
    eachStep((before, after, by) => {
      if (!(by instanceof SettleConflict)) return;
      const { field } = by.payload;
      const { [field]: _before, ...others } = words(before);
      const { [field]: _after, ...left } = words(after);
      expect(left).toEqual(others);
      expect(conflictsOf(after)).toEqual(conflictsOf(before).filter((conflict) => conflict.field !== field));
    });
  });

  it('an operator’s word is in force as long as it stands', () => {
    eachStep((_, after) => {
      const effective = fieldsOf(effectiveOf(after.layers).facts as EndpointFacts);
      for (const [field, value] of Object.entries(words(after))) expect(effective.get(field)).toEqual(value);
    });
  });

  it('only source and gateway say how it is called', () => {
    eachStep((_, { layers: all }) => {
      const { provenance } = effectiveOf(all);
      for (const field of invocationFields) {
        const layer = provenance[field];
        if (layer === undefined) continue;
        expect(['source', 'gateway']).toContain(layer);
        if (layer === 'gateway') expect(fieldsOf(all.source ?? {}).has(field)).toBe(false);
      }
    });
  });

  it('the same document again says nothing', () => {
    eachStep((_, after, by) => {
      if (by instanceof ImportEndpoint) expect(endpointDecider.decide(by, after)).toEqual([]);
    });
  });

  it('who may not loosen a guard brings no document that does, whatever was said before', () => {
    eachStep((before, after, by) => {
      if (!(by instanceof ImportEndpoint) || by.payload.mayLoosen) return;
      expect(loosened(effectiveOf(before.layers).facts, effectiveOf(after.layers).facts)).toEqual([]);
    });
  });

  it('nothing is held once it was accepted, and what an operator speaks on is not held', () => {
    eachStep((_before, { layers: all }, by) => {
      if (by instanceof AcceptEndpointChanges) expect(all.held).toBeUndefined();
      const spoken = fieldsOf(all.operator ?? {});
      expect([...fieldsOf(all.held ?? {}).keys()].filter((field) => spoken.has(field))).toEqual([]);
    });
  });

  it('what was accepted is not marked, and a document that goes back takes its mark along', () => {
    eachStep((before, after, by) => {
      if (by instanceof AcceptEndpointChanges) expect(isChanged(after)).toBe(false);
      if (!(by instanceof ImportEndpoint) || isChanged(before)) return;
      const { layer } = by.payload;
      const said = before.layers[layer];
      if (said !== undefined && isChanged(after)) {
        const back = new ImportEndpoint(
          hostId,
          endpointId,
          { ...imported(layer, said), mayLoosen: true },
          false,
        );
        expect(isChanged(carriedOut(after, back))).toBe(false);
      }
    });
  });
});
