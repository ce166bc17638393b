import { Button } from '@patternfly/react-core';
import { useMutation } from '@tanstack/react-query';
import { useMay } from '../api/session.ts';
import { useTexts } from '../texts/texts.tsx';
import { MoreActions } from './more-actions.tsx';

interface Switched {
  readonly isActive: boolean;
  readonly activate: () => Promise<unknown>;
  readonly deactivate: () => Promise<unknown>;
  /** Where the service has the record, from the root on. */
  readonly record?: string;
}

/** Switches a record on by a button; off by what stands behind one, since that is done seldom. */
export function Activation({ isActive, activate, deactivate, record }: Switched) {
  const { records } = useTexts();
  const mayWrite = useMay('catalog:write', 'catalog:admin');
  const change = useMutation({ mutationFn: isActive ? deactivate : activate });
  const off = { title: records.deactivate, isDisabled: change.isPending, run: () => change.mutate() };
  return (
    <>
      {mayWrite && !isActive && (
        <Button isLoading={change.isPending} isDisabled={change.isPending} onClick={() => change.mutate()}>
          {records.activate}
        </Button>
      )}
      {((mayWrite && isActive) || record !== undefined) && (
        <MoreActions
          actions={mayWrite && isActive ? [off] : []}
          {...(record === undefined ? {} : { record })}
        />
      )}
    </>
  );
}
