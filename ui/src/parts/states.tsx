import {
  Bullseye,
  Button,
  EmptyState,
  EmptyStateActions,
  EmptyStateBody,
  EmptyStateFooter,
  List,
  ListItem,
  Skeleton,
} from '@patternfly/react-core';
import SearchIcon from '@patternfly/react-icons/dist/esm/icons/search-icon';
import LockIcon from '@patternfly/react-icons/dist/esm/icons/lock-icon';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiFault } from '../api/client.ts';
import { useTexts } from '../texts/texts.tsx';

/** What a question answered; and until then, or where it failed, what there is to say of that. */
export function Answer<Data>({
  of: { data, error, refetch },
  loading = <Loading />,
  children,
}: {
  readonly of: UseQueryResult<Data>;
  /** What stands here until then, where it is not a few lines. */
  readonly loading?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}) {
  if (data !== undefined) return <>{children(data)}</>;
  if (error !== null) return <Failure error={error} retry={() => void refetch()} />;
  return <>{loading}</>;
}

export function Loading() {
  const { states } = useTexts();
  const widths = ['60%', '90%', '75%', '85%', '40%'];
  return (
    <div role="status" aria-label={states.loading} className="portal-stack">
      {widths.map((width) => (
        <Skeleton key={width} width={width} />
      ))}
    </div>
  );
}

/** What failed, why, and what can be done. */
export function Failure({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const { states } = useTexts();
  const fault = error instanceof ApiFault ? error : new ApiFault(-1, 'failed', String(error));
  const isForbidden = fault.status === 403;
  const title = isForbidden ? states.forbidden : fault.status === 404 ? states.notFound : states.failed;
  const mend = fault.status === 0 ? states.unreachable : isForbidden ? states.forbiddenMend : undefined;
  return (
    <Bullseye>
      <EmptyState
        titleText={title}
        headingLevel="h2"
        {...(isForbidden ? { icon: LockIcon } : { status: 'danger' })}
      >
        <EmptyStateBody>
          {fault.status !== 0 && <p>{fault.message}</p>}
          {mend !== undefined && <p>{mend}</p>}
          <FieldFaults error={fault} />
        </EmptyStateBody>
        {retry !== undefined && fault.status !== 404 && !isForbidden && (
          <EmptyStateFooter>
            <EmptyStateActions>
              <Button onClick={retry}>{states.retry}</Button>
            </EmptyStateActions>
          </EmptyStateFooter>
        )}
      </EmptyState>
    </Bullseye>
  );
}

/** What was wrong with each field, where a refusal says more of it than its message, which stands above. */
export function FieldFaults({ error }: { readonly error: unknown }) {
  if (!(error instanceof ApiFault)) return null;
  const faults = error.faults.filter(({ detail }) => detail !== error.message);
  if (faults.length === 0) return null;
  return (
    <List isPlain>
      {faults.map(({ pointer, detail }) => (
        <ListItem key={`${pointer} ${detail}`}>
          <strong>{pointer.slice(1).replaceAll('/', ' › ')}</strong> {detail}
        </ListItem>
      ))}
    </List>
  );
}

/** That there is nothing, and what to do about it. */
export function Nothing({
  title,
  children,
  action,
}: {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <EmptyState titleText={title} headingLevel="h2" icon={SearchIcon} variant="sm">
      {children !== undefined && <EmptyStateBody>{children}</EmptyStateBody>}
      {action !== undefined && (
        <EmptyStateFooter>
          <EmptyStateActions>{action}</EmptyStateActions>
        </EmptyStateFooter>
      )}
    </EmptyState>
  );
}
