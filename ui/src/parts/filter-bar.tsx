import { Badge, Button, Label, LabelGroup, ToolbarItem } from '@patternfly/react-core';
import FilterIcon from '@patternfly/react-icons/dist/esm/icons/filter-icon';
import { useId, useState, type ReactNode } from 'react';
import { useTexts } from '../texts/texts.tsx';
import { ChoiceFilter, WordsFilter } from './filters.tsx';

/** What may be filtered by: one of a few values, or any text where there are none. */
export interface Filter {
  readonly name: string;
  readonly label: string;
  /** What values are called. */
  readonly choices?: Readonly<Record<string, string>>;
}

interface Given {
  readonly state: Readonly<Record<string, string>>;
  readonly set: (changes: Record<string, string | undefined>) => void;
  /** The label of the words that are looked for. */
  readonly search: string;
  readonly filters: readonly Filter[];
  /** What is said of the result. */
  readonly children?: ReactNode;
}

/** Above a table: the words that are looked for, the other filters on demand, and in words what is filtered by. */
export function FilterBar({ state, set, search, filters, children }: Given) {
  const { records } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const chosen = filters.flatMap(({ name, label, choices = {} }) => {
    const value = state[name];
    return value === undefined ? [] : [{ name, label: `${label}: ${choices[value] ?? value}` }];
  });
  return (
    <>
      <WordsFilter name="q" label={search} value={state['q']} set={set} />
      <ToolbarItem>
        <Button
          variant="control"
          icon={<FilterIcon />}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {records.filters} {chosen.length > 0 && <Badge isRead>{chosen.length}</Badge>}
        </Button>
      </ToolbarItem>
      {children !== undefined && <ToolbarItem alignSelf="center">{children}</ToolbarItem>}
      <div id={id} className="portal-filters" hidden={!isOpen}>
        {isOpen &&
          filters.map(({ name, label, choices }) => {
            const given = { name, label, value: state[name], set };
            return choices === undefined ? (
              <WordsFilter key={name} {...given} />
            ) : (
              <ChoiceFilter key={name} {...given} choices={choices} />
            );
          })}
      </div>
      {chosen.length > 0 && (
        <div className="portal-chips">
          <LabelGroup aria-label={records.filteredBy} numLabels={12}>
            {chosen.map(({ name, label }) => (
              <Label
                key={name}
                variant="outline"
                isCompact
                onClose={() => set({ [name]: undefined })}
                closeBtnAriaLabel={records.unfilter(label)}
              >
                {label}
              </Label>
            ))}
          </LabelGroup>
        </div>
      )}
    </>
  );
}
