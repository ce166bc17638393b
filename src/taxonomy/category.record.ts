import type { Sql } from '../kernel/sql.js';
import { uuid } from '../platform/http/schemas.js';
import { field, idField } from '../platform/records/fields.js';
import { record } from '../platform/records/record.js';
import { recordHandlers } from '../platform/records/record-handlers.js';
import { RecordReads } from '../platform/records/record-reads.js';
import { recordRoutes } from '../platform/records/record-routes.js';
import type { ChangesOf, FieldsOf } from '../platform/records/record-spec.js';
import { UseCase } from '../platform/use-cases/use-case.js';
import { refuseChildren, refuseUnfitParent, type CategoryFacts } from './category.rules.js';
import { globalHostId, descriptionField, entityTypeField, nameField, termName } from './term.fields.js';
import { categoryExample, categoryReceipt } from './taxonomy.examples.js';
import { requireOwnTerm, termView } from './taxonomy.lookup.js';
import { checkTerm } from './term.planner.js';

/** A category for one kind of thing, below another or at the root. */
export const category = record(
  {
    name: 'Category',
    noun: 'category',
    table: 'category_t',
    id: { categoryId: idField },
    fixed: { entityType: entityTypeField },
    fields: {
      categoryName: nameField,
      categoryDesc: descriptionField,
      parentCategoryId: field({
        sql: 'uuid',
        shown: {
          type: ['string', 'null'],
          format: 'uuid',
          description: 'The category for the same kind of thing that this one stands below; null for none.',
          default: null,
        },
        stored: { type: ['string', 'null'] },
      }),
    },
    lifecycle: 'deleted',
    touches: 'everybody',
    unique: {
      constraint: 'category_name_uk',
      by: ['entityType', 'categoryName', 'parentCategoryId'],
      among: 'active',
      code: 'category_name_taken',
      pointer: 'categoryName',
      detail: (holder, [, name]) =>
        `The category ${holder} is named "${String(name)}" already, below the same parent. Take another name.`,
      raced: 'Another category below the same parent has this name already. Take another name.',
    },
  },
  {
    write({ id, changed: { parentCategoryId = null } }, facts: CategoryFacts) {
      refuseUnfitParent(id, parentCategoryId, facts);
    },
    remove: (_id, hasChildren: boolean) => {
      refuseChildren(hasChildren);
    },
  },
);

type Fields = FieldsOf<typeof category.spec>;

interface Id {
  readonly categoryId: string;
}

export class CreateCategory extends UseCase<Fields> {}
export class UpdateCategory extends UseCase<Id & ChangesOf<typeof category.spec>> {}
export class DeleteCategory extends UseCase<Id> {}

export const categoryHandlers = recordHandlers(
  category,
  { create: CreateCategory, update: UpdateCategory, delete: DeleteCategory },
  {
    check: checkTerm,
    requireSeen: (sql, { visibility }, id) => requireOwnTerm(sql, visibility, 'category', id),
    facts: async (sql, { visibility: { hostId } }, { given, seen }) => ({
      lineage: await lineageOf(sql, hostId, { ...given, ...seen }),
    }),
    removeFacts: (sql, { visibility: { hostId } }, id) => hasChildren(sql, hostId, id),
  },
);

/** Loads the ids of the parent, of its parent and so on, up to the root; empty where there is none for this kind of thing. */
async function lineageOf(
  sql: Sql,
  hostId: string,
  { entityType, parentCategoryId = null }: Partial<Pick<Fields, 'entityType' | 'parentCategoryId'>>,
): Promise<readonly string[]> {
  if (parentCategoryId === null) return [];
  const rows = await sql.query<{ readonly id: string }>(
    `WITH RECURSIVE lineage (category_id, parent_category_id, depth) AS (
       SELECT category_id, parent_category_id, 1 FROM category_t
       WHERE host_id IN ($1, $4) AND category_id = $2 AND entity_type = $3 AND active
       UNION ALL
       SELECT p.category_id, p.parent_category_id, l.depth + 1
       FROM lineage l JOIN category_t p ON p.host_id IN ($1, $4) AND p.category_id = l.parent_category_id)
     SELECT category_id AS id FROM lineage ORDER BY depth`,
    [hostId, parentCategoryId, entityType, globalHostId],
  );
  return rows.map(({ id }) => id);
}

async function hasChildren(sql: Sql, hostId: string, categoryId: string): Promise<boolean> {
  const children = await sql.query(
    'SELECT FROM category_t WHERE host_id = $1 AND parent_category_id = $2 AND active LIMIT 1',
    [hostId, categoryId],
  );
  return children.length > 0;
}

export const categoryReads = new RecordReads(category.spec, {
  ...termView('category'),
  orderBy: 'categoryName',
  filters: {
    entityType: entityTypeField.answered,
    categoryName: termName,
    parentCategoryId: { ...uuid, description: 'Only the categories directly below this one.' },
  },
  search: {
    in: ['categoryName', 'categoryDesc'],
    description: 'Words, or parts of them, of the name and the description.',
  },
  // A token confined to an agent may not see the parent.
  redact: (answer, { within }) => (within === undefined ? answer : { ...answer, parentCategoryId: null }),
});

export const categoryRoutes = recordRoutes(categoryReads, {
  path: 'categories',
  list: {
    description: 'Those of the host and the global ones, ordered by name.',
    example: { entityType: 'skill' },
  },
  create: {
    useCase: CreateCategory,
    summary: 'Make a category',
    description:
      'Refused with `category_name_taken` where another has the name below the same parent, and with `parent_category_not_found`.',
  },
  update: {
    useCase: UpdateCategory,
    summary: 'Change a category',
    description:
      'What is left out stays; `parentCategoryId: null` takes the parent away. Refused with `category_name_taken`, `parent_category_not_found`, `category_cycle` and `global_read_only`.',
    example: { body: { categoryDesc: 'All about accounts.' } },
  },
  delete: {
    useCase: DeleteCategory,
    summary: 'Delete a category',
    description:
      'What is in it no longer shows it. Refused with `category_has_children` and `global_read_only`.',
  },
  example: {
    body: { entityType: 'skill', categoryName: 'customer-care' },
    answer: categoryExample,
    receipt: categoryReceipt,
  },
});
