import { withoutAddresses } from '../../platform/validation/untrusted-text.js';

/** Columns by their names. */
export type Redacted = Readonly<Record<string, unknown>>;

/**
 * What readers like agents are told in place of those columns that hold texts that address the model: the same without these
 * (docs/contract.md, section 4). It is kept with the row, so that every door tells the same and none looks through texts.
 *
 * @returns null where no text addresses the model
 */
export function redactionOf(columns: Redacted): Redacted | null {
  if (withoutAddresses(columns) === columns) return null;
  const changed = Object.entries(columns).flatMap(([name, value]) => {
    const redacted = withoutAddresses(value);
    return redacted === value ? [] : [[name, redacted]];
  });
  return Object.fromEntries(changed) as Redacted;
}
