import { Card, CardBody, CardTitle, ProgressStep, ProgressStepper } from '@patternfly/react-core';
import type { Of } from '../../api/client.ts';
import { GoTo, To } from '../../parts/to.tsx';
import { useTexts } from '../../texts/texts.tsx';

/** Of the way to tools that an agent can call, what is done: import, skill, agent, gateway. */
export function stepsDone({ counts }: Of<'Overview'>) {
  return {
    ...{ imported: counts.tools > 0, skilled: counts.skills > 0 },
    ...{ assigned: counts.assignments > 0, exposed: counts.exposures > 0 },
  };
}

interface Step {
  readonly title: string;
  readonly lead: string;
  /** What has been begun of it. */
  readonly begun?: string | undefined;
  readonly to: string;
  readonly go: string;
  /** Where what came of it is looked at. */
  readonly see?: { readonly to: string; readonly title: string } | undefined;
}

/** The way to tools that an agent can call, each step with what it is and where it is done. */
export function FirstSteps({ overview }: { readonly overview: Of<'Overview'> }) {
  const { home } = useTexts();
  const done = Object.values(stepsDone(overview));
  const next = done.indexOf(false);
  return (
    <Card>
      <CardTitle component="h2">{home.steps}</CardTitle>
      <CardBody>
        <ProgressStepper isVertical aria-label={home.steps}>
          {useSteps(overview).map((step, index) => {
            const state = done[index] === true ? 'done' : index === next ? 'next' : 'later';
            return (
              <ProgressStep
                key={step.title}
                id={`step-${String(index)}`}
                titleId={`step-title-${String(index)}`}
                variant={state === 'done' ? 'success' : state === 'next' ? 'info' : 'pending'}
                isCurrent={state === 'next'}
                description={<Explained {...step} state={state} />}
                aria-label={`${step.title}: ${home[state]}`}
              >
                {step.title}
              </ProgressStep>
            );
          })}
        </ProgressStepper>
      </CardBody>
    </Card>
  );
}

function Explained({
  lead,
  begun,
  to,
  go,
  see,
  state,
}: Step & { readonly state: 'done' | 'next' | 'later' }) {
  return (
    <span className="home-step">
      {state !== 'done' && <span>{begun ?? lead}</span>}
      {state === 'next' && (
        <GoTo to={to} size="sm">
          {go}
        </GoTo>
      )}
      {state === 'done' && see !== undefined && <To to={see.to}>{see.title}</To>}
    </span>
  );
}

/** Each with where it is gone on with: what is made but not at work is named. */
function useSteps({ counts, begun: { inactiveSkill, agent } }: Of<'Overview'>): readonly Step[] {
  const { home } = useTexts();
  const idle = agent !== null && agent.skills === 0 ? agent : undefined;
  return [
    { title: home.stepImport, lead: home.stepImportLead, to: '/import', go: home.stepImportGo },
    {
      ...{ title: home.stepSkill, lead: home.stepSkillLead },
      ...(inactiveSkill === null
        ? { to: '/skills/new', go: home.stepSkillGo }
        : {
            begun: home.stepSkillActivate(inactiveSkill.name),
            ...{ to: `/skills/${inactiveSkill.skillId}`, go: home.stepSkillActivateGo },
          }),
    },
    {
      ...{ title: home.stepAgent, lead: home.stepAgentLead },
      ...(idle === undefined
        ? { to: '/agents/new', go: home.stepAgentGo }
        : {
            begun: home.stepAgentAssign(idle.name),
            ...{ to: `/agents/${idle.agentDefId}?tab=assignment`, go: home.stepAgentAssignGo },
          }),
      see:
        agent === null
          ? undefined
          : { to: `/agents/${agent.agentDefId}?tab=catalog`, title: home.stepAgentSee(agent.name) },
    },
    {
      ...{ title: home.stepGateway, to: '/gateways', go: home.stepGatewayGo },
      lead: counts.gateways === 0 ? home.stepGatewayLead : home.notExposedLead,
    },
  ];
}
