import type { Decider } from '../eventsourcing/decider.js';
import { NotFound, RuleBroken } from '../eventsourcing/errors.js';
import {
  CreateCategory,
  UpdateCategory,
  type CategoryCommand,
  type CategorySurroundings,
} from './category.commands.js';
import type { CategoryEvent, CategoryWords } from './category.events.js';

export type CategoryState =
  | { readonly status: 'unknown' }
  | { readonly status: 'active'; readonly words: CategoryWords }
  | { readonly status: 'deleted' };

export const categoryDecider: Decider<CategoryState, CategoryCommand, CategoryEvent> = {
  aggregateType: 'Category',
  initial: { status: 'unknown' },

  decide(command, state) {
    const { aggregateId } = command;
    if (command instanceof CreateCategory) {
      const { words, surroundings } = command.payload;
      refuseTakenName(words.categoryName, surroundings);
      refuseUnfitParent(aggregateId, words.parentCategoryId, surroundings);
      return [{ type: 'CategoryCreatedEvent', data: words }];
    }
    if (state.status !== 'active') throw new NotFound('category', aggregateId);
    if (command instanceof UpdateCategory) return updated(command, state.words);
    if (!command.payload.hasChildren) return [{ type: 'CategoryDeletedEvent', data: {} }];
    const detail = 'Other categories stand below this one. Move them elsewhere, or delete them first.';
    throw new RuleBroken('category_has_children', detail);
  },

  evolve(state, event) {
    switch (event.type) {
      case 'CategoryCreatedEvent': {
        const { entityType: _, ...words } = event.data;
        return { status: 'active', words };
      }
      case 'CategoryUpdatedEvent':
        return state.status === 'active' ? { ...state, words: { ...state.words, ...event.data } } : state;
      case 'CategoryDeletedEvent':
        return { status: 'deleted' };
    }
  },
};

function updated({ aggregateId, payload }: UpdateCategory, now: CategoryWords): readonly CategoryEvent[] {
  const differs = ([word, text]: [string, unknown]): boolean => now[word as keyof CategoryWords] !== text;
  const words: Partial<CategoryWords> = Object.fromEntries(Object.entries(payload.words).filter(differs));
  if (Object.keys(words).length === 0) return [];
  refuseTakenName(words.categoryName ?? now.categoryName, payload.surroundings);
  refuseUnfitParent(aggregateId, words.parentCategoryId ?? null, payload.surroundings);
  return [{ type: 'CategoryUpdatedEvent', data: words }];
}

function refuseTakenName(name: string, { nameHeldBy }: CategorySurroundings): void {
  if (nameHeldBy === null) return;
  const detail = `The category ${nameHeldBy} is named "${name}" already, below the same parent. Take another name.`;
  throw new RuleBroken('category_name_taken', detail, [{ pointer: '/categoryName', detail }]);
}

function refuseUnfitParent(id: string, parent: string | null, { lineage }: CategorySurroundings): void {
  if (parent === null) return;
  const pointer = '/parentCategoryId';
  if (lineage.length === 0) {
    const detail = `There is no category ${parent} for this kind of thing to be the parent.`;
    throw new RuleBroken('parent_category_not_found', detail, [{ pointer, detail }]);
  }
  if (!lineage.includes(id)) return;
  const detail = `Category ${parent} is this category or stands below it. A category can't stand below itself.`;
  throw new RuleBroken('category_cycle', detail, [{ pointer, detail }]);
}
