import { Alert, Button } from '@patternfly/react-core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiFault, ifMatch, type IfMatch } from '../api/client.ts';
import { useTexts } from '../texts/texts.tsx';
import { Conflict } from './conflict.tsx';
import { ForWriters } from './for-writers.tsx';
import { useLeaveQuestion } from './leave-question.ts';
import { notify } from './notices.tsx';
import { FieldFaults } from './states.tsx';

interface Saved {
  readonly aggregateVersion: number;
  readonly updateUser: string;
}

interface Given<Kept, Words> {
  readonly saved: Kept;
  /** What is written of it here. */
  readonly wordsOf: (saved: Kept) => Words;
  /** Saves over one version of the record, and over no other. */
  readonly write: (words: Words, over: IfMatch) => Promise<{ readonly version: number }>;
}

interface Draft<Kept, Words> {
  /** What was read, or saved last. */
  readonly base: Kept;
  readonly words: Words;
  readonly wordsOf: (saved: Kept) => Words;
  readonly isEdited: boolean;
  readonly isSaving: boolean;
  /** Who has saved while this was being edited. */
  readonly behind: string | null;
  readonly error: Error | null;
  readonly set: <Name extends keyof Words>(name: Name) => (value: Words[Name]) => void;
  /** With what else is to be said by now. */
  readonly save: (more?: Partial<Words>) => void;
  readonly drop: () => void;
  readonly takeTheirs: (theirs: Kept) => void;
  readonly keepMine: (theirs: Kept) => void;
}

/** What is typed over a record: saved over the version that it was read from, and over no other. */
export function useDraft<Kept extends Saved, Words extends object>({
  saved,
  wordsOf,
  write,
}: Given<Kept, Words>): Draft<Kept, Words> {
  const { records } = useTexts();
  const [base, setBase] = useState(saved);
  const [words, setWords] = useState(() => wordsOf(saved));
  const isEdited = JSON.stringify(words) !== JSON.stringify(wordsOf(base));
  const save = useMutation({
    meta: { quiet: true },
    mutationFn: ({ over, sent }: { readonly over: number; readonly sent: Words }) =>
      write(sent, ifMatch(over)),
    // What was typed since it was sent is not saved.
    onSuccess: ({ version }, { sent }) => {
      setBase((before) => ({ ...before, ...sent, aggregateVersion: version }));
      notify('success', records.saved);
    },
  });
  useLeaveQuestion(isEdited);
  const isNewer = saved.aggregateVersion > base.aggregateVersion;
  // Something else of the record was saved, not what is edited here: then nobody's words are written over.
  const isSameHere = !save.isPending && JSON.stringify(wordsOf(saved)) === JSON.stringify(wordsOf(base));
  // What others write meanwhile is taken over where nothing was typed here.
  if (isNewer && (isSameHere || !isEdited)) setBase(saved);
  if (isNewer && !isEdited) setWords(wordsOf(saved));
  const isBehind = isEdited && isNewer && !isSameHere && !save.isPending;
  return {
    ...{ base, words, wordsOf, isEdited },
    behind: isBehind ? saved.updateUser : null,
    ...{ isSaving: save.isPending, error: save.error },
    set:
      <Name extends keyof Words>(name: Name) =>
      (value: Words[Name]) =>
        setWords((before) => ({ ...before, [name]: value })),
    save(more = {}) {
      const sent = { ...words, ...more };
      setWords(sent);
      save.mutate({ over: base.aggregateVersion, sent });
    },
    drop: () => setWords(wordsOf(base)),
    takeTheirs(theirs: Kept) {
      setBase(theirs);
      setWords(wordsOf(theirs));
      save.reset();
    },
    keepMine(theirs: Kept) {
      setBase(theirs);
      save.mutate({ over: theirs.aggregateVersion, sent: words });
    },
  };
}

interface Trouble<Kept, Words> {
  readonly draft: Draft<Kept, Words>;
  /** Of the question for the record as it is now. */
  readonly question: readonly unknown[];
  readonly ask: () => Promise<Kept>;
  readonly textOf: (words: Words) => string;
}

/** Why a draft was not saved, and what can be done. */
export function DraftTrouble<Kept extends Saved, Words>({
  draft: { behind, error, base, words, wordsOf, takeTheirs, keepMine },
  question,
  ask,
  textOf,
}: Trouble<Kept, Words>) {
  const { drafts } = useTexts();
  if (error === null)
    return behind === null ? null : (
      <Alert component="h2" isInline variant="info" title={drafts.behind(behind)} />
    );
  if (error instanceof ApiFault && error.status === 412) {
    return (
      <Conflict
        {...{ question, ask, takeTheirs, keepMine }}
        textOf={(theirs) => textOf(wordsOf(theirs))}
        base={textOf(wordsOf(base))}
        mine={textOf(words)}
      />
    );
  }
  return (
    <Alert component="h2" isInline variant="danger" title={drafts.notSaved}>
      {error.message}
      <FieldFaults error={error} />
    </Alert>
  );
}

/** The buttons that save a draft, and drop what was typed. */
export function DraftButtons({
  draft: { isEdited, isSaving, drop, canDrop = isEdited },
}: {
  /** With `canDrop` where dropping does more than taking back what was typed. */
  readonly draft: Pick<Draft<unknown, object>, 'isEdited' | 'isSaving' | 'drop'> & {
    readonly canDrop?: boolean;
  };
}) {
  const { records } = useTexts();
  return (
    <ForWriters>
      <Button type="submit" isDisabled={!isEdited || isSaving} isLoading={isSaving}>
        {records.save}
      </Button>
      <Button variant="link" isDisabled={!canDrop} onClick={drop}>
        {records.cancel}
      </Button>
    </ForWriters>
  );
}
