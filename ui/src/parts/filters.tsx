import { FormSelect, FormSelectOption, SearchInput, ToolbarItem } from '@patternfly/react-core';
import { useCallback } from 'react';
import { useTyped } from './search-state.ts';

interface Filter {
  readonly name: string;
  readonly label: string;
  readonly value: string | undefined;
  readonly set: (changes: Record<string, string | undefined>) => void;
}

/** Words that the service looks for. */
export function WordsFilter({ name, label, value = '', set }: Filter) {
  const change = useCallback((text: string) => set({ [name]: text === '' ? undefined : text }), [name, set]);
  const [typed, setTyped] = useTyped(value, change);
  return (
    <ToolbarItem>
      <SearchInput
        aria-label={label}
        placeholder={label}
        value={typed}
        onChange={(_, text) => setTyped(text)}
        onClear={() => setTyped('')}
      />
    </ToolbarItem>
  );
}

/** One of a few values, or any. */
export function ChoiceFilter({
  name,
  label,
  value = '',
  set,
  choices,
}: Filter & { readonly choices: Readonly<Record<string, string>> }) {
  return (
    <ToolbarItem>
      <FormSelect
        className="portal-select"
        aria-label={label}
        value={value}
        onChange={(_, choice) => set({ [name]: choice === '' ? undefined : choice })}
      >
        <FormSelectOption value="" label={label} />
        {Object.entries(choices).map(([each, title]) => (
          <FormSelectOption key={each} value={each} label={title} />
        ))}
      </FormSelect>
    </ToolbarItem>
  );
}
