import { NotFound, RuleBroken } from '../kernel/errors.js';
import type { ChangesOf, FieldsOf, RecordEvent } from '../platform/records/record-spec.js';
import { category } from './category.record.js';

type Fields = FieldsOf<typeof category.spec>;
type CategoryEvent = RecordEvent<typeof category.spec>;

const host = '00000000-0000-7000-8000-000000000001';
const id = '00000000-0000-7000-8000-00000000000a';
const other = '00000000-0000-7000-8000-00000000000b';

const fields: Fields = {
  entityType: 'tool',
  categoryName: 'billing',
  categoryDesc: null,
  parentCategoryId: null,
};
const alone = { heldBy: null, lineage: [] };
const created: CategoryEvent = { type: 'CategoryCreatedEvent', data: fields };
const { decider } = category;
const given = (...events: CategoryEvent[]) =>
  events.reduce((state, event) => decider.evolve(state, event), decider.initial);
const update = (
  changes: ChangesOf<typeof category.spec>,
  facts: Parameters<typeof category.change>[3] = alone,
) => category.change(host, id, changes, facts);
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
    const create = (more: Partial<Fields>, facts: Parameters<typeof category.create>[3] = alone) =>
      decider.decide(category.create(host, id, { ...fields, ...more }, facts), given());
    expect(create({})).toEqual([created]);
    expect(refusal(() => create({}, { ...alone, heldBy: other }))).toEqual([
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
    expect(decider.decide(update({ categoryName: 'billing', categoryDesc: null }), given(created))).toEqual(
      [],
    );
    expect(
      decider.decide(update({ categoryName: 'billing', categoryDesc: 'Bills.' }), given(created)),
    ).toEqual([{ type: 'CategoryUpdatedEvent', data: { categoryDesc: 'Bills.' } }]);
  });

  it('never stands below itself', () => {
    const move = update({ parentCategoryId: other }, { heldBy: null, lineage: [other, id] });
    expect(refusal(() => decider.decide(move, given(created)))).toEqual([
      'category_cycle',
      '/parentCategoryId',
    ]);
  });

  it('keeps its name unique also where only its parent changes', () => {
    const move = update({ parentCategoryId: other }, { heldBy: other, lineage: [other] });
    expect(refusal(() => decider.decide(move, given(created)))).toEqual([
      'category_name_taken',
      '/categoryName',
    ]);
  });

  it('is deleted once, without children', () => {
    const remove = (hasChildren: boolean) => category.remove(host, id, hasChildren);
    expect(refusal(() => decider.decide(remove(true), given(created)))).toEqual([
      'category_has_children',
      undefined,
    ]);
    const deleted: CategoryEvent = { type: 'CategoryDeletedEvent', data: {} };
    expect(decider.decide(remove(false), given(created))).toEqual([deleted]);
    expect(() => decider.decide(remove(false), given(created, deleted))).toThrow(NotFound);
    expect(() => decider.decide(update({}), given(created, deleted))).toThrow(NotFound);
    expect(() => decider.decide(update({}), given())).toThrow(NotFound);
  });
});
