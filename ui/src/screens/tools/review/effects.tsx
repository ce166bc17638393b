import { List, ListItem, Title } from '@patternfly/react-core';
import type { Of } from '../../../api/client.ts';
import { To } from '../../../parts/to.tsx';
import { useFormats, useTexts } from '../../../texts/texts.tsx';
import type { Report } from './report.ts';

/** What the version does to how tools are found, and who is given it. */
export function Effects({ report }: { readonly report: Report }) {
  const { review } = useTexts();
  return (
    <section className="portal-stack" aria-labelledby="review-effects">
      <Title headingLevel="h2" size="lg" id="review-effects">
        {review.effects}
      </Title>
      <Routing report={report} />
      <Reached report={report} />
    </section>
  );
}

const MAX_PROMPTS = 10;

function Routing({ report: { prompts, ...report } }: { readonly report: Report }) {
  const { review } = useTexts();
  const { number } = useFormats();
  const evaluation = report.evaluation as Of<'VersionEvaluation'> | null;
  if (evaluation === null) return <p>{review.notTried}</p>;
  const [better, worse] = [prompts?.better ?? [], prompts?.worse ?? []];
  const same = Math.max(0, evaluation.prompts - better.length - worse.length);
  return (
    <>
      <p>{review.asBefore(number(same), number(evaluation.prompts))}</p>
      <Flipped title={review.worse(number(worse.length))} prompts={worse} />
      <Flipped title={review.better(number(better.length))} prompts={better} />
      {evaluation.reasons.map(({ rule, detail }) => (
        <p key={`${rule} ${detail}`}>{detail}</p>
      ))}
    </>
  );
}

function Flipped({
  title,
  prompts,
}: {
  readonly title: string;
  readonly prompts: readonly Of<'FlippedPrompt'>[];
}) {
  const { review } = useTexts();
  if (prompts.length === 0) return null;
  return (
    <div>
      <Title headingLevel="h3" size="md">
        {title}
      </Title>
      <List>
        {prompts.slice(0, MAX_PROMPTS).map(({ prompt, first: { before, now } }) => (
          <ListItem key={prompt}>
            “{prompt}” <span className="portal-subtle">{review.finds(now ?? '–', before ?? '–')}</span>
          </ListItem>
        ))}
      </List>
    </div>
  );
}

function Reached({ report: { impact, reach } }: { readonly report: Report }) {
  const { review } = useTexts();
  const { number } = useFormats();
  const { skills, agents, gateways } = impact;
  return (
    <div>
      <Title headingLevel="h3" size="md">
        {review.impact}
      </Title>
      {reach !== null && (
        <p>{review.reached(number(reach.skills), number(reach.agents), number(reach.gateways))}</p>
      )}
      {reach === null && skills.length + agents.length + gateways.length === 0 && <p>{review.noImpact}</p>}
      <List isPlain>
        {skills.map(({ skillId, skillName, from, to }) => (
          <ListItem key={skillId}>
            {review.skill} <To to={`/skills/${skillId}`}>{skillName}</To>{' '}
            <span className="portal-subtle">
              {from === null ? review.gets(to ?? '–') : `${from} → ${to ?? '–'}`}
            </span>
          </ListItem>
        ))}
        {agents.map(({ agentDefId, name, envTag }) => (
          <ListItem key={agentDefId}>
            {review.agent} <To to={`/agents/${agentDefId}`}>{name}</To>{' '}
            <span className="portal-subtle">{envTag}</span>
          </ListItem>
        ))}
        {gateways.map(({ gatewayId, serviceId, envTag }) => (
          <ListItem key={gatewayId}>
            {review.gateway} <To to={`/gateways/${gatewayId}`}>{serviceId}</To>{' '}
            <span className="portal-subtle">{envTag}</span>
          </ListItem>
        ))}
      </List>
    </div>
  );
}
