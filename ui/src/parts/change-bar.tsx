import { Button, Flex, FlexItem } from '@patternfly/react-core';
import type { ReactNode } from 'react';
import { useTexts } from '../texts/texts.tsx';

interface Given {
  /** Of the form that is sent. */
  readonly form: string;
  /** Of its button. */
  readonly save: string;
  readonly isSaving: boolean;
  readonly drop: () => void;
  /** What is to change, in a sentence. */
  readonly children: ReactNode;
}

/** What is not saved yet, at the foot of the screen, with the buttons that save it and drop it. */
export function ChangeBar({ form, save, isSaving, drop, children }: Given) {
  const { records } = useTexts();
  return (
    <div className="portal-bar">
      <Flex
        alignItems={{ default: 'alignItemsCenter' }}
        justifyContent={{ default: 'justifyContentSpaceBetween' }}
        gap={{ default: 'gapSm' }}
      >
        <FlexItem className="portal-fit" aria-live="polite">
          {children}
        </FlexItem>
        <Flex gap={{ default: 'gapSm' }}>
          <Button type="submit" form={form} isLoading={isSaving} isDisabled={isSaving}>
            {save}
          </Button>
          <Button variant="link" onClick={drop}>
            {records.cancel}
          </Button>
        </Flex>
      </Flex>
    </div>
  );
}
