import { Skeleton } from '@patternfly/react-core';
import { useTexts } from '../texts/texts.tsx';

/** A record's page before it is there: tabs, and the lines of a table. */
export function PageSkeleton({ lines = 8 }: { readonly lines?: number }) {
  const { states } = useTexts();
  return (
    <div role="status" aria-label={states.loading} className="portal-stack">
      <Skeleton width="24rem" height="2.5rem" />
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} height="1.5rem" />
      ))}
    </div>
  );
}
