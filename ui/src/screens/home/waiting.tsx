import { Card, CardBody, CardTitle, EmptyState, EmptyStateBody, Title } from '@patternfly/react-core';
import CheckCircleIcon from '@patternfly/react-icons/dist/esm/icons/check-circle-icon';
import type { Of } from '../../api/client.ts';
import { useMay } from '../../api/session.ts';
import { GoTo, To } from '../../parts/to.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useConcerns, type Concern } from './concerns.ts';

interface Given {
  readonly overview: Of<'Overview'>;
  /** Whether there is enough for it to be said that all is well. */
  readonly isAtWork: boolean;
}

/** What waits or is broken, each with its way to mend it. */
export function Waiting({ overview, isAtWork }: Given) {
  const { home } = useTexts();
  const concerns = useConcerns(overview.waiting);
  // Who may not follow the log is told of nothing by itself.
  const isLive = useMay('catalog:admin');
  // Narrowed tokens are told of nothing that waits.
  const isTold = Object.keys(overview.waiting).length > 0;
  if (concerns.length === 0 && !(isAtWork && isTold)) return null;
  return (
    <Card>
      {concerns.length === 0 ? (
        <EmptyState
          titleText={home.allWell}
          headingLevel="h2"
          icon={CheckCircleIcon}
          status="success"
          variant="sm"
        >
          <EmptyStateBody>
            {home.allWellLead} {isLive && home.live}
          </EmptyStateBody>
        </EmptyState>
      ) : (
        <>
          <CardTitle>
            <Title headingLevel="h2" size="lg">
              {home.needsYou}
            </Title>
          </CardTitle>
          <CardBody>
            {concerns.map((concern) => (
              <Group key={concern.title} {...concern} />
            ))}
          </CardBody>
        </>
      )}
    </Card>
  );
}

function Group({ title, lead, all, items, hasMore, mend }: Concern) {
  const { home } = useTexts();
  return (
    <section aria-label={title} className="home-group">
      <Title headingLevel="h3" size="md">
        {title}
      </Title>
      {lead !== undefined && <p className="portal-subtle">{lead}</p>}
      {items.map(({ id, to, title: name, detail }) => (
        <div key={id} className="home-row">
          <div>
            <To to={to}>{name}</To>
            <p className="portal-subtle">{detail}</p>
          </div>
          <GoTo to={to} variant="secondary" size="sm" aria-label={`${mend}: ${name}`}>
            {mend}
          </GoTo>
        </div>
      ))}
      {hasMore && (all === undefined ? <p>{home.andMore}</p> : <To to={all}>{home.more}</To>)}
    </section>
  );
}
