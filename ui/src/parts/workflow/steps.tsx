import { Button, ToggleGroup, ToggleGroupItem } from '@patternfly/react-core';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import { lazy, Suspense, useMemo } from 'react';
import { useTexts } from '../../texts/texts.tsx';
import { useSearchState } from '../search-state.ts';
import { Loading, Nothing } from '../states.tsx';
import { depthOf, type Step } from './outline.ts';

const Picture = lazy(() => import('../picture.tsx'));

interface Given {
  /** Of the workflow. */
  readonly name: string;
  readonly steps: readonly Step[];
  /** Goes to the line of a step; left out where no text is shown. */
  readonly goTo?: ((line: number) => void) | undefined;
}

const ways = ['list', 'picture'] as const;

/** The steps of a workflow, as a list or as a picture of how they follow one another; both say the same. */
export function Steps({ name, steps, goTo }: Given) {
  const { workflows, pictures } = useTexts();
  const [{ shown = 'list' }, set] = useSearchState();
  if (steps.length === 0) return <Nothing title={workflows.noSteps}>{workflows.noStepsMend}</Nothing>;
  return (
    <div className="portal-stack">
      <ToggleGroup isCompact aria-label={workflows.shownAs}>
        {ways.map((each) => (
          <ToggleGroupItem
            key={each}
            text={pictures.views[each]}
            isSelected={shown === each}
            onChange={() => set({ shown: each })}
          />
        ))}
      </ToggleGroup>
      {shown === 'list' ? (
        <StepList {...{ name, steps, goTo }} />
      ) : (
        <Suspense fallback={<Loading />}>
          <Drawn {...{ name, steps, goTo }} />
        </Suspense>
      )}
    </div>
  );
}

function StepList({ name, steps, goTo }: Given) {
  const { workflows } = useTexts();
  const nameOf = new Map(steps.map((step) => [step.path, step.name]));
  return (
    <div className="portal-scroll" tabIndex={0} role="region" aria-label={workflows.steps(name)}>
      <Table variant="compact" aria-label={workflows.steps(name)}>
        <Thead>
          <Tr>
            <Th>{workflows.step}</Th>
            <Th>{workflows.stepKind}</Th>
            <Th>{workflows.stepTools}</Th>
            <Th>{workflows.stepNext}</Th>
          </Tr>
        </Thead>
        <Tbody>
          {steps.map((step) => (
            <Tr key={step.path}>
              <Td dataLabel={workflows.step}>
                {'· '.repeat(depthOf(step))}
                {goTo === undefined ? (
                  step.name
                ) : (
                  <Button variant="link" isInline onClick={() => goTo(step.line)}>
                    {step.name}
                  </Button>
                )}
              </Td>
              <Td dataLabel={workflows.stepKind}>{step.kind}</Td>
              <Td dataLabel={workflows.stepTools}>{step.tools.map(({ value }) => value).join(', ')}</Td>
              <Td dataLabel={workflows.stepNext}>
                {step.next
                  .map(({ path, label }) => [label, nameOf.get(path)].filter(Boolean).join(': '))
                  .join(', ')}
              </Td>
            </Tr>
          ))}
        </Tbody>
      </Table>
    </div>
  );
}

function Drawn({ name, steps, goTo }: Given) {
  const { workflows } = useTexts();
  const drawn = useMemo(
    () => ({
      nodes: steps.map(({ path, name: step, kind, tools }) => ({
        key: path,
        kind: tools.length === 0 ? kind : tools.map(({ value }) => value).join(', '),
        name: step,
      })),
      edges: steps.flatMap(({ path: from, next }) =>
        next.map(({ path: to, label }) => ({ from, to, label: label ?? '' })),
      ),
    }),
    [steps],
  );
  return (
    <Picture
      {...drawn}
      label={workflows.picture(name)}
      direction="TB"
      choose={(path) => goTo?.(steps.find((step) => step.path === path)?.line ?? 1)}
    />
  );
}
