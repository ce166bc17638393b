/** Kinds of what an approval lacks, in the order in which they are said. */
export const needs = [
  'approver',
  'name',
  'administrator',
  'somebody_else',
  'evaluation',
  'acceptance',
  'other_number',
] as const;
