import { Button, Icon, List, ListItem } from '@patternfly/react-core';
import CheckCircleIcon from '@patternfly/react-icons/dist/esm/icons/check-circle-icon';
import ExclamationTriangleIcon from '@patternfly/react-icons/dist/esm/icons/exclamation-triangle-icon';
import UsersIcon from '@patternfly/react-icons/dist/esm/icons/users-icon';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, given, type Of } from '../../../api/client.ts';
import { useHost, useMay } from '../../../api/session.ts';
import { useFormats, useTexts } from '../../../texts/texts.tsx';
import { Where } from './changes.tsx';
import type { Report } from './report.ts';

type Lacking = Pick<Report, 'needs' | 'lint'>;

/** Whether an approval takes a reason, since something is missing that a reason does without. */
export function needsReason({ needs, lint }: Lacking): boolean {
  const reasoned = ['somebody_else', 'evaluation', 'other_number'] as const;
  return reasoned.some((need) => needs.includes(need)) || lint.length > 0;
}

/** Whether callers may break by what the reader has written: only somebody else accepts that, whatever the reason. */
function acceptsOwn({ needs }: Pick<Report, 'needs'>): boolean {
  return needs.includes('somebody_else') && needs.includes('acceptance');
}

/** Whether the reader can't approve it, with a reason or without. */
export function isBarred({ needs }: Pick<Report, 'needs'>): boolean {
  const barring = ['approver', 'name', 'administrator'] as const;
  return barring.some((need) => needs.includes(need)) || acceptsOwn({ needs });
}

/** What an approval asks for, and whether it is there: in sentences. */
export function Checks({ report }: { readonly report: Report }) {
  const { review } = useTexts();
  const { needs, lint, numberFault, authors } = report;
  const { number } = useFormats();
  const { skills, agents } = report.impact;
  const written = authors.filter((author) => author !== '').join(', ');
  const lacks = (need: (typeof needs)[number]) => needs.includes(need);
  return (
    <List isPlain>
      <Check isMet={!lacks('somebody_else')}>
        {acceptsOwn(report)
          ? review.ownFindings
          : lacks('somebody_else')
            ? review.ownVersion
            : review.fourEyes(written)}
      </Check>
      <Check isMet={!lacks('evaluation')}>
        {lacks('evaluation') ? <ToEvaluate report={report} /> : review.evaluated}
      </Check>
      {lacks('approver') && <Check>{review.needsApprover}</Check>}
      {lacks('name') && <Check>{review.needsName}</Check>}
      {lacks('administrator') && <Check>{review.needsAdministrator}</Check>}
      {numberFault !== null && <Check>{numberFault}</Check>}
      {lint.map(({ pointer, detail }) => (
        <Check key={`${pointer} ${detail}`}>
          <Where pointer={pointer} />: {detail}
        </Check>
      ))}
      <ListItem icon={<UsersIcon />}>
        {skills.length + agents.length === 0
          ? review.reachesNobody
          : review.reaches(number(skills.length), number(agents.length))}
      </ListItem>
    </List>
  );
}

function Check({ isMet = false, children }: { readonly isMet?: boolean; readonly children: ReactNode }) {
  const icon = isMet ? (
    <Icon status="success">
      <CheckCircleIcon />
    </Icon>
  ) : (
    <Icon status="warning">
      <ExclamationTriangleIcon />
    </Icon>
  );
  return <ListItem icon={icon}>{children}</ListItem>;
}

/** Why its evaluation will not do, and the button that evaluates it. */
function ToEvaluate({ report }: { readonly report: Report }) {
  const { review } = useTexts();
  const hostId = useHost();
  const { toolId, toolVersion: version, digest } = report;
  const mayWrite = useMay('catalog:write');
  const evaluation = report.evaluation as Of<'VersionEvaluation'> | null;
  const evaluate = useMutation({
    mutationFn: () =>
      given(
        api.POST('/v1/hosts/{hostId}/tools/{toolId}/versions/{version}/evaluate', {
          params: { path: { hostId, toolId, version } },
          body: {},
        }),
      ),
  });
  const why =
    evaluation === null
      ? review.notEvaluated
      : evaluation.digest !== digest
        ? review.evaluatedBefore
        : evaluation.passed
          ? review.evaluateAnew
          : review.failed;
  if (!mayWrite) return `${why} ${review.evaluatedByWriters}`;
  return (
    <>
      {why}{' '}
      <Button
        size="sm"
        isLoading={evaluate.isPending}
        isDisabled={evaluate.isPending}
        onClick={() => evaluate.mutate()}
      >
        {evaluate.isPending ? review.evaluating : review.evaluate}
      </Button>
    </>
  );
}
