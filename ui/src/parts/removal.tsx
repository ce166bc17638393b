import { Alert, Button, Modal, ModalBody, ModalFooter, ModalHeader } from '@patternfly/react-core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../api/session.ts';
import { useTexts } from '../texts/texts.tsx';

interface Given {
  /** Of the button, which opens the question. */
  readonly label: string;
  readonly question: string;
  /** What is lost by it. */
  readonly consequence: string;
  readonly remove: () => Promise<unknown>;
  readonly done: () => void;
}

/** The button that deletes something for good: what is lost by that is said first. */
export function Removal({ label, question, consequence, remove, done }: Given) {
  const { records } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const removal = useMutation({
    meta: { quiet: true },
    mutationFn: remove,
    onSuccess: () => {
      setOpen(false);
      done();
    },
  });
  const close = () => setOpen(false);
  if (!useMay('catalog:write', 'catalog:admin')) return null;
  return (
    <>
      <Button variant="secondary" isDanger onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Modal isOpen={isOpen} onClose={close} variant="small" aria-labelledby="removal-title">
        <ModalHeader title={question} labelId="removal-title" />
        <ModalBody>
          {consequence}
          {removal.error !== null && (
            <Alert isInline component="h2" variant="danger" title={removal.error.message} />
          )}
        </ModalBody>
        <ModalFooter>
          <Button
            variant="danger"
            isLoading={removal.isPending}
            isDisabled={removal.isPending}
            onClick={() => removal.mutate()}
          >
            {label}
          </Button>
          <Button variant="link" onClick={close}>
            {records.cancel}
          </Button>
        </ModalFooter>
      </Modal>
    </>
  );
}
