/** Which category may be the parent of another, and which may be deleted. Pure. */
import { RuleBroken } from '../kernel/errors.js';

/** Facts about the parent that a category would have. */
export interface CategoryFacts {
  /** Ids of the parent, of its parent and so on, up to the root; empty where there is no such category. */
  readonly lineage: readonly string[];
}

/** Throws where the parent does not exist for this kind of thing, or is the category itself or below it. */
export function refuseUnfitParent(id: string, parent: string | null, { lineage }: CategoryFacts): void {
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

export function refuseChildren(hasChildren: boolean): void {
  if (!hasChildren) return;
  const detail = 'Other categories stand below this one. Move them elsewhere, or delete them first.';
  throw new RuleBroken('category_has_children', detail);
}
