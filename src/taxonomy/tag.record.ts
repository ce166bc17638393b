import { idField } from '../platform/records/fields.js';
import { record } from '../platform/records/record.js';
import { recordHandlers } from '../platform/records/record-handlers.js';
import { RecordReads } from '../platform/records/record-reads.js';
import { recordRoutes } from '../platform/records/record-routes.js';
import type { ChangesOf, FieldsOf } from '../platform/records/record-spec.js';
import { UseCase } from '../platform/use-cases/use-case.js';
import { tagExample, tagReceipt } from './taxonomy.examples.js';
import { checkTerm } from './term.planner.js';
import { requireOwnTerm, termView } from './taxonomy.lookup.js';
import { descriptionField, entityTypeField, nameField, termName } from './term.fields.js';

/** A free label for one kind of thing. Things no longer show it once it is deleted. */
export const tag = record({
  name: 'Tag',
  noun: 'tag',
  table: 'tag_t',
  id: { tagId: idField },
  fixed: { entityType: entityTypeField },
  fields: { tagName: nameField, tagDesc: descriptionField },
  lifecycle: 'deleted',
  touches: 'everybody',
  unique: {
    constraint: 'tag_name_uk',
    by: ['entityType', 'tagName'],
    among: 'active',
    code: 'tag_name_taken',
    pointer: 'tagName',
    detail: (holder, [, name]) =>
      `The tag ${holder} is named "${String(name)}" already. Use that one, or take another name.`,
    raced:
      'Another tag for the same kind of thing has this name already. Use that one, or take another name.',
  },
});

interface Id {
  readonly tagId: string;
}

export class CreateTag extends UseCase<FieldsOf<typeof tag.spec>> {}
export class UpdateTag extends UseCase<Id & ChangesOf<typeof tag.spec>> {}
export class DeleteTag extends UseCase<Id> {}

export const tagHandlers = recordHandlers(
  tag,
  { create: CreateTag, update: UpdateTag, delete: DeleteTag },
  {
    check: checkTerm,
    requireSeen: (sql, { visibility }, id) => requireOwnTerm(sql, visibility, 'tag', id),
  },
);

export const tagReads = new RecordReads(tag.spec, {
  ...termView('tag'),
  orderBy: 'tagName',
  filters: { entityType: entityTypeField.answered, tagName: termName },
  search: {
    in: ['tagName', 'tagDesc'],
    description: 'Words, or parts of them, of the name and the description.',
  },
});

export const tagRoutes = recordRoutes(tagReads, {
  path: 'tags',
  list: {
    description: 'Those of the host and the global ones, ordered by name.',
    example: { entityType: 'skill' },
  },
  create: {
    useCase: CreateTag,
    summary: 'Make a tag',
    description: 'Refused with `tag_name_taken` where another for the same kind of thing has the name.',
  },
  update: {
    useCase: UpdateTag,
    summary: 'Change a tag',
    description: 'What is left out stays. Refused with `tag_name_taken` and `global_read_only`.',
    example: { body: { tagDesc: 'All about accounts.' } },
  },
  delete: {
    useCase: DeleteTag,
    summary: 'Delete a tag',
    description: 'What has it no longer shows it. Refused with `global_read_only`.',
  },
  example: { body: { entityType: 'skill', tagName: 'accounts' }, answer: tagExample, receipt: tagReceipt },
});
