import {
  Alert,
  FormGroup,
  FormHelperText,
  HelperText,
  HelperTextItem,
  TextInput,
} from '@patternfly/react-core';
import type { ReactNode } from 'react';
import { ApiFault } from '../api/client.ts';
import { useTexts } from '../texts/texts.tsx';
import { FieldFaults } from './states.tsx';

interface Given {
  readonly id: string;
  readonly label: string;
  /** What belongs in it, in a sentence. */
  readonly help?: ReactNode;
  readonly value: string;
  readonly change: (value: string) => void;
  readonly isRequired?: boolean;
  readonly placeholder?: string;
  readonly type?: 'text' | 'number';
  /** What the service says against it. */
  readonly fault?: string | undefined;
}

/** A text that is typed: what belongs in it stands below, and what was wrong with it in its place. */
export function TextField({
  id,
  label,
  help,
  value,
  change,
  isRequired = false,
  placeholder,
  type = 'text',
  fault,
}: Given) {
  const isWrong = fault !== undefined;
  return (
    <FormGroup label={label} fieldId={id} isRequired={isRequired}>
      <TextInput
        id={id}
        type={type}
        isRequired={isRequired}
        value={value}
        {...(placeholder === undefined ? {} : { placeholder })}
        validated={isWrong ? 'error' : 'default'}
        {...((help ?? fault) !== undefined && { 'aria-describedby': `${id}-help` })}
        onChange={(_, text) => change(text)}
      />
      <FieldHelp id={id} help={help} fault={fault} />
    </FormGroup>
  );
}

/** What stands below a field. */
export function FieldHelp({ id, help, fault }: Pick<Given, 'id' | 'help' | 'fault'>) {
  if (help === undefined && fault === undefined) return null;
  return (
    <FormHelperText>
      <HelperText id={`${id}-help`} aria-live="polite">
        <HelperTextItem variant={fault === undefined ? 'default' : 'error'}>{fault ?? help}</HelperTextItem>
      </HelperText>
    </FormHelperText>
  );
}

interface Refused {
  readonly title: string;
  readonly error: Error | null;
  readonly variant?: 'danger' | 'warning';
  /** Whether it is done once, however often it is sent: then it may be sent again where no answer came. */
  readonly isOnce?: boolean;
}

/** Why something was not done; of what got no answer nobody knows whether it was. */
export function Refusal({ title, error, variant = 'danger', isOnce = false }: Refused) {
  const { records } = useTexts();
  if (error === null) return null;
  const isUnknown = isOnce && error instanceof ApiFault && error.status === 0;
  return (
    <Alert
      component="h2"
      isInline
      variant={isUnknown ? 'warning' : variant}
      title={isUnknown ? records.unknown : title}
    >
      {isUnknown ? records.sendAgain : error.message}
      <FieldFaults error={error} />
    </Alert>
  );
}

/** What the service says against a member of what was sent, by its JSON pointer. */
export function faultAt(error: Error | null, pointer: string): string | undefined {
  return faultsIn(error).find((fault) => fault.pointer === pointer)?.detail;
}

/** All that it says, each with its place. */
export function faultsIn(error: Error | null): ApiFault['faults'] {
  return error instanceof ApiFault ? error.faults : [];
}
