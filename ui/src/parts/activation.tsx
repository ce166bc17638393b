import { Button } from '@patternfly/react-core';
import { useMutation } from '@tanstack/react-query';
import { useTexts } from '../texts/texts.tsx';

interface Switched {
  readonly isActive: boolean;
  readonly activate: () => Promise<unknown>;
  readonly deactivate: () => Promise<unknown>;
}

/** The button that switches a record off, or on again. */
export function Activation({ isActive, activate, deactivate }: Switched) {
  const { records } = useTexts();
  const change = useMutation({ mutationFn: isActive ? deactivate : activate });
  return (
    <Button
      variant={isActive ? 'secondary' : 'primary'}
      isLoading={change.isPending}
      onClick={() => change.mutate()}
    >
      {isActive ? records.deactivate : records.activate}
    </Button>
  );
}
