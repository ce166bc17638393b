import { Label, LabelGroup } from '@patternfly/react-core';
import type { ReactNode } from 'react';
import { useTexts } from '../texts/texts.tsx';

const gradeColours = {
  breaking: 'red',
  suspicious: 'orange',
  compatible: 'green',
  wording: 'blue',
  text: 'blue',
  none: 'grey',
} as const;

/** How a change strikes callers: in a word, or as the children say it. */
export function GradeLabel({
  grade,
  children,
}: {
  readonly grade: keyof typeof gradeColours;
  readonly children?: ReactNode;
}) {
  const { grades } = useTexts();
  return (
    <Label isCompact color={gradeColours[grade]}>
      {children ?? grades[grade]}
    </Label>
  );
}

/** Tags and categories by name: the first few, the others on demand. */
export function TagLabels({
  names,
  numLabels = 3,
}: {
  readonly names: readonly string[];
  readonly numLabels?: number;
}) {
  if (names.length === 0) return null;
  return (
    <LabelGroup numLabels={numLabels}>
      {names.map((name) => (
        <Label key={name} isCompact>
          {name}
        </Label>
      ))}
    </LabelGroup>
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
