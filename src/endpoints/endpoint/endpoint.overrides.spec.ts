import { type Choice, conflictsOf, override, settle } from './endpoint.overrides.js';
import type { Layers } from './endpoint.layers.js';
import type { KnownEndpoint } from './endpoint.state.js';

describe('override', () => {
  it('reads both spellings of the read-only flag and keeps one', () => {
    const said = (safety: object) => override({}, {}, { safety }).overrides.safety;
    expect(said({ read_only: true, destructive: false })).toEqual({ readOnly: true, destructive: false });
    expect(said({ read_only: true, readOnly: false })).toEqual({ readOnly: false });
  });

  it('takes the flag back by either spelling', () => {
    const operator = { safety: { readOnly: true, idempotent: true } };
    const { overrides } = override({ operator }, {}, { safety: { read_only: null } });
    expect(overrides.safety).toEqual({ idempotent: true });
  });
});

const endpoint = (layers: Layers, more: Partial<KnownEndpoint> = {}): KnownEndpoint => ({
  ...{ status: 'known', apiId: 'a', apiVersionId: 'v', endpoint: '/a@get', serviceId: 's', envTag: null },
  ...{
    layers,
    digests: {},
    accepted: {},
    suspicious: false,
    missing: [],
    deactivated: false,
    baseline: {},
    settled: {},
  },
  ...more,
});
const settled = (known: KnownEndpoint, choice: Choice): KnownEndpoint => {
  const { overrides: operator, beneath: baseline, settled: verdicts } = settle(known, choice);
  return { ...known, layers: { ...known.layers, operator }, baseline, settled: verdicts };
};

const refused = (code: string): Error => expect.objectContaining({ code }) as Error;

describe('a value that has changed beneath an override', () => {
  const known = endpoint(
    {
      operator: { description: 'mine', routing: { domain: 'ours' } },
      lightapi_api: { description: 'theirs' },
      source: { description: 'new' },
    },
    { baseline: { description: 'old', 'routing.domain': null } },
  );

  it('is settled by keeping the override, until it changes again', () => {
    const kept = settled(known, { field: 'description', take: 'operator' });
    expect(kept.layers.operator).toEqual(known.layers.operator);
    expect(conflictsOf(kept)).toEqual([]);
    const later = { ...kept, layers: { ...kept.layers, lightapi_api: { description: 'theirs again' } } };
    expect(conflictsOf(later)).toMatchObject([{ field: 'description', offered: 'theirs again' }]);
  });

  it('is settled by the layer that offers it: the override goes, others stay', () => {
    const taken = settled(known, { field: 'description', take: 'lightapi_api' });
    expect(taken.layers.operator).toEqual({ routing: { domain: 'ours' } });
    expect(taken.baseline).toEqual({ 'routing.domain': null });
    expect(conflictsOf(taken)).toEqual([]);
  });

  it('is not settled by a layer that makes no offer, nor where there is no conflict', () => {
    const refusal = (choice: Choice) => () => settle(known, choice);
    expect(refusal({ field: 'description', take: 'source' })).toThrow(refused('not_offered'));
    expect(refusal({ field: 'routing.domain', take: 'operator' })).toThrow(refused('no_conflict'));
  });

  it('that no layer says any longer goes with whichever layer is named', () => {
    const silent = endpoint(
      { operator: { description: 'mine' }, source: {} },
      { baseline: { description: 'old' } },
    );
    expect(settled(silent, { field: 'description', take: 'source' }).layers.operator).toEqual({});
  });
});

describe('another way of calling the endpoint', () => {
  const known = endpoint({ source: { path: '/a' }, gateway: { path: '/b' }, lightapi_api: { path: '/c' } });

  it('is turned down for good by naming the layer in force', () => {
    const kept = settled(known, { field: 'path', take: 'source' });
    expect(conflictsOf(known)).toHaveLength(2);
    expect(conflictsOf(kept)).toEqual([]);
    expect(kept.layers).toMatchObject(known.layers);
  });

  it('is shown again when the offer changes, or what is in force', () => {
    const kept = settled(known, { field: 'path', take: 'source' });
    const other = { ...kept, layers: { ...kept.layers, gateway: { path: '/d' } } };
    expect(conflictsOf(other)).toEqual([{ field: 'path', kept: '/a', offered: '/d', layer: 'gateway' }]);
    const moved = { ...kept, layers: { ...kept.layers, source: { path: '/e' } } };
    expect(conflictsOf(moved)).toHaveLength(2);
  });

  it.each(['gateway', 'lightapi_api', 'operator'] as const)('is never taken from %s', (take) => {
    expect(() => settle(known, { field: 'path', take })).toThrow(refused('invocation_not_taken'));
  });
});
