import { Button, Flex, Grid, Title } from '@patternfly/react-core';
import type { UseMutationResult } from '@tanstack/react-query';
import { useId, useState, type ReactNode } from 'react';
import { WritingForm } from '../../parts/for-writers.tsx';
import { useLeaveQuestion } from '../../parts/leave-question.ts';
import { Refusal, TextField } from '../../parts/text-field.tsx';
import { useTexts } from '../../texts/texts.tsx';

export interface Named {
  readonly name: string;
  readonly description: string;
}

interface Given<Wanted extends Named> {
  readonly title: string;
  readonly name?: string;
  readonly description?: string;
  readonly save: Pick<UseMutationResult<unknown, Error, Wanted>, 'mutate' | 'error' | 'isPending'>;
  /** What the form holds beside name and description, in fields that are its children. */
  readonly more: Omit<Wanted, keyof Named>;
  readonly cancel?: () => void;
  readonly children?: ReactNode;
}

/** A form of a category or a tag: a new one begins anew when it was made. */
export function NamedForm<Wanted extends Named>({
  title,
  save,
  more,
  cancel,
  children,
  ...said
}: Given<Wanted>) {
  const { taxonomy, records } = useTexts();
  const [name, setName] = useState(said.name ?? '');
  const [description, setDescription] = useState(said.description ?? '');
  const id = useId();
  useLeaveQuestion(name !== (said.name ?? '') || description !== (said.description ?? ''));
  const submit = () => {
    save.mutate({ name, description, ...more } as Wanted, {
      onSuccess: () => {
        if (said.name !== undefined) return;
        setName('');
        setDescription('');
      },
    });
  };
  return (
    <WritingForm isWidthLimited submit={submit}>
      <Title headingLevel="h2" size="md">
        {title}
      </Title>
      <Refusal title={taxonomy.notSaved} error={save.error} />
      <Grid hasGutter md={6}>
        <TextField id={`${id}-name`} isRequired label={taxonomy.name} value={name} change={setName} />
        <TextField
          id={`${id}-description`}
          label={taxonomy.description}
          value={description}
          change={setDescription}
        />
        {children}
      </Grid>
      <Flex gap={{ default: 'gapSm' }}>
        <Button type="submit" isLoading={save.isPending} isDisabled={name.trim() === '' || save.isPending}>
          {said.name === undefined ? records.add : records.save}
        </Button>
        {cancel !== undefined && (
          <Button variant="link" onClick={cancel}>
            {records.cancel}
          </Button>
        )}
      </Flex>
    </WritingForm>
  );
}
