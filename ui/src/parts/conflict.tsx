import { ActionGroup, Alert, Button, Grid, GridItem, Title } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../texts/texts.tsx';
import { Diff } from './diff.tsx';
import { Answer } from './states.tsx';

interface Given<Theirs> {
  /** Of the question for the record as it is now. */
  readonly question: readonly unknown[];
  readonly ask: () => Promise<Theirs>;
  readonly textOf: (theirs: Theirs) => string;
  /** What both began with. */
  readonly base: string;
  readonly mine: string;
  readonly takeTheirs: (theirs: Theirs) => void;
  readonly keepMine: (theirs: Theirs) => void;
}

/** Somebody else has saved meanwhile: what they changed beside what was changed here. Nothing is lost before one is chosen. */
export function Conflict<Theirs extends { readonly updateUser: string }>({
  question,
  ask,
  textOf,
  base,
  mine,
  takeTheirs,
  keepMine,
}: Given<Theirs>) {
  const { drafts } = useTexts();
  const theirs = useQuery({ queryKey: [...question, 'theirs'], staleTime: 0, queryFn: ask });
  return (
    <Alert component="h2" isInline variant="warning" title={drafts.conflict}>
      <Answer of={theirs}>
        {(found) => (
          <div className="portal-stack">
            <Grid hasGutter lg={6}>
              <GridItem>
                <Title headingLevel="h3">{drafts.theirs(found.updateUser)}</Title>
                <Diff before={base} after={textOf(found)} />
              </GridItem>
              <GridItem>
                <Title headingLevel="h3">{drafts.mine}</Title>
                <Diff before={base} after={mine} />
              </GridItem>
            </Grid>
            <ActionGroup>
              <Button variant="secondary" onClick={() => takeTheirs(found)}>
                {drafts.takeTheirs}
              </Button>
              <Button variant="secondary" onClick={() => keepMine(found)}>
                {drafts.keepMine}
              </Button>
            </ActionGroup>
          </div>
        )}
      </Answer>
    </Alert>
  );
}
