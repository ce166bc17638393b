import { Button } from '@patternfly/react-core';
import { useState, type ReactNode } from 'react';
import { useTexts } from '../../texts/texts.tsx';
import { SchemaTree } from '../schema-tree.tsx';
import { shown } from '../shown.ts';

const MAX_SHOWN = 160;

interface Given {
  readonly value: unknown;
  /** What the value is of: for those who hear it. */
  readonly title: string;
}

/** What somebody says of a field: in words; what is long, a schema or has parts is folded. */
export function Value({ value, title }: Given) {
  const { records, tiers, overrides, lifecycles } = useTexts();
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'boolean') return value ? records.yes : records.no;
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) return value.join(', ');
  if (typeof value === 'object') {
    const count = Object.keys(value).length;
    if (count === 0) return null;
    return (
      <Folded title={title} short={overrides.parts(count)}>
        {'properties' in value || '$ref' in value ? (
          <SchemaTree title={title} schema={value} />
        ) : (
          <Parts of={value} />
        )}
      </Folded>
    );
  }
  const text = shown(value);
  const words: Readonly<Record<string, string>> = { ...tiers, ...lifecycles };
  if (text.length <= MAX_SHOWN) return words[text] ?? text;
  return (
    <Folded title={title} short={`${text.slice(0, MAX_SHOWN)}…`}>
      {text}
    </Folded>
  );
}

function Parts({ of: value }: { readonly of: object }) {
  return (
    <ul>
      {Object.entries(value).map(([name, each]: [string, unknown]) => (
        <li key={name}>
          {!Array.isArray(value) && <code>{name}: </code>}
          {typeof each === 'object' && each !== null ? <Parts of={each} /> : shown(each)}
        </li>
      ))}
    </ul>
  );
}

interface Short {
  readonly title: string;
  readonly short: string;
  readonly children: ReactNode;
}

function Folded({ title, short, children }: Short) {
  const { overrides } = useTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {isOpen ? children : short}{' '}
      <Button
        variant="link"
        isInline
        aria-label={(isOpen ? overrides.foldOf : overrides.allOf)(title)}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? overrides.fold : overrides.all}
      </Button>
    </>
  );
}
