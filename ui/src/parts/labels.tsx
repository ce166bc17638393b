import { Label } from '@patternfly/react-core';
import { useTexts } from '../texts/texts.tsx';

const gradeColours = {
  breaking: 'red',
  suspicious: 'orange',
  compatible: 'green',
  wording: 'blue',
  text: 'blue',
  none: 'grey',
} as const;

/** How a change strikes callers. */
export function GradeLabel({ grade }: { readonly grade: keyof typeof gradeColours }) {
  const { grades } = useTexts();
  return (
    <Label isCompact color={gradeColours[grade]}>
      {grades[grade]}
    </Label>
  );
}

const tierColours = { public: 'green', internal: 'blue', confidential: 'orange', restricted: 'red' } as const;
export type Tier = keyof typeof tierColours;

/** How sensitive something is, or how sensitive it may be. */
export function TierLabel({ tier }: { readonly tier: Tier | undefined }) {
  const { tiers } = useTexts();
  if (tier === undefined) return null;
  return (
    <Label isCompact color={tierColours[tier]} variant="outline">
      {tiers[tier]}
    </Label>
  );
}

/** The tiers by what they are called, least sensitive first. */
export function useTiers(): Readonly<Record<Tier, string>> {
  return useTexts().tiers;
}

export function ActiveLabel({ isActive }: { readonly isActive: boolean }) {
  const { records } = useTexts();
  return (
    <Label isCompact color={isActive ? 'green' : 'grey'}>
      {isActive ? records.active : records.inactive}
    </Label>
  );
}

const stateColours = {
  draft: 'grey',
  in_review: 'orange',
  approved: 'green',
  deprecated: 'yellow',
  retired: 'grey',
  rejected: 'red',
} as const;
export type ReviewState = keyof typeof stateColours;

/** Where a version of a tool is on its way. */
export function ReviewLabel({ state }: { readonly state: ReviewState }) {
  const { reviewStates } = useTexts();
  return (
    <Label isCompact color={stateColours[state]}>
      {reviewStates[state]}
    </Label>
  );
}
