import { Alert, Button, Grid, GridItem, List, ListItem } from '@patternfly/react-core';
import { lazy, Suspense, useState } from 'react';
import { useFormats, useTexts } from '../../texts/texts.tsx';
import { Answer, Loading } from '../states.tsx';
import { useOutline, type Problem, type WorkflowWords } from './outline.ts';
import { Steps } from './steps.tsx';

const Editor = lazy(() => import('./yaml-source.tsx'));

interface Given {
  readonly words: WorkflowWords;
  /** Left out where it only is to be read. */
  readonly change?: (definition: string) => void;
  /** The skill whose tools its steps may call; left out, they are compared with none. */
  readonly skillId?: string | undefined;
}

const none: readonly Problem[] = [];

/** A definition as text, with what is wrong at its line, beside its steps. The editor is loaded when it is needed. */
export function Definition({ words, change, skillId }: Given) {
  const { workflows } = useTexts();
  const outline = useOutline(words, skillId);
  const [place, setPlace] = useState<{ readonly line: number }>();
  const goTo = (line: number): void => setPlace({ line });
  return (
    <Grid hasGutter>
      <GridItem xl={7}>
        <div className="portal-stack">
          <Suspense fallback={<Loading />}>
            <Editor
              label={workflows.definition}
              value={words.definition}
              problems={outline.data?.problems ?? none}
              {...{ change, place }}
            />
          </Suspense>
          {outline.data !== undefined && <Problems problems={outline.data.problems} goTo={goTo} />}
        </div>
      </GridItem>
      <GridItem xl={5}>
        <Answer of={outline}>{({ steps }) => <Steps name={words.name} steps={steps} goTo={goTo} />}</Answer>
      </GridItem>
    </Grid>
  );
}

/** All that is wrong or odd, each with its line. */
function Problems({
  problems,
  goTo,
}: {
  readonly problems: readonly Problem[];
  readonly goTo: (line: number) => void;
}) {
  const { workflows } = useTexts();
  const { number } = useFormats();
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const title =
    problems.length === 0
      ? workflows.noProblems
      : workflows.problems(number(errors), number(problems.length - errors));
  const variant = errors > 0 ? 'danger' : problems.length > 0 ? 'warning' : 'success';
  return (
    <Alert component="h2" isInline isLiveRegion variant={variant} title={title}>
      {problems.length > 0 && (
        <List isPlain>
          {problems.map(({ path, code, message, line }, index) => (
            <ListItem key={`${String(index)} ${path} ${code}`}>
              <Button variant="link" isInline onClick={() => goTo(line)}>
                {workflows.line(number(line))}
              </Button>{' '}
              {message}
            </ListItem>
          ))}
        </List>
      )}
    </Alert>
  );
}
