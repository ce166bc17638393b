import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';

type State = Readonly<Record<string, string>>;

/** Which page of a table is shown: what is asked otherwise begins at the first one. */
const firstPage = { page: undefined, after: undefined };

/** The state of a screen as its address has it, and how to change it: a link to it shows the same. */
export function useSearchState(): readonly [State, (changes: Record<string, string | undefined>) => void] {
  const state: State = useSearch({ strict: false });
  const navigate = useNavigate();
  const set = useCallback(
    (changes: Record<string, string | undefined>) => {
      void navigate({
        to: '.',
        replace: true,
        search: (before: Record<string, unknown>) => ({ ...before, ...firstPage, ...changes }),
      } as Parameters<typeof navigate>[0]);
    },
    [navigate],
  );
  return [state, set];
}

/** What the address says that the service shall filter by. */
export function chosenOf<Name extends string>(
  state: State,
  filters: readonly Name[],
): Partial<Record<Name, string>> {
  const said = filters.flatMap((name) => (state[name] === undefined ? [] : [[name, state[name]]]));
  return Object.fromEntries(said) as Partial<Record<Name, string>>;
}

const patience = 150;

/** A text that is typed: shown at once, in the address (and so asked for) when typing pauses. */
export function useTyped(
  value: string,
  set: (value: string) => void,
): readonly [string, (value: string) => void] {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    setTyped(value);
  }
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => set(typed), patience);
    return () => clearTimeout(timer);
  }, [typed, value, set]);
  return [typed, setTyped];
}

/** The id that the address names. */
export function useAddressed(name: string): string {
  const params: Readonly<Record<string, string>> = useParams({ strict: false });
  return params[name] ?? '';
}
