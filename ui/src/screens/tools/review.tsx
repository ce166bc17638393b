import {
  Alert,
  Button,
  Checkbox,
  Flex,
  Form,
  FormGroup,
  List,
  ListItem,
  TextArea,
  Title,
} from '@patternfly/react-core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { Diff } from '../../parts/diff.tsx';
import { Facts } from '../../parts/facts.tsx';
import { GradeLabel, ReviewLabel } from '../../parts/labels.tsx';
import { notify } from '../../parts/notices.tsx';
import { Answer } from '../../parts/states.tsx';
import { To } from '../../parts/to.tsx';
import { useFormats, useTexts } from '../../texts/texts.tsx';

interface Which {
  readonly toolId: string;
  readonly version: string;
}

/** What a reviewer wants to know of a version, and what they may do with it: `children` are given the digest of what they have read. */
export function Reviewed({
  toolId,
  version,
  children,
}: Which & { readonly children: (digest: string, report: Of<'VersionReport'>) => ReactNode }) {
  const hostId = useHost();
  const report = useQuery({
    queryKey: ['report', hostId, toolId, version],
    queryFn: () =>
      given(
        api.GET('/v1/hosts/{hostId}/tools/{toolId}/versions/{version}/report', {
          params: { path: { hostId, toolId, version } },
        }),
      ),
  });
  return (
    <Answer of={report}>
      {(found) => (
        <div className="portal-stack">
          <Report report={found} />
          {found.state === 'in_review' && (
            <AsRead key={version} digest={found.digest}>
              {(digest) => children(digest, found)}
            </AsRead>
          )}
        </div>
      )}
    </Answer>
  );
}

/** The screen follows what others write: who was about to decide on something else says that they have read it anew. */
function AsRead({
  digest,
  children,
}: {
  readonly digest: string;
  readonly children: (digest: string) => ReactNode;
}) {
  const { review } = useTexts();
  const [read, setRead] = useState(digest);
  if (read === digest) return <>{children(digest)}</>;
  const anew = (
    <Button variant="link" isInline onClick={() => setRead(digest)}>
      {review.readAnew}
    </Button>
  );
  return <Alert component="h3" isInline variant="warning" title={review.moved} actionLinks={anew} />;
}

export function Review({ toolId, version }: Which) {
  return (
    <Reviewed toolId={toolId} version={version}>
      {(digest, { findings }) => (
        <ApproveOrReject
          {...{ toolId, version, digest }}
          accepts={findings.some(({ accepted }) => accepted !== undefined)}
        />
      )}
    </Reviewed>
  );
}

function Report({ report }: { readonly report: Of<'VersionReport'> }) {
  const { review } = useTexts();
  const { impact, findings, lint, missing, texts, schemas } = report;
  const isOpen = report.state === 'draft' || report.state === 'in_review';
  return (
    <>
      <Facts
        of={[
          [review.state, <ReviewLabel key="state" state={report.state} />],
          [review.author, report.author],
          [review.against, report.against],
          [review.grade, <GradeLabel key="grade" grade={report.grade} />],
          [review.evaluation, <Evaluation key="evaluation" report={report} />],
        ]}
      />
      {report.numberFault !== null && (
        <Alert component="h2" isInline variant="danger" title={report.numberFault} />
      )}
      <Lines title={isOpen ? review.missing : review.wasMissing} lines={missing} />
      <Lines title={review.findings} lines={findings.map(({ rule, pointer }) => `${rule} ${pointer}`)} />
      <Lines title={review.lint} lines={lint.map(({ pointer, detail }) => `${detail} ${pointer}`)} />
      {texts.map(({ pointer, before, after }) => (
        <Part key={pointer} title={pointer}>
          <Diff before={before} after={after} />
        </Part>
      ))}
      <Part title={review.input}>
        <Diff before={schemas.input.before} after={schemas.input.after} />
      </Part>
      <Part title={review.output}>
        <Diff before={schemas.output.before} after={schemas.output.after} />
      </Part>
      <Part title={review.impact}>
        {impact.skills.length + impact.agents.length === 0 ? (
          <p>{review.noImpact}</p>
        ) : (
          <List>
            {impact.skills.map(({ skillId, skillName, from, to }) => (
              <ListItem key={skillId}>
                <To to={`/skills/${skillId}`}>{skillName}</To> {review.moves(from ?? '–', to ?? '–')}
              </ListItem>
            ))}
            {impact.agents.map(({ agentDefId, name, envTag }) => (
              <ListItem key={agentDefId}>
                <To to={`/agents/${agentDefId}`}>{name}</To> {envTag}
              </ListItem>
            ))}
          </List>
        )}
      </Part>
    </>
  );
}

function Evaluation({ report: { evaluation, prompts } }: { readonly report: Of<'VersionReport'> }) {
  const { review } = useTexts();
  const { number } = useFormats();
  if (evaluation === null) return <>{review.notEvaluated}</>;
  const { passed } = evaluation as { readonly passed?: boolean };
  const counts =
    prompts === null ? '' : review.prompts(number(prompts.better.length), number(prompts.worse.length));
  return (
    <>
      {passed === true ? review.passed : review.failed} {counts}
    </>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <Title headingLevel="h3">{title}</Title>
      {children}
    </section>
  );
}

function Lines({ title, lines }: { readonly title: string; readonly lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <Part title={title}>
      <List>
        {lines.map((line) => (
          <ListItem key={line}>{line}</ListItem>
        ))}
      </List>
    </Part>
  );
}

/** Approving, or rejecting with a reason. Who may is for the service to say. */
function ApproveOrReject({
  toolId,
  version,
  digest,
  accepts,
}: Which & { readonly digest: string; readonly accepts: boolean }) {
  const { review } = useTexts();
  const [isAccepted, setAccepted] = useState(false);
  const hostId = useHost();
  const [reason, setReason] = useState('');
  const params = { path: { hostId, toolId, version } };
  const approve = useMutation({
    mutationFn: () =>
      given(
        api.POST('/v1/hosts/{hostId}/tools/{toolId}/versions/{version}/approve', {
          params,
          body: { digest, ...(accepts && { acceptsFindings: isAccepted }) },
        }),
      ),
    onSuccess: () => notify('success', review.approved),
  });
  const reject = useMutation({
    mutationFn: () =>
      given(
        api.POST('/v1/hosts/{hostId}/tools/{toolId}/versions/{version}/reject', { params, body: { reason } }),
      ),
    onSuccess: () => notify('success', review.rejected),
  });
  return (
    <Form>
      <FormGroup label={review.reason} fieldId="review-reason">
        <TextArea
          id="review-reason"
          value={reason}
          onChange={(_, text) => setReason(text)}
          resizeOrientation="vertical"
        />
      </FormGroup>
      {accepts && (
        <Checkbox
          id="review-accepts"
          label={review.acceptsFindings}
          isChecked={isAccepted}
          onChange={(_, checked) => setAccepted(checked)}
        />
      )}
      <Flex gap={{ default: 'gapSm' }}>
        <Button
          isDisabled={accepts && !isAccepted}
          isLoading={approve.isPending}
          onClick={() => approve.mutate()}
        >
          {review.approve}
        </Button>
        <Button
          variant="danger"
          isDisabled={reason.trim() === ''}
          isLoading={reject.isPending}
          onClick={() => reject.mutate()}
        >
          {review.reject}
        </Button>
      </Flex>
    </Form>
  );
}
