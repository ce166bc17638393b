import { SearchInput } from '@patternfly/react-core';
import { useState } from 'react';
import { useTexts } from '../texts/texts.tsx';
import { useSettled } from './settled.ts';

interface Narrowing {
  readonly words: string;
  readonly setWords: (words: string) => void;
  /** What the service is asked for by them. */
  readonly asked: { readonly q?: string };
}

/** Words by which a choice is narrowed that is longer than what is listed of it. */
export function useNarrowing(): Narrowing {
  const [words, setWords] = useState('');
  const q = useSettled(words.trim());
  return { words, setWords, asked: q === '' ? {} : { q } };
}

interface Given {
  readonly of: Narrowing;
  /** What is chosen from. */
  readonly kind: string;
  /** Whether there are more than are listed. */
  readonly hasMore: boolean;
}

/** The field for these words: where all are listed anyway, there is none. */
export function Narrow({ of: { words, setWords }, kind, hasMore }: Given) {
  const { records } = useTexts();
  if (!hasMore && words === '') return null;
  return (
    <SearchInput
      className="portal-short"
      aria-label={records.find(kind)}
      placeholder={records.typeMore}
      value={words}
      onChange={(_, text) => setWords(text)}
      onClear={() => setWords('')}
    />
  );
}
