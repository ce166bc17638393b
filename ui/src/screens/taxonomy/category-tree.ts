import type { Of } from '../../api/client.ts';

type Category = Of<'Category'>;

interface Placed {
  readonly category: Category;
  /** Names of those above it, the topmost first. */
  readonly path: readonly string[];
  /** Its id and those above it. */
  readonly ids: readonly string[];
}

/** Categories in the order of a tree: each after the one that it stands below. A parent that is not there counts as none. */
export function treeOf(categories: readonly Category[]): readonly Placed[] {
  const known = new Set(categories.map(({ categoryId }) => categoryId));
  const below = Map.groupBy(categories, ({ parentCategoryId }) =>
    parentCategoryId !== null && known.has(parentCategoryId) ? parentCategoryId : '',
  );
  const placed = (parent: string, path: readonly string[], above: readonly string[]): readonly Placed[] =>
    (below.get(parent) ?? []).flatMap((category) => {
      const ids = [...above, category.categoryId];
      return [{ category, path, ids }, ...placed(category.categoryId, [...path, category.categoryName], ids)];
    });
  return placed('', [], []);
}
