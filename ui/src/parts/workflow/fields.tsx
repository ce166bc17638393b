import { FormGroup, Grid, GridItem } from '@patternfly/react-core';
import { useId } from 'react';
import { useTexts } from '../../texts/texts.tsx';
import { TextField } from '../text-field.tsx';
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
            <TextField
              id={`${id}-${field}`}
              isRequired
              label={workflows[field]}
              value={words[field]}
              change={set(field)}
            />
          </GridItem>
        ))}
      </Grid>
      <FormGroup label={workflows.definition} role="group">
        <Definition words={words} change={set('definition')} skillId={skillId} />
      </FormGroup>
    </>
  );
}
