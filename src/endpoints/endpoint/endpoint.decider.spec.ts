import fc from 'fast-check';
import { NotFound } from '../../kernel/errors.js';
import {
  ActivateEndpoint,
  type ApiEndpointCommand,
  DeactivateEndpoint,
  endpointDecider,
  ImportEndpoint,
  OverrideEndpoint,
  VanishEndpoint,
} from './endpoint.decider.js';
import { type EndpointState, type Imported, isActive } from './endpoint.state.js';
import type { ApiEndpointEvent } from './endpoint.events.js';
import { layers } from './endpoint.layers.js';
import { many } from '../../../test/soak.js';

const hostId = '0198c0de-0000-7000-8000-000000000001';
const endpointId = '5f1c7a52-8a3c-5d0e-9a57-0f2f5a6f7c11';

const says = (description: string, layer: Imported['layer'] = 'source'): Imported => ({
  apiId: 'accounts',
  apiVersionId: '0198c0de-0000-7000-8000-00000000a001',
  serviceId: 'com.example.accounts',
  envTag: 'prod',
  endpoint: '/accounts@get',
  layer,
  digest: `digest of ${description}`,
  facts: { method: 'get', path: '/accounts', inputSchema: { type: 'object' }, description },
});

const importing = (data: Imported, mayLoosen = true): ImportEndpoint =>
  new ImportEndpoint(hostId, endpointId, { ...data, mayLoosen }, false);
const vanishing = new VanishEndpoint(hostId, endpointId, { layer: 'source' });
const overriding = (patch: OverrideEndpoint['payload']) => new OverrideEndpoint(hostId, endpointId, patch);
const deactivating = new DeactivateEndpoint(hostId, endpointId, {});
const activating = new ActivateEndpoint(hostId, endpointId, {});

const imported = (description: string): ApiEndpointEvent => ({
  type: 'ApiEndpointImportedEvent',
  data: says(description),
});
const missing: ApiEndpointEvent = { type: 'ApiEndpointVanishedEvent', data: { layer: 'source' } };
const returned: ApiEndpointEvent = { type: 'ApiEndpointReturnedEvent', data: { layer: 'source' } };
const deactivated: ApiEndpointEvent = { type: 'ApiEndpointDeactivatedEvent', data: {} };
const activated: ApiEndpointEvent = { type: 'ApiEndpointActivatedEvent', data: {} };

const given = (...events: readonly ApiEndpointEvent[]): EndpointState =>
  events.reduce<EndpointState>(
    (state, event) => endpointDecider.evolve(state, event),
    endpointDecider.initial,
  );
const when = (state: EndpointState, command: ApiEndpointCommand) => endpointDecider.decide(command, state);
/** The state after the command's events. */
const after = (state: EndpointState, command: ApiEndpointCommand) =>
  when(state, command).reduce<EndpointState>((known, event) => endpointDecider.evolve(known, event), state);

describe('an import', () => {
  it('makes the endpoint', () => {
    expect(when(given(), importing(says('lists')))).toEqual([imported('lists')]);
  });

  it('of the same facts changes nothing', () => {
    expect(when(given(imported('lists')), importing(says('lists')))).toEqual([]);
  });

  it('of other facts states them all', () => {
    expect(when(given(imported('lists')), importing(says('finds')))).toEqual([imported('finds')]);
  });

  it('adds a layer beside those that are there', () => {
    const state = given(imported('lists'));
    expect(when(state, importing(says('lists', 'gateway')))).toHaveLength(1);
    expect(
      given(imported('lists'), { type: 'ApiEndpointImportedEvent', data: says('x', 'gateway') }),
    ).toMatchObject({
      layers: { source: { description: 'lists' }, gateway: { description: 'x' } },
    });
  });

  it('without the endpoint takes it out of use once, and keeps what is known of it', () => {
    const state = given(imported('lists'), missing);
    expect(when(given(imported('lists')), vanishing)).toEqual([missing]);
    expect(when(state, vanishing)).toEqual([]);
    expect(isActive(state)).toBe(false);
    expect(state).toMatchObject({ layers: { source: { description: 'lists' } } });
  });

  it('brings it back, with what has changed', () => {
    const state = given(imported('lists'), missing);
    expect(when(state, importing(says('lists')))).toEqual([returned]);
    expect(when(state, importing(says('finds')))).toEqual([returned, imported('finds')]);
    expect(isActive(given(imported('lists'), missing, returned))).toBe(true);
  });

  it('does not undo what an operator switched off', () => {
    const state = given(imported('lists'), deactivated, missing, returned, imported('finds'));
    expect(isActive(state)).toBe(false);
    expect(when(state, activating)).toEqual([activated]);
    expect(isActive(given(imported('lists'), deactivated, activated))).toBe(true);
  });
});

