import { ActionGroup, Button, Checkbox, Flex, Form, FormGroup, TextArea } from '@patternfly/react-core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, given } from '../../../api/client.ts';
import { useHost } from '../../../api/session.ts';
import { useLeaveQuestion } from '../../../parts/leave-question.ts';
import { FieldFaults } from '../../../parts/states.tsx';
import { notify } from '../../../parts/notices.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import type { Report } from './report.ts';

interface Given {
  readonly report: Report;
  /** Whether no reason helps. */
  readonly isBarred: boolean;
  readonly needsReason: boolean;
  /** Whether who approves it accepts that callers may break. */
  readonly accepts: boolean;
}

/** Approving, or rejecting. Who may is for the service to say. */
export function Decision({ report, isBarred, needsReason, accepts }: Given) {
  const { review } = useTexts();
  const [isAccepted, setAccepted] = useState(false);
  const [asked, ask] = useState<'approve' | 'reject'>();
  const { approve, reject } = useDecision(report, accepts && isAccepted);
  const error = approve.error ?? reject.error;
  const cannot = isBarred || (accepts && !isAccepted);
  return (
    <>
      {accepts && (
        <Checkbox
          id="review-accepts"
          label={review.acceptsFindings}
          isChecked={isAccepted}
          onChange={(_, checked) => setAccepted(checked)}
        />
      )}
      {asked === undefined ? (
        <Flex gap={{ default: 'gapSm' }}>
          <Button
            variant={needsReason ? 'secondary' : 'primary'}
            isDisabled={cannot || approve.isPending}
            isLoading={approve.isPending}
            onClick={() => (needsReason ? ask('approve') : approve.mutate(undefined))}
          >
            {needsReason ? review.approveAnyway : review.approve}
          </Button>
          <Button variant="secondary" isDanger onClick={() => ask('reject')}>
            {review.rejectFor}
          </Button>
        </Flex>
      ) : (
        <Reason
          key={asked}
          kind={asked}
          isBusy={approve.isPending || reject.isPending}
          give={(reason) => (asked === 'approve' ? approve : reject).mutate(reason)}
          drop={() => ask(undefined)}
        />
      )}
      {error !== null && (
        <div role="alert">
          <p>{error.message}</p>
          <FieldFaults error={error} />
        </div>
      )}
    </>
  );
}

function useDecision({ toolId, toolVersion: version, digest, impact }: Report, acceptsFindings: boolean) {
  const { review } = useTexts();
  const hostId = useHost();
  const params = { path: { hostId, toolId, version } };
  const approve = useMutation({
    meta: { quiet: true },
    mutationFn: (reason: string | undefined) =>
      given(
        api.POST('/v1/hosts/{hostId}/tools/{toolId}/versions/{version}/approve', {
          params,
          body: {
            digest,
            ...(acceptsFindings && { acceptsFindings }),
            ...(reason !== undefined && { override: { reason } }),
          },
        }),
      ),
    onSuccess: () =>
      notify('success', impact.agents.length === 0 ? review.approvedForNobody : review.approved),
  });
  const reject = useMutation({
    meta: { quiet: true },
    mutationFn: (reason: string) =>
      given(
        api.POST('/v1/hosts/{hostId}/tools/{toolId}/versions/{version}/reject', { params, body: { reason } }),
      ),
    onSuccess: () => notify('success', review.rejected),
  });
  return { approve, reject };
}

interface Asked {
  readonly kind: 'approve' | 'reject';
  readonly isBusy: boolean;
  readonly give: (reason: string) => void;
  readonly drop: () => void;
}

/** Why it is approved although something is missing, or rejected. */
function Reason({ kind, isBusy, give, drop }: Asked) {
  const { review, records } = useTexts();
  const [reason, setReason] = useState('');
  useLeaveQuestion(reason.trim() !== '' && !isBusy);
  const { label, hint, act } = review.reasons[kind];
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        if (reason.trim() !== '') give(reason);
      }}
    >
      <FormGroup label={label} fieldId="review-reason" isRequired>
        <TextArea
          id="review-reason"
          autoFocus
          isRequired
          aria-describedby="review-reason-hint"
          value={reason}
          onChange={(_, text) => setReason(text)}
          resizeOrientation="vertical"
        />
        <small id="review-reason-hint" className="portal-subtle">
          {hint}
        </small>
      </FormGroup>
      <ActionGroup>
        <Button
          type="submit"
          variant={kind === 'reject' ? 'danger' : 'primary'}
          isDisabled={reason.trim() === '' || isBusy}
          isLoading={isBusy}
        >
          {act}
        </Button>
        <Button variant="link" onClick={drop}>
          {records.cancel}
        </Button>
      </ActionGroup>
    </Form>
  );
}
