import { FormGroup, Grid, GridItem, TextInput } from '@patternfly/react-core';
import { useId } from 'react';
import { useTexts } from '../../texts/texts.tsx';
import { Definition } from './definition.tsx';
import type { WorkflowWords } from './outline.ts';

interface Given {
  readonly words: WorkflowWords;
  readonly set: (name: keyof WorkflowWords) => (value: string) => void;
  readonly skillId?: string | undefined;
}

/** What an author writes of a workflow: what it is called, and its definition. */
export function WorkflowFields({ words, set, skillId }: Given) {
  const { workflows } = useTexts();
  const id = useId();
  return (
    <>
      <Grid hasGutter>
        {(['namespace', 'name', 'version'] as const).map((field) => (
          <GridItem key={field} md={4}>
            <FormGroup label={workflows[field]} fieldId={`${id}-${field}`} isRequired>
              <TextInput
                id={`${id}-${field}`}
                isRequired
                value={words[field]}
                onChange={(_, text) => set(field)(text)}
              />
            </FormGroup>
          </GridItem>
        ))}
      </Grid>
      <FormGroup label={workflows.definition} role="group">
        <Definition words={words} change={set('definition')} skillId={skillId} />
      </FormGroup>
    </>
  );
}
