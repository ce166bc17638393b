import { FormGroup, FormSelect, FormSelectOption, TextArea } from '@patternfly/react-core';
import { useTexts } from '../texts/texts.tsx';
import type { Argument } from './arguments.ts';
import { FieldHelp, TextField } from './text-field.tsx';

interface Given {
  readonly argument: Argument;
  readonly value: string;
  readonly change: (value: string) => void;
  readonly fault: string | undefined;
}

/** The field for one argument of a tool. */
export function ArgumentField({ argument, value, change, fault }: Given) {
  const { records } = useTexts();
  const { name, kind, description, isRequired } = argument;
  const id = `argument-${name}`;
  if (kind === 'yesNo' || kind === 'one') {
    const choices =
      kind === 'one'
        ? argument.choices.map((each) => [each, each] as const)
        : ([
            ['true', records.yes],
            ['false', records.no],
          ] as const);
    return (
      <FormGroup label={name} fieldId={id} isRequired={isRequired}>
        <FormSelect id={id} value={value} aria-describedby={`${id}-help`} onChange={(_, one) => change(one)}>
          <FormSelectOption value="" label={isRequired ? records.chooseOne : records.notSaid} />
          {choices.map(([each, title]) => (
            <FormSelectOption key={each} value={each} label={title} />
          ))}
        </FormSelect>
        <FieldHelp id={id} help={description} fault={fault} />
      </FormGroup>
    );
  }
  if (kind === 'json') {
    return (
      <FormGroup label={`${name} (JSON)`} fieldId={id} isRequired={isRequired}>
        <TextArea
          id={id}
          rows={4}
          className="portal-code"
          resizeOrientation="vertical"
          value={value}
          validated={fault === undefined ? 'default' : 'error'}
          aria-describedby={`${id}-help`}
          onChange={(_, text) => change(text)}
        />
        <FieldHelp id={id} help={description} fault={fault} />
      </FormGroup>
    );
  }
  return <TextField {...{ id, isRequired, value, change, fault }} label={name} help={description} />;
}
