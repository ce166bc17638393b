import fc from 'fast-check';
import { effectiveOf, enrichmentOf } from './endpoint.effective.js';
import { conflictsOf } from './endpoint.overrides.js';
import {
  factsFrom,
  fieldsOf,
  invocationFields,
  type Layer,
  layers,
  type Layers,
  merge,
} from './endpoint.layers.js';
import type { EndpointFacts } from '../../formats/endpoint-facts.js';
import { many } from '../../../test/soak.js';

const word = fc.constantFrom('a', 'b', 'c');
const words = fc.array(word, { maxLength: 2 });

const facts: fc.Arbitrary<EndpointFacts> = fc.record(
  {
    method: fc.constantFrom('get', 'post', 'delete', 'call'),
    path: word,
    inputSchema: fc.constantFrom({ type: 'object' }, { type: 'object', required: ['a'] }),
    name: word,
    description: word,
    tags: words,
    capability: fc.record({ group: word }),
    routing: fc.record(
      { domain: word, semanticKeywords: words, semanticWeight: fc.double({ min: 0, max: 1, noNaN: true }) },
      { requiredKeys: [] },
    ),
    safety: fc.record({ readOnly: fc.boolean(), destructive: fc.boolean() }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);
const anyLayers: fc.Arbitrary<Layers> = fc.record(
  Object.fromEntries(layers.map((layer) => [layer, facts])) as Record<Layer, typeof facts>,
  { requiredKeys: [] },
);

describe('the laws of merging', () => {
  const law = (name: string, holds: (all: Layers) => void): void => {
    it(name, () => {
      fc.assert(fc.property(anyLayers, holds), many(100));
    });
  };

  law('a field has a value exactly where it has a layer, and the value is what that layer says', (all) => {
    const { facts: merged, provenance } = merge(all);
    const fields = fieldsOf(merged);
    expect([...fields.keys()].sort()).toEqual(Object.keys(provenance).sort());
    for (const [field, layer] of Object.entries(provenance)) {
      expect(fields.get(field)).toEqual(fieldsOf(all[layer] ?? {}).get(field));
    }
  });

  law('what an operator says holds, but for how the endpoint is called', (all) => {
    const merged = fieldsOf(merge(all).facts);
    for (const [field, value] of fieldsOf(all.operator ?? {})) {
      if (!invocationFields.has(field)) expect(merged.get(field)).toEqual(value);
    }
  });

  law(
    'only the source, else the gateway, says how the endpoint is called',
    ({ source = {}, gateway = {}, ...rest }) => {
      const merged = fieldsOf(merge({ ...rest, source, gateway }).facts);
      for (const field of invocationFields) {
        expect(merged.get(field)).toEqual(fieldsOf(source).get(field) ?? fieldsOf(gateway).get(field));
      }
    },
  );

  law('a layer that says nothing changes nothing', (all) => {
    const silent = Object.fromEntries(layers.map((layer) => [layer, all[layer] ?? {}])) as Layers;
    expect(merge(silent)).toEqual(merge(all));
  });

  law('merging what was merged changes nothing', (all) => {
    const { facts: merged } = merge(all);
    expect(merge({ source: merged }).facts).toEqual(merged);
  });

  law('fields and facts are two forms of one thing', (all) => {
    const { facts: merged } = merge(all);
    expect(factsFrom(fieldsOf(merged))).toEqual(merged);
  });

  law('no document clears a flag that another document sets', (all) => {
    const { operator: _o, lightapi_endpoint: _e, lightapi_api: _a, ...documents } = all;
    const set = Object.values(documents).some((said) => said.safety?.destructive === true);
    expect(merge(documents).facts.safety?.destructive ?? false).toBe(set);
  });

  law('the effective value is whole, whatever was said', (all) => {
    const effective = effectiveOf(all);
    expect(effective.facts.routing.semanticWeight).toEqual(expect.any(Number));
    expect(Object.values(effective.facts.safety)).toEqual(
      expect.arrayContaining([expect.any(Boolean), expect.any(Boolean)]),
    );
    expect(enrichmentOf(effective).gaps).not.toContain(
      effective.provenance['routing.domain'] && 'routing.domain',
    );
  });

  law('without an operator and with one document there is no conflict', ({ source = {} }) => {
    expect(conflictsOf({ layers: { source }, baseline: {}, settled: {} })).toEqual([]);
  });
});

describe('the effective value', () => {
  it('takes the domain from the capability group, else from the first tag, and names the layer', () => {
    const tagged = effectiveOf({ source: { tags: ['accounts', 'money'] } });
    expect(tagged.facts.routing.domain).toBe('accounts');
    expect(tagged.provenance['routing.domain']).toBe('source');
    const grouped = effectiveOf({
      source: { tags: ['accounts'] },
      lightapi_endpoint: { capability: { group: 'banking' } },
    });
    expect(grouped.facts.routing.domain).toBe('banking');
    expect(grouped.provenance['routing.domain']).toBe('lightapi_endpoint');
  });

  it.each([
    ['get', { readOnly: true, idempotent: true, destructive: false }],
    ['head', { readOnly: true, idempotent: true, destructive: false }],
    ['options', { readOnly: true, idempotent: true, destructive: false }],
    ['put', { readOnly: false, idempotent: true, destructive: false }],
    ['delete', { readOnly: false, idempotent: true, destructive: true }],
    ['post', { readOnly: false, idempotent: false, destructive: false }],
    ['patch', { readOnly: false, idempotent: false, destructive: false }],
    ['call', { readOnly: false, idempotent: false, destructive: false }],
  ])('takes the safety of %s from the verb unless a layer speaks', (method, safety) => {
    expect(effectiveOf({ source: { method } }).facts.safety).toEqual({
      ...safety,
      humanApprovalRequired: false,
    });
    const operator = { safety: { readOnly: true, destructive: false } };
    expect(effectiveOf({ source: { method }, operator }).facts.safety).toMatchObject(operator.safety);
  });

  it('keeps a field that is called like a member of every object', () => {
    const hostile = JSON.parse('{"__proto__": {"domain": "x"}, "constructor": "y"}') as Record<
      string,
      unknown
    >;
    const { facts: effective } = effectiveOf({ source: { routing: hostile } });
    expect(Object.getOwnPropertyNames(effective.routing)).toEqual(
      expect.arrayContaining(['__proto__', 'constructor', 'semanticWeight']),
    );
    expect(effective.routing.domain).toBeUndefined();
  });
});

describe('conflicts', () => {
  it('show what a lower layer offers of how the endpoint is called', () => {
    const all: Layers = { source: { path: '/a', method: 'get' }, gateway: { path: '/b', method: 'get' } };
    expect(conflictsOf({ layers: all, baseline: {}, settled: {} })).toEqual([
      { field: 'path', kept: '/a', offered: '/b', layer: 'gateway' },
    ]);
  });

  it('show a value beneath an override that has changed since, until both agree', () => {
    const operator = { description: 'mine' };
    const baseline = { description: 'old' };
    expect(
      conflictsOf({ layers: { operator, source: { description: 'old' } }, baseline, settled: {} }),
    ).toEqual([]);
    expect(
      conflictsOf({ layers: { operator, source: { description: 'new' } }, baseline, settled: {} }),
    ).toEqual([{ field: 'description', kept: 'mine', offered: 'new', layer: 'source' }]);
    expect(
      conflictsOf({ layers: { operator, source: { description: 'mine' } }, baseline, settled: {} }),
    ).toEqual([]);
    expect(conflictsOf({ layers: { operator, source: {} }, baseline, settled: {} })).toEqual([
      { field: 'description', kept: 'mine', offered: null, layer: null },
    ]);
  });
});
