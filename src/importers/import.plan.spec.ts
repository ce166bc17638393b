import fc from 'fast-check';
import { v5 } from 'uuid';
import type { StoredEndpoint } from '../endpoints/endpoint/endpoint.lookup.js';
import { compare, conflictsOf, countOf, itemsOf, type Difference } from './import.plan.js';
import type { EndpointOffer } from '../formats/endpoint-facts.js';
import { many } from '../../test/soak.js';

const apiVersionId = '0198c0de-0000-7000-8000-00000000a001';
const idOf = (endpoint: string): string => v5(endpoint, apiVersionId);

const offer = (endpoint: string, text = ''): EndpointOffer => ({
  endpoint,
  digest: `${endpoint} ${text}`,
  facts: '{}',
});
const stored = (endpoint: string, more: Partial<StoredEndpoint> = {}): StoredEndpoint => ({
  endpointId: idOf(endpoint),
  endpoint,
  name: endpoint,
  digest: offer(endpoint).digest,
  missing: false,
  decisive: true,
  enrichment: 'none',
  gaps: [],
  conflicts: [],
  ...more,
});
const keys = ({ changed, unchanged, missing }: Difference) => ({
  changed: changed.map((each) => each.offer.endpoint),
  unchanged: unchanged.map(({ endpoint }) => endpoint),
  missing: missing.map(({ endpoint }) => endpoint),
});

describe('the difference of a document', () => {
  it('tells what is new, the same and gone', () => {
    const difference = compare(
      [offer('a'), offer('b', 'new'), offer('d')],
      [stored('a'), stored('b'), stored('c')],
      idOf,
    );
    expect(keys(difference)).toEqual({ changed: ['b', 'd'], unchanged: ['a'], missing: ['c'] });
  });

  it('brings back what had vanished, and lets it vanish once', () => {
    const gone = stored('a', { missing: true });
    expect(keys(compare([offer('a')], [gone], idOf))).toEqual({ changed: ['a'], unchanged: [], missing: [] });
    expect(keys(compare([], [gone], idOf))).toEqual({ changed: [], unchanged: [], missing: [] });
  });

  it('leaves alone what only another layer speaks of', () => {
    const foreign = stored('a', { digest: null });
    expect(keys(compare([], [foreign], idOf))).toEqual({ changed: [], unchanged: [], missing: [] });
    expect(keys(compare([offer('a')], [foreign], idOf)).changed).toEqual(['a']);
  });

  const document = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'));
  const texts = fc.constantFrom('', 'x', 'y');
  const offers = fc
    .tuple(document, texts)
    .map(([names, text]) => names.sort().map((name) => offer(name, text)));

  it('is nothing when the document is imported again, whatever stood there before', () => {
    fc.assert(
      fc.property(offers, offers, (before, now) => {
        const old = before.map(({ endpoint, digest }) => stored(endpoint, { digest }));
        const first = compare(now, old, idOf);
        const after = [
          ...now.map(({ endpoint, digest }) => stored(endpoint, { digest })),
          ...first.missing.map((each) => ({ ...each, missing: true })),
        ];
        const { changed, unchanged, missing } = compare(now, after, idOf);
        expect([changed, missing]).toEqual([[], []]);
        expect(unchanged).toHaveLength(now.length);
      }),
      many(100),
    );
  });

  it('counts every endpoint of the document once', () => {
    fc.assert(
      fc.property(offers, offers, (before, now) => {
        const difference = compare(
          now,
          before.map(({ endpoint }) => stored(endpoint)),
          idOf,
        );
        const { changed, unchanged } = difference;
        expect(changed.length + unchanged.length).toBe(now.length);
      }),
      many(100),
    );
  });
});

describe('the report', () => {
  it('has a line for every endpoint that the document holds or has lost, ordered by code point', () => {
    const difference = compare([offer('\u{1F600}'), offer('\uFFFD')], [stored('\uFFFD'), stored('a')], idOf);
    const review = {
      fields: [],
      grades: {},
      suspicious: [],
      held: [],
      breaking: false,
      enrichment: 'none',
      gaps: [],
      conflicts: [],
    } as const;
    const reviewed = difference.changed.map((each) => ({
      ...each,
      ...{ imports: [], changes: [] },
      review: { ...review, after: { layers: {} } as never },
    }));
    const items = itemsOf(reviewed, difference);
    expect(items.map(({ endpoint, change, breaking }) => [endpoint, change, breaking])).toEqual([
      ['a', 'deactivated', true],
      ['\uFFFD', 'unchanged', false],
      ['\u{1F600}', 'added', false],
    ]);
    expect(countOf(items, 'added')).toBe(1);
  });

  it('calls an endpoint deactivated only where the layer decides whether it is offered', () => {
    const stays = compare([], [stored('a', { decisive: false }), stored('b')], idOf);
    expect(itemsOf([], stays).map(({ change, breaking }) => [change, breaking])).toEqual([
      ['changed', false],
      ['deactivated', true],
    ]);
  });

  it('shows conflicts also of endpoints that are unchanged, until they are settled', () => {
    const conflict = { field: 'description', kept: 'mine', offered: 'theirs', layer: 'source' } as const;
    expect(conflictsOf([], [stored('a', { conflicts: [conflict] })])).toEqual([
      { endpoint: 'a', ...conflict },
    ]);
  });
});
