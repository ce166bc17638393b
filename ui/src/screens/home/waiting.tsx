import {
  Alert,
  Card,
  CardBody,
  CardTitle,
  EmptyState,
  EmptyStateBody,
  Stack,
  Title,
} from '@patternfly/react-core';
import CheckCircleIcon from '@patternfly/react-icons/dist/esm/icons/check-circle-icon';
import type { Of } from '../../api/client.ts';
import { GoTo, To } from '../../parts/to.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useConcerns, type Concern } from './concerns.ts';
import { stepsDone } from './steps.tsx';

interface Given {
  readonly overview: Of<'Overview'>;
  /** Whether there is enough for it to be said that all is well. */
  readonly isAtWork: boolean;
  /** Who may not, is not told to connect a gateway. */
  readonly mayConnect: boolean;
}

/** What waits or is broken, each with its way to mend it. */
export function Waiting({ overview, isAtWork, mayConnect }: Given) {
  const { home } = useTexts();
  const concerns = useConcerns(overview.waiting);
  const isExposed = stepsDone(overview)[3];
  // Narrowed tokens are told of nothing that waits.
  const isTold = Object.keys(overview.waiting).length > 0;
  if (concerns.length === 0 && !(isAtWork && isTold)) return null;
  return (
    <Stack hasGutter>
      {isAtWork && mayConnect && !isExposed && (
        <Alert
          component="h2"
          isInline
          variant="warning"
          title={home.noGateway}
          actionLinks={<To to="/gateways">{home.stepGatewayGo}</To>}
        >
          {overview.counts.gateways === 0 ? home.noGatewayLead : home.notExposedLead}
        </Alert>
      )}
      <Card>
        {concerns.length === 0 ? (
          <EmptyState
            titleText={home.allWell}
            headingLevel="h2"
            icon={CheckCircleIcon}
            status="success"
            variant="sm"
          >
            <EmptyStateBody>{home.allWellLead}</EmptyStateBody>
          </EmptyState>
        ) : (
          <>
            <CardTitle component="h2">{home.needsYou}</CardTitle>
            <CardBody>
              {concerns.map((concern) => (
                <Group key={concern.title} {...concern} />
              ))}
            </CardBody>
          </>
        )}
      </Card>
    </Stack>
  );
}

function Group({ title, lead, all, items, hasMore, mend }: Concern) {
  const { home } = useTexts();
  return (
    <section aria-label={title} className="home-group">
      <Title headingLevel="h3">{title}</Title>
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
