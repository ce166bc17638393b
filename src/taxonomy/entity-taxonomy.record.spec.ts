import fc from 'fast-check';
import {
  AdoptTags,
  entityTaxonomyId,
  ReplaceTaxonomy,
  entityTaxonomyDecider,
  type EntityTaxonomyState,
  type Selected,
} from './entity-taxonomy.record.js';
import { many } from '../../test/soak.js';

const host = '00000000-0000-7000-8000-000000000001';
const entity = { entityType: 'skill', entityId: '00000000-0000-7000-8000-00000000000a' } as const;
const own = (...ids: string[]): Selected => ids.map((id) => ({ id, globalName: null }));
const replace = (selection: { categories?: Selected; tags?: Selected }) =>
  new ReplaceTaxonomy(host, entityTaxonomyId(entity), { ...entity, ...selection });
const { initial } = entityTaxonomyDecider;
const decide = (command: ReplaceTaxonomy | AdoptTags, state: EntityTaxonomyState) =>
  entityTaxonomyDecider.decide(command, state);

describe('what a thing is classified as', () => {
  it('is told whole, in one event, ordered by id', () => {
    const [event, ...more] = decide(replace({ categories: own('c'), tags: own('b', 'a') }), initial);
    expect(more).toEqual([]);
    expect(event?.data).toEqual({ ...entity, categories: own('c'), tags: own('a', 'b') });
  });

  it('keeps the list that is not said, and empties one that is said empty', () => {
    const state = { status: 'set', categories: own('c'), tags: own('a') } as const;
    expect(decide(replace({ tags: own('b') }), state)).toMatchObject([
      { data: { categories: own('c'), tags: own('b') } },
    ]);
    expect(decide(replace({ tags: [] }), state)).toMatchObject([
      { data: { categories: own('c'), tags: [] } },
    ]);
    expect(decide(replace({}), state)).toEqual([]);
  });

  it('takes the tags of a document only where nobody has said anything', () => {
    const adopt = new AdoptTags(host, entityTaxonomyId(entity), { ...entity, tags: own('a') });
    const adopted = { ...entity, categories: [], tags: own('a') };
    expect(decide(adopt, initial)).toMatchObject([{ data: adopted }]);
    const emptied = entityTaxonomyDecider.evolve(initial, {
      type: 'EntityTaxonomyReplacedEvent',
      data: { ...entity, categories: [], tags: [] },
    });
    expect(decide(adopt, emptied)).toEqual([]);
  });

  it('has ids of its own for each kind of thing', () => {
    expect(entityTaxonomyId(entity)).not.toBe(entityTaxonomyId({ ...entity, entityType: 'tool' }));
  });

  it('changes nothing when it is said again, in whatever order', () => {
    const ids = fc.uniqueArray(fc.uuid(), { maxLength: 8 });
    fc.assert(
      fc.property(ids, ids, (categoryIds, tagIds) => {
        const first = replace({ categories: own(...categoryIds), tags: own(...tagIds) });
        const state = decide(first, initial).reduce<EntityTaxonomyState>(
          (now, event) => entityTaxonomyDecider.evolve(now, event),
          initial,
        );
        const again = replace({
          categories: own(...categoryIds.toReversed()),
          tags: own(...tagIds.toReversed()),
        });
        expect(decide(again, state)).toEqual([]);
      }),
      many(100),
    );
  });
});
