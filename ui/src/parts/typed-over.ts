import { useState } from 'react';

/** What is typed over a record, and the version that it was read from. */
export interface TypedOver<Words> {
  readonly words: Words;
  readonly set: (words: Words) => void;
  /** The version that it may be saved over. */
  readonly over: number;
  readonly isEdited: boolean;
  /** Others have saved meanwhile: what they wrote stands aside, until it is taken. */
  readonly isBehind: boolean;
  readonly takeTheirs: () => void;
}

/** What others write meanwhile is taken over where nothing was typed here, and where they wrote what is typed here. */
export function useTypedOver<Words>(read: Words, version: number): TypedOver<Words> {
  const [base, setBase] = useState({ read, version });
  const [words, set] = useState(read);
  const isSame = (a: Words, b: Words): boolean => JSON.stringify(a) === JSON.stringify(b);
  const takeTheirs = (): void => {
    setBase({ read, version });
    set(read);
  };
  const isEdited = !isSame(words, base.read);
  if (version > base.version && (!isEdited || isSame(words, read))) takeTheirs();
  const isBehind = isEdited && version > base.version;
  return { words, set, over: base.version, isEdited, isBehind, takeTheirs };
}
