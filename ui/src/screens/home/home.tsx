import {
  Card,
  CardBody,
  CardTitle,
  EmptyState,
  EmptyStateBody,
  Label,
  ProgressStep,
  ProgressStepper,
  Stack,
  StackItem,
} from '@patternfly/react-core';
import CheckCircleIcon from '@patternfly/react-icons/dist/esm/icons/check-circle-icon';
import { useQuery } from '@tanstack/react-query';
import { api, given } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { Screen } from '../../parts/screen.tsx';
import { Answer } from '../../parts/states.tsx';
import { To } from '../../parts/to.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Waiting } from './waiting.tsx';

/** What there is of a catalog: which of the first steps are done. */
function useSteps() {
  const hostId = useHost();
  return useQuery({
    queryKey: ['steps', hostId],
    queryFn: async () => {
      const params = { path: { hostId }, query: { limit: 1 } };
      const [tools, skills, agents] = await Promise.all([
        given(api.GET('/v1/hosts/{hostId}/tools', { params })),
        given(api.GET('/v1/hosts/{hostId}/skills', { params })),
        given(api.GET('/v1/hosts/{hostId}/agents', { params })),
      ]);
      return [tools, skills, agents].map(({ items }) => items.length > 0);
    },
  });
}

/** What waits or is broken, each a link to where it is mended; in an empty catalog the first steps instead. */
export default function Home() {
  const { home } = useTexts();
  const steps = useSteps();
  return (
    <Screen title={home.title} lead={home.lead}>
      <Answer of={steps}>
        {(done) => (
          <Stack hasGutter>
            {done.includes(false) && (
              <StackItem>
                <FirstSteps done={done} />
              </StackItem>
            )}
            {done[0] === true && (
              <StackItem>
                <Waiting
                  whenNothing={
                    <EmptyState
                      titleText={home.allWell}
                      headingLevel="h2"
                      icon={CheckCircleIcon}
                      status="success"
                    >
                      <EmptyStateBody>{home.allWellLead}</EmptyStateBody>
                    </EmptyState>
                  }
                />
              </StackItem>
            )}
          </Stack>
        )}
      </Answer>
    </Screen>
  );
}

function FirstSteps({ done }: { readonly done: readonly boolean[] }) {
  const { home } = useTexts();
  const steps = [
    { to: '/import', title: home.stepImport, lead: home.stepImportLead },
    { to: '/skills/new', title: home.stepSkill, lead: home.stepSkillLead },
    { to: '/agents/new', title: home.stepAgent, lead: home.stepAgentLead },
  ];
  const next = done.indexOf(false);
  return (
    <Card>
      <CardTitle component="h2">{home.steps}</CardTitle>
      <CardBody>
        <ProgressStepper isVertical aria-label={home.steps}>
          {steps.map(({ to, title, lead }, index) => {
            const state = done[index] === true ? 'done' : index === next ? 'next' : 'later';
            return (
              <ProgressStep
                key={to}
                id={`step-${String(index)}`}
                titleId={`step-title-${String(index)}`}
                variant={state === 'done' ? 'success' : state === 'next' ? 'info' : 'pending'}
                isCurrent={state === 'next'}
                description={lead}
                aria-label={`${title}: ${home[state]}`}
              >
                {state === 'later' ? title : <To to={to}>{title}</To>}{' '}
                {state === 'done' && (
                  <Label isCompact color="green">
                    {home.done}
                  </Label>
                )}
              </ProgressStep>
            );
          })}
        </ProgressStepper>
      </CardBody>
    </Card>
  );
}
