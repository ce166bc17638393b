import { Command } from '../eventsourcing/command.js';
import type { CategoryWords, NewCategoryWords } from './category.events.js';

/** What the rules of a category must know of the others. */
export interface CategorySurroundings {
  /** The other category that has, below the same parent, the name which this one would have. */
  readonly nameHeldBy: string | null;
  /** The parent that it would have, then that one's parent, up to the root; empty where there is no such category. */
  readonly lineage: readonly string[];
}

/** The aggregate id is a fresh UUID v7. */
export class CreateCategory extends Command<{
  readonly words: NewCategoryWords;
  readonly surroundings: CategorySurroundings;
}> {
  readonly aggregateType = 'Category';
  override readonly birth = true;
}

/** A word left out is unchanged. */
export class UpdateCategory extends Command<{
  readonly words: Partial<CategoryWords>;
  readonly surroundings: CategorySurroundings;
}> {
  readonly aggregateType = 'Category';
}

export class DeleteCategory extends Command<{ readonly hasChildren: boolean }> {
  readonly aggregateType = 'Category';
}

export type CategoryCommand = CreateCategory | UpdateCategory | DeleteCategory;
