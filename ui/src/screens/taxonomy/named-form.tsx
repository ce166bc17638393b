import { Alert, Button, Flex, Form, FormGroup, Grid, TextInput, Title } from '@patternfly/react-core';
import type { UseMutationResult } from '@tanstack/react-query';
import { useId, useState, type ReactNode } from 'react';
import { useTexts } from '../../texts/texts.tsx';

interface Named {
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
    <Form
      isWidthLimited
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Title headingLevel="h2" size="md">
        {title}
      </Title>
      {save.error !== null && (
        <Alert component="h3" isInline variant="danger" title={taxonomy.notSaved}>
          {save.error.message}
        </Alert>
      )}
      <Grid hasGutter md={6}>
        <FormGroup label={taxonomy.name} fieldId={`${id}-name`} isRequired>
          <TextInput id={`${id}-name`} value={name} isRequired onChange={(_, text) => setName(text)} />
        </FormGroup>
        <FormGroup label={taxonomy.description} fieldId={`${id}-description`}>
          <TextInput
            id={`${id}-description`}
            value={description}
            onChange={(_, text) => setDescription(text)}
          />
        </FormGroup>
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
    </Form>
  );
}
