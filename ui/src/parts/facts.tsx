import {
  DescriptionList,
  DescriptionListDescription,
  DescriptionListGroup,
  DescriptionListTerm,
} from '@patternfly/react-core';
import type { ReactNode } from 'react';
import { useTexts } from '../texts/texts.tsx';

/** Names and values. What is not said is shown as that; 0, false and the empty text are values. */
export function Facts({
  of: facts,
  isNarrow = false,
}: {
  readonly of: readonly (readonly [string, ReactNode])[];
  /** Whether each value stands below its name. */
  readonly isNarrow?: boolean;
}) {
  return (
    <DescriptionList
      isCompact
      isHorizontal={!isNarrow}
      {...(!isNarrow && { horizontalTermWidthModifier: { default: '16ch' } })}
    >
      {facts.map(([name, value]) => (
        <DescriptionListGroup key={name}>
          <DescriptionListTerm>{name}</DescriptionListTerm>
          <DescriptionListDescription>{isSaid(value) ? value : <NotSaid />}</DescriptionListDescription>
        </DescriptionListGroup>
      ))}
    </DescriptionList>
  );
}

function isSaid(value: ReactNode): boolean {
  return (
    value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)
  );
}

function NotSaid() {
  const { records } = useTexts();
  return <span className="portal-subtle">{records.notSaid}</span>;
}
