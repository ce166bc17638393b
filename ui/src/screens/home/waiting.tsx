import {
  Alert,
  Card,
  CardBody,
  CardTitle,
  DataList,
  DataListCell,
  DataListItem,
  DataListItemCells,
  DataListItemRow,
  Stack,
  StackItem,
} from '@patternfly/react-core';
import { useQueries } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useHost } from '../../api/session.ts';
import { Loading } from '../../parts/states.tsx';
import { To } from '../../parts/to.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useConcerns, type Concern } from './concerns.ts';

/** What waits or is broken, each a link to where it is mended; and what could not be asked. */
export function Waiting({ whenNothing }: { readonly whenNothing: ReactNode }) {
  const { home } = useTexts();
  const hostId = useHost();
  const answers = useQueries({
    queries: useConcerns().map(({ key, ask }) => ({ queryKey: ['waiting', hostId, key], queryFn: ask })),
  });
  const found = answers.flatMap(({ data }) => (data !== undefined && data.items.length > 0 ? [data] : []));
  const failed = answers.flatMap(({ error }) => (error === null ? [] : [error.message]));
  if (answers.some(({ isPending }) => isPending)) return <Loading />;
  return (
    <Stack hasGutter>
      {found.map((concern) => (
        <StackItem key={concern.title}>
          <ConcernCard {...concern} />
        </StackItem>
      ))}
      {found.length === 0 && failed.length === 0 && <StackItem>{whenNothing}</StackItem>}
      {failed.length > 0 && (
        <Alert component="h2" isInline variant="info" title={home.notSeen}>
          {[...new Set(failed)].map((reason) => (
            <p key={reason}>{reason}</p>
          ))}
        </Alert>
      )}
    </Stack>
  );
}

function ConcernCard({ title, lead, all, items, hasMore }: Concern) {
  const { home } = useTexts();
  return (
    <Card isCompact>
      <CardTitle component="h2">{title}</CardTitle>
      {lead !== undefined && <CardBody>{lead}</CardBody>}
      <CardBody>
        <DataList aria-label={title} isCompact>
          {items.map(({ id, to, title: name, detail }) => (
            <DataListItem key={id} aria-labelledby={id}>
              <DataListItemRow>
                <DataListItemCells
                  dataListCells={[
                    <DataListCell key="name">
                      <span id={id}>
                        <To to={to}>{name}</To>
                      </span>
                    </DataListCell>,
                    <DataListCell key="detail" width={3} className="portal-subtle">
                      {detail}
                    </DataListCell>,
                  ]}
                />
              </DataListItemRow>
            </DataListItem>
          ))}
        </DataList>
        {hasMore && all !== undefined && <To to={all}>{home.more}</To>}
      </CardBody>
    </Card>
  );
}
