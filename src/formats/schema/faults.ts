/** What is said of parts of a schema that are left out. */
export const tooLong = {
  code: 'schema_mended',
  detail: 'A number here has more digits than JSON carries; the keyword was left out.',
} as const;

export const circle = {
  code: 'broken_reference',
  detail: 'A schema is composed of itself by references alone; the circle was cut here.',
} as const;

export const unfollowed = {
  external: {
    code: 'external_reference',
    detail: 'A reference out of the document is not followed; anything is accepted there.',
  },
  missing: { code: 'broken_reference', detail: 'A reference leads nowhere; anything is accepted there.' },
} as const;

export const noExample = {
  code: 'broken_reference',
  detail: 'An example refers to nothing in the document; it was left out.',
} as const;
