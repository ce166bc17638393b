import { NotFound, RuleBroken } from '../eventsourcing/errors.js';
import {
  CreateCategory,
  DeleteCategory,
  UpdateCategory,
  type CategorySurroundings,
} from './category.commands.js';
import { categoryDecider, type CategoryState } from './category.decider.js';
import type { CategoryEvent, CategoryWords, NewCategoryWords } from './category.events.js';

const host = '00000000-0000-7000-8000-000000000001';
const id = '00000000-0000-7000-8000-00000000000a';
const other = '00000000-0000-7000-8000-00000000000b';

const words: NewCategoryWords = {
  entityType: 'tool',
  categoryName: 'billing',
  categoryDesc: null,
  parentCategoryId: null,
};
const alone: CategorySurroundings = { nameHeldBy: null, lineage: [] };
const created: CategoryEvent = { type: 'CategoryCreatedEvent', data: words };
const given = (...events: CategoryEvent[]): CategoryState =>
  events.reduce((state, event) => categoryDecider.evolve(state, event), categoryDecider.initial);
const update = (said: Partial<CategoryWords>, surroundings = alone) =>
  new UpdateCategory(host, id, { words: said, surroundings });
const refusal = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    if (error instanceof RuleBroken) return [error.code, error.faults[0]?.pointer];
    throw error;
  }
};

describe('a category', () => {
  it('is made where name and parent fit', () => {
    const create = (said: Partial<CategoryWords>, surroundings = alone) =>
      categoryDecider.decide(
        new CreateCategory(host, id, { words: { ...words, ...said }, surroundings }),
        given(),
      );
    expect(create({})).toEqual([created]);
    expect(refusal(() => create({}, { ...alone, nameHeldBy: other }))).toEqual([
      'category_name_taken',
      '/categoryName',
    ]);
    expect(refusal(() => create({ parentCategoryId: other }))).toEqual([
      'parent_category_not_found',
      '/parentCategoryId',
    ]);
    const below = create({ parentCategoryId: other }, { ...alone, lineage: [other] });
    expect(below).toMatchObject([{ data: { parentCategoryId: other } }]);
  });

  it('says what has changed, and nothing where nothing has', () => {
    expect(
      categoryDecider.decide(update({ categoryName: 'billing', categoryDesc: null }), given(created)),
    ).toEqual([]);
    expect(
      categoryDecider.decide(update({ categoryName: 'billing', categoryDesc: 'Bills.' }), given(created)),
    ).toEqual([{ type: 'CategoryUpdatedEvent', data: { categoryDesc: 'Bills.' } }]);
  });

  it('never stands below itself', () => {
    const move = update({ parentCategoryId: other }, { nameHeldBy: null, lineage: [other, id] });
    expect(refusal(() => categoryDecider.decide(move, given(created)))).toEqual([
      'category_cycle',
      '/parentCategoryId',
    ]);
  });

  it('keeps its name unique also where only its parent changes', () => {
    const move = update({ parentCategoryId: other }, { nameHeldBy: other, lineage: [other] });
    expect(refusal(() => categoryDecider.decide(move, given(created)))).toEqual([
      'category_name_taken',
      '/categoryName',
    ]);
  });

  it('is deleted once, without children', () => {
    const remove = (hasChildren: boolean) => new DeleteCategory(host, id, { hasChildren });
    expect(refusal(() => categoryDecider.decide(remove(true), given(created)))).toEqual([
      'category_has_children',
      undefined,
    ]);
    const deleted: CategoryEvent = { type: 'CategoryDeletedEvent', data: {} };
    expect(categoryDecider.decide(remove(false), given(created))).toEqual([deleted]);
    expect(() => categoryDecider.decide(remove(false), given(created, deleted))).toThrow(NotFound);
    expect(() => categoryDecider.decide(update({}), given(created, deleted))).toThrow(NotFound);
    expect(() => categoryDecider.decide(update({}), given())).toThrow(NotFound);
  });
});
