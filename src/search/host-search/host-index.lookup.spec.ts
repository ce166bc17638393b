import fc from 'fast-check';
import { analyse } from '../../../packages/ranking/document.js';
import { askedOf } from '../../../packages/ranking/rank.js';
import { sees, type Visibility } from '../../platform/auth/visibility.js';
import type { SearchBody } from '../search.schemas.js';
import { HostIndex, type IndexedRow } from './host-index.lookup.js';
import { many } from '../../../test/soak.js';

const services = ['bank', 'shop', null] as const;
const environments = ['dev', 'prod', null] as const;
const tiers = ['public', 'internal', 'restricted', null] as const;
const words = fc.array(
  fc.constantFrom('account', 'balance', 'transfer', 'secret', 'salary', 'help', 'invoice', 'list'),
  { minLength: 1, maxLength: 6 },
);
const text = words.map((list) => list.join(' '));

interface Hidden {
  readonly service: (typeof services)[number];
  readonly environment: (typeof environments)[number];
  readonly tier: (typeof tiers)[number];
  readonly name: string;
  readonly description: string;
  readonly examples: readonly string[];
}

const documents: fc.Arbitrary<Hidden[]> = fc.array(
  fc.record({
    service: fc.constantFrom(...services),
    environment: fc.constantFrom(...environments),
    tier: fc.constantFrom(...tiers),
    name: text,
    description: text,
    examples: fc.array(text, { maxLength: 3 }),
  }),
  { maxLength: 25 },
);

const visibilities: fc.Arbitrary<Visibility> = fc.record({
  hostId: fc.constant('host'),
  services: fc.oneof(fc.constant('all' as const), fc.subarray(['bank', 'shop'])),
  environments: fc.subarray(['dev', 'prod']),
  tiers: fc.oneof(fc.constant('all' as const), fc.subarray(['public', 'internal', 'restricted'] as const)),
});

const rowOf = (id: string, { service, environment, tier, ...texts }: Hidden): IndexedRow => ({
  ...{ kind: 'tool', entity_id: id, service_id: service, env_tag: environment, sensitivity_tier: tier },
  ...{ domain: null, semantic_namespace: null, source_protocol: null, implementation_type: null },
  ...{ lifecycle_status: 'active', api_id: null, target_personas: [], tags: [], categories: [] },
  ...{ required_context: [], semantic_weight: 1, read_only: false, destructive: false },
  words: analyse({ id, texts, examples: texts.examples }),
});

/** What the token finds in an index of these rows, with its scores. */
function foundIn(rows: readonly IndexedRow[], visibility: Visibility, prompt: string) {
  const index = new HostIndex();
  for (const row of rows) index.put(row);
  const question: SearchBody = { prompt, kinds: ['tool'], limit: 10, explain: false };
  const tools = index.of('tool');
  return tools.best(visibility, question, askedOf(prompt, tools.statistics(visibility)), 10);
}

test('a token finds what it may see, with scores as if there were nothing else', () => {
  fc.assert(
    fc.property(documents, visibilities, text, (all, visibility, prompt) => {
      const rows = all.map((each, at) => rowOf(`id-${String(at).padStart(2, '0')}`, each));
      const visible = rows.filter(({ service_id: serviceId, env_tag: envTag, sensitivity_tier: tier }) =>
        sees(visibility, {
          ...{ serviceId, envTag },
          ...(tier !== null && { tier: tier as 'public' | 'internal' | 'restricted' }),
        }),
      );
      const found = foundIn(rows, visibility, prompt);
      expect(visible.map((row) => row.entity_id)).toEqual(expect.arrayContaining(found.map(({ id }) => id)));
      expect(found).toEqual(foundIn(visible, visibility, prompt));
    }),
    many(300),
  );
});
