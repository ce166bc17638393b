/** How sensitive a record is, and how sensitive a reader may see (docs/contract.md, section 7). */
export type Tier = 'public' | 'internal' | 'confidential' | 'restricted';

/** Ascending. */
export const tiers: readonly Tier[] = ['public', 'internal', 'confidential', 'restricted'];

const unstated: Tier = 'internal';

/**
 * The tier that a free text names: the highest of the tier words that it contains, case aside
 * (`Restricted-PII`: restricted). Missing or without any: internal.
 */
export function tierOf(text: string | null | undefined): Tier {
  const lower = text?.toLowerCase() ?? '';
  return tiers.findLast((tier) => lower.includes(tier)) ?? unstated;
}

/** The lowest of the limits given; restricted (no limit) where none is. */
export function lowestTier(...limits: (Tier | undefined)[]): Tier {
  return tiers.find((tier) => limits.includes(tier)) ?? 'restricted';
}

export function tiersUpTo(limit: Tier): readonly Tier[] {
  return tiers.slice(0, tiers.indexOf(limit) + 1);
}

export function exceeds(tier: Tier, limit: Tier): boolean {
  return tiers.indexOf(tier) > tiers.indexOf(limit);
}

/** Whether a limit that was set is raised or taken away: that is the administrator's (docs/contract.md, section 2). */
export function loosensLimit(before: Tier | undefined, after: Tier | undefined): boolean {
  return before !== undefined && (after === undefined || exceeds(after, before));
}
