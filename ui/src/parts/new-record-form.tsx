import { Button } from '@patternfly/react-core';
import type { UseMutationResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { WritingForm } from './for-writers.tsx';
import { useLeaveQuestion } from './leave-question.ts';
import { newId } from './new-id.ts';
import { Refusal } from './text-field.tsx';

interface NewRecord {
  /** Done once, however often it is sent: by an id that is chosen here, or by `useOnce`. */
  readonly add: Pick<UseMutationResult<unknown, Error, void>, 'mutate' | 'error' | 'isPending'>;
  /** Title of what is said where it fails. */
  readonly failed: string;
  /** Of the button. */
  readonly create: string;
  readonly isComplete: boolean;
  /** Where something is typed that is no field of a form. */
  readonly isEdited?: boolean;
  readonly isWide?: boolean;
  readonly scope?: 'catalog:write' | 'catalog:admin';
  readonly children: ReactNode;
}

/** A form that makes a record: its fields, why it was not made, and the button. */
export function NewRecordForm({ add, isEdited = false, isWide = false, ...given }: NewRecord) {
  const { failed, create, isComplete, children, scope = 'catalog:write' } = given;
  const { error } = add;
  const [isTyped, setTyped] = useState(false);
  // While it is sent, and until the screen of what was made is there, nothing is lost.
  useLeaveQuestion((isTyped || isEdited || error !== null) && !add.isPending);
  return (
    <WritingForm
      isWidthLimited={!isWide}
      scope={scope}
      onChange={() => setTyped(true)}
      submit={() => {
        setTyped(false);
        add.mutate();
      }}
    >
      <Refusal title={failed} error={error} isOnce />
      {children}
      <div>
        <Button type="submit" isLoading={add.isPending} isDisabled={add.isPending || !isComplete}>
          {create}
        </Button>
      </div>
    </WritingForm>
  );
}

/** The header by which what is sent once more, all of it the same, is done once. */
export function useOnce(): (...sent: readonly unknown[]) => { readonly 'Idempotency-Key': string } {
  const [keys] = useState(() => new Map<string, string>());
  return (...sent) => {
    const text = JSON.stringify(sent);
    const key = keys.get(text) ?? newId();
    keys.set(text, key);
    return { 'Idempotency-Key': key };
  };
}
