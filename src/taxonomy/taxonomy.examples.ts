/** Examples of the API document: a category, a tag, and what is classified with them. */

const record = {
  active: true,
  aggregateVersion: 1,
  position: 3,
  updateTs: '2026-11-21T09:10:00.000Z',
  updateUser: 'olga',
};

const hostId = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e01';
const categoryExampleId = '0198c0de-0000-7000-8000-0000000000c1';
const tagExampleId = '0198c0de-0000-7000-8000-0000000000a1';

export const categoryReceipt = { id: categoryExampleId, version: 1, position: 3, changed: true };
export const tagReceipt = { id: tagExampleId, version: 1, position: 3, changed: true };

export const categoryExample = {
  categoryId: categoryExampleId,
  hostId,
  entityType: 'skill',
  categoryName: 'customer-care',
  categoryDesc: 'What people at the help desk do.',
  parentCategoryId: null,
  ...record,
};

export const tagExample = {
  tagId: tagExampleId,
  hostId,
  entityType: 'skill',
  tagName: 'accounts',
  tagDesc: null,
  ...record,
};

export const selectionExample = { categoryIds: [categoryExampleId], tagIds: [tagExampleId] };
export const namesExample = { categories: ['customer-care'], tags: ['accounts'] };
export const selectionReceipt = {
  id: '7d8a1f5e-2a3b-5c4d-9e6f-0a1b2c3d4e5f',
  version: 1,
  position: 14,
  changed: true,
};

export function selectionAnswerExample(entityType: string, entityId: string): object {
  return {
    id: selectionReceipt.id,
    entityType,
    entityId,
    categories: [{ categoryId: categoryExampleId, categoryName: 'customer-care' }],
    tags: [{ tagId: tagExampleId, tagName: 'accounts' }],
    aggregateVersion: 1,
    position: 14,
  };
}
