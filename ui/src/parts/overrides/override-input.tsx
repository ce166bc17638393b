import { FormSelect, FormSelectOption, TextArea, TextInput } from '@patternfly/react-core';
import { useTexts } from '../../texts/texts.tsx';
import { useTiers } from '../labels.tsx';
import type { Kind } from './fields.ts';

interface Given {
  readonly id: string;
  readonly kind: Kind;
  readonly value: string;
  readonly set: (value: string) => void;
}

/** The field in which an override of this kind is typed, or chosen. */
export function OverrideInput({ id, kind, value, set }: Given) {
  const { records, overrides, lifecycles } = useTexts();
  const tiers = useTiers();
  const choices = {
    tier: tiers,
    flag: { true: records.yes, false: records.no },
    lifecycle: lifecycles,
  };
  if (kind === 'tier' || kind === 'flag' || kind === 'lifecycle') {
    return (
      <FormSelect id={id} className="portal-short" value={value} onChange={(_, chosen) => set(chosen)}>
        {value === '' && <FormSelectOption value="" label={records.notSaid} />}
        {Object.entries(choices[kind]).map(([each, label]) => (
          <FormSelectOption key={each} value={each} label={label} />
        ))}
      </FormSelect>
    );
  }
  if (kind === 'long' || kind === 'list') {
    return (
      <>
        <TextArea id={id} autoResize value={value} onChange={(_, text) => set(text)} />
        {kind === 'list' && <small className="portal-subtle">{overrides.onePerLine}</small>}
      </>
    );
  }
  return (
    <TextInput
      id={id}
      type={kind === 'number' ? 'number' : 'text'}
      {...(kind === 'number' && { min: 0, max: 10, step: 'any' })}
      className={kind === 'number' ? 'portal-short' : ''}
      value={value}
      onChange={(_, text) => set(text)}
    />
  );
}
