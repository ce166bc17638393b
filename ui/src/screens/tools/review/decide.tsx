import { Alert, Button, Card, CardBody, CardTitle } from '@patternfly/react-core';
import { useState } from 'react';
import { useTexts } from '../../../texts/texts.tsx';
import { Checks, isBarred, needsReason } from './checks.tsx';
import { Decision } from './decision.tsx';
import type { Report } from './report.ts';

/** What keeps the reader from approving the version, each with what would mend it; and the decision itself. */
export function Decide({ report }: { readonly report: Report }) {
  const { review } = useTexts();
  const { state } = report;
  const isWaiting = state === 'in_review';
  return (
    <Card component="section" aria-labelledby="review-decide">
      <CardTitle component="h2" id="review-decide">
        {isWaiting ? review.decide : review.decided[state]}
      </CardTitle>
      <CardBody>
        <div className="portal-stack">
          {isWaiting ? <Waiting report={report} /> : <Decided report={report} />}
        </div>
      </CardBody>
    </Card>
  );
}

/** The screen follows what others write: who was about to decide on something else says that they have read it anew. */
function Waiting({ report }: { readonly report: Report }) {
  const { review } = useTexts();
  const { digest, needs } = report;
  const [read, setRead] = useState(digest);
  if (read !== digest) {
    const anew = (
      <Button variant="link" isInline onClick={() => setRead(digest)}>
        {review.readAnew}
      </Button>
    );
    return <Alert component="h3" isInline variant="warning" title={review.moved} actionLinks={anew} />;
  }
  return (
    <>
      <Checks report={report} />
      <Decision
        report={report}
        isBarred={isBarred(report)}
        needsReason={!isBarred(report) && needsReason(report)}
        accepts={!isBarred(report) && needs.includes('acceptance')}
      />
    </>
  );
}

/** What was missing when it was decided, and why it was approved all the same. */
function Decided({ report: { override, missing, state } }: { readonly report: Report }) {
  const { review } = useTexts();
  return (
    <>
      {state === 'draft' && <p>{review.draftWaits}</p>}
      {override !== null && <p>{review.overridden(override.by, override.reason)}</p>}
      {missing.length > 0 && (
        <div>
          <p>{review.wasMissing}</p>
          <ul>
            {missing.map((each) => (
              <li key={each}>{review.itLacks(each)}</li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
