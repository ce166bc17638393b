import { type IfMatch } from '../../api/client.ts';
import { ActionGroup, Form, FormGroup } from '@patternfly/react-core';
import type { ReactNode } from 'react';
import { useTexts } from '../../texts/texts.tsx';
import { DraftButtons, DraftTrouble, useDraft } from '../draft.tsx';
import { patchOf, textOf, valueOf, type Kind } from './fields.ts';
import { OverrideInput } from './override-input.tsx';

export interface Saved {
  readonly aggregateVersion: number;
  readonly updateUser: string;
}

/** `inReview` names the version that waits, where what was written is not in force yet. */
interface Receipt {
  readonly version: number;
  readonly inReview?: string;
}

/** How the overrides of a record are written, and the record is read again. */
export interface Writing<Kept extends Saved> {
  readonly record: Kept;
  /** Saves over one version of the record, and over no other. */
  readonly write: (patch: object, over: IfMatch) => Promise<Receipt>;
  readonly question: readonly unknown[];
  readonly ask: () => Promise<Kept>;
  /** Whom a change reaches, and when. */
  readonly effect: ReactNode;
}

interface Given<Kept extends Saved> extends Writing<Kept> {
  readonly field: string;
  readonly title: string;
  readonly kind: Kind;
  /** What is in force: what the operator begins with. */
  readonly inForce: (record: Kept) => unknown;
  readonly close: () => void;
}

/** One override of an operator, written in place. */
export function OverrideEditor<Kept extends Saved>({
  record,
  write,
  question,
  ask,
  effect,
  field,
  title,
  kind,
  inForce,
  close,
}: Given<Kept>) {
  const { overrides } = useTexts();
  const draft = useDraft({
    saved: record,
    wordsOf: (saved: Kept) => ({ word: textOf(inForce(saved)) }),
    async write({ word }, over) {
      const receipt = await write(patchOf(field, valueOf(word, kind)), over);
      close();
      return receipt;
    },
  });
  const id = `override-${field.replace('.', '-')}`;
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        draft.save();
      }}
    >
      <DraftTrouble {...{ draft, question, ask }} textOf={({ word }) => word} />
      <FormGroup label={overrides.yourWord(title)} fieldId={id}>
        <OverrideInput {...{ id, kind }} value={draft.words.word} set={draft.set('word')} />
      </FormGroup>
      <div className="portal-subtle">{effect}</div>
      <ActionGroup>
        <DraftButtons draft={{ ...draft, drop: close, canDrop: true }} />
      </ActionGroup>
    </Form>
  );
}
