import { ActionGroup, Form, FormGroup } from '@patternfly/react-core';
import type { ReactNode } from 'react';
import { useTexts } from '../../texts/texts.tsx';
import { DraftButtons, DraftTrouble, useDraft } from '../draft.tsx';
import { patchOf, textOf, valueOf, type Kind } from './fields.ts';
import { WordField } from './word-field.tsx';

export interface Saved {
  readonly aggregateVersion: number;
  readonly updateUser: string;
}

/** Where a record's words are written, and read again. */
export interface Writing<Record extends Saved> {
  readonly record: Record;
  /** Saves over one version of the record, and over no other. */
  readonly write: (
    patch: object,
    over: { readonly 'If-Match': string },
  ) => Promise<{ readonly version: number }>;
  readonly question: readonly unknown[];
  readonly ask: () => Promise<Record>;
  /** Whom a change reaches, and when. */
  readonly effect: ReactNode;
}

interface Given<Record extends Saved> extends Writing<Record> {
  readonly field: string;
  readonly title: string;
  readonly kind: Kind;
  /** What is in force: what the operator begins with. */
  readonly inForce: (record: Record) => unknown;
  readonly close: () => void;
}

/** One word of an operator, written in place. */
export function WordEditor<Record extends Saved>({
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
}: Given<Record>) {
  const { said } = useTexts();
  const draft = useDraft({
    saved: record,
    wordsOf: (saved: Record) => ({ word: textOf(inForce(saved)) }),
    async write({ word }, over) {
      const receipt = await write(patchOf(field, valueOf(word, kind)), over);
      close();
      return receipt;
    },
  });
  const id = `said-${field.replace('.', '-')}`;
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        draft.save();
      }}
    >
      <DraftTrouble {...{ draft, question, ask }} textOf={({ word }) => word} />
      <FormGroup label={said.yourWord(title)} fieldId={id}>
        <WordField {...{ id, kind }} value={draft.words.word} set={draft.set('word')} />
      </FormGroup>
      <div className="portal-subtle">{effect}</div>
      <ActionGroup>
        <DraftButtons draft={{ ...draft, drop: close, canDrop: true }} />
      </ActionGroup>
    </Form>
  );
}