describe('an operator', () => {
  it('switches off and on, once each', () => {
    expect(when(given(imported('lists')), deactivating)).toEqual([deactivated]);
    expect(when(given(imported('lists'), deactivated), deactivating)).toEqual([]);
    expect(when(given(imported('lists')), activating)).toEqual([]);
  });

  it('overrides fields, and the values beneath are remembered', () => {
    const patch = { description: 'mine', routing: { domain: 'finance' } };
    expect(when(given(imported('lists')), overriding(patch))).toEqual([
      {
        type: 'ApiEndpointOverriddenEvent',
        data: { overrides: patch, beneath: { description: 'lists', 'routing.domain': null } },
      },
    ]);
  });

  it('says the same again without an event, unless what stands beneath has changed', () => {
    const state = given(
      imported('lists'),
      ...when(given(imported('lists')), overriding({ description: 'mine' })),
    );
    expect(when(state, overriding({ description: 'mine' }))).toEqual([]);
    const changed = endpointDecider.evolve(state, imported('finds'));
    expect(when(changed, overriding({ description: 'mine' }))).toMatchObject([
      { data: { beneath: { description: 'finds' } } },
    ]);
  });

  it('takes back a field, a whole part, and at last everything', () => {
    const patch = {
      description: 'mine',
      routing: { domain: 'finance', category: 'x' },
      safety: { destructive: true },
    };
    const first = given(imported('lists'));
    const state = given(imported('lists'), ...when(first, overriding(patch)));
    expect(when(state, overriding({ routing: { category: null } }))).toMatchObject([
      {
        data: {
          overrides: { description: 'mine', routing: { domain: 'finance' }, safety: { destructive: true } },
        },
      },
    ]);
    expect(when(state, overriding({ routing: null, safety: { destructive: null } }))).toMatchObject([
      { data: { overrides: { description: 'mine' }, beneath: { description: 'lists' } } },
    ]);
    const [all] = when(state, overriding({ description: null, routing: null, safety: null }));
    expect(all?.data).toEqual({ overrides: {}, beneath: {} });
    expect(given(imported('lists'), ...(all ? [all] : []))).toEqual(first);
  });

  it('has nothing to take back where nothing was said', () => {
    expect(when(given(imported('lists')), overriding({ description: null, routing: null }))).toEqual([]);
  });

  it.each([vanishing, deactivating, activating, overriding({ description: 'mine' })])(
    'finds no endpoint that was never imported (%#)',
    (command) => {
      expect(() => when(given(), command)).toThrow(NotFound);
    },
  );
});

describe('the laws of an endpoint', () => {
  const layer = fc.constantFrom(...layers);
  const description = fc.constantFrom('a', 'b', 'c');
  const event: fc.Arbitrary<ApiEndpointEvent> = fc.oneof(
    fc
      .tuple(description, layer)
      .map(([text, by]) => ({ type: 'ApiEndpointImportedEvent', data: says(text, by) }) as const),
    layer.map((by) => ({ type: 'ApiEndpointVanishedEvent', data: { layer: by } }) as const),
    layer.map((by) => ({ type: 'ApiEndpointReturnedEvent', data: { layer: by } }) as const),
    description.map(
      (text) =>
        ({
          type: 'ApiEndpointOverriddenEvent',
          data: { overrides: { description: text }, beneath: { description: null } },
        }) as const,
    ),
    fc.constant(deactivated),
    fc.constant(activated),
  );
  const command: fc.Arbitrary<ApiEndpointCommand> = fc.oneof(
    fc.tuple(description, layer).map(([text, by]) => importing(says(text, by))),
    layer.map((by) => new VanishEndpoint(hostId, endpointId, { layer: by })),
    fc.option(description).map((text) => overriding({ description: text })),
    fc.constantFrom(deactivating, activating),
  );

  it('folds any history', () => {
    fc.assert(
      fc.property(fc.array(event), (events) => {
        expect(() => isActive(given(...events))).not.toThrow();
      }),
      many(100),
    );
  });

  it('carries a command out once: the second time changes nothing', () => {
    fc.assert(
      fc.property(fc.array(event), command, (events, intent) => {
        const state = given(imported('first'), ...events);
        expect(when(after(state, intent), intent)).toEqual([]);
      }),
      many(100),
    );
  });

  it('never loses an operator’s words by an import', () => {
    fc.assert(
      fc.property(fc.array(event), fc.array(description), (events, texts) => {
        const state = given(imported('first'), ...events);
        const imports = texts.reduce((known, text) => after(known, importing(says(text))), state);
        const operatorOf = (known: EndpointState) =>
          known.status === 'known' ? known.layers.operator : undefined;
        expect(operatorOf(imports)).toEqual(operatorOf(state));
      }),
      many(100),
    );
  });
});
