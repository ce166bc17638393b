/** Chosen by the caller; stands in paths. */
export const apiId = {
  type: 'string',
  pattern: '^[A-Za-z0-9._-]{1,64}$',
  description: 'Chosen by you: up to 64 letters, digits, dots, underscores and hyphens.',
} as const;

/** One line of text without blanks at its ends. */
export function line<const Max extends number>(max: Max) {
  return {
    type: 'string',
    minLength: 1,
    maxLength: max,
    pattern: '^[^\\s\\p{Cc}]([^\\p{Cc}]*[^\\s\\p{Cc}])?$',
  } as const;
}
