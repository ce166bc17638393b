import { Alert, Button, Form } from '@patternfly/react-core';
import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FieldFaults } from './states.tsx';

interface NewRecord {
  readonly add: Pick<UseMutationResult<unknown, Error, void>, 'mutate' | 'error' | 'isPending'>;
  /** Title of what is said where it fails. */
  readonly failed: string;
  /** Of the button. */
  readonly create: string;
  readonly isComplete: boolean;
  readonly children: ReactNode;
}

/** A form that makes a record: its fields, why it was not made, and the button. */
export function NewRecordForm({ add, failed, create, isComplete, children }: NewRecord) {
  return (
    <Form
      isWidthLimited
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate();
      }}
    >
      {add.error !== null && (
        <Alert component="h2" isInline variant="danger" title={failed}>
          {add.error.message}
          <FieldFaults error={add.error} />
        </Alert>
      )}
      {children}
      <div>
        <Button type="submit" isLoading={add.isPending} isDisabled={add.isPending || !isComplete}>
          {create}
        </Button>
      </div>
    </Form>
  );
}
