import { Button, Form, type ButtonProps, type FormProps } from '@patternfly/react-core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useMay } from '../api/session.ts';
import { useTexts } from '../texts/texts.tsx';
import { notify } from './notices.tsx';

/** What writes the catalog: nothing stands here for those whom the service would refuse it. */
export function ForWriters({ children }: { readonly children: ReactNode }) {
  return useMay('catalog:write') && children;
}

interface Press extends Omit<ButtonProps, 'onClick'> {
  readonly scope?: Writing['scope'];
  readonly write: () => Promise<unknown>;
  /** Asked before. */
  readonly question?: string;
  /** Said when it is done. */
  readonly done?: string;
}

/** A button that writes, once however often it is pressed; none for those whom the service would refuse it. */
export function WriteButton({ scope = 'catalog:write', write, question, done, ...look }: Press) {
  const { isPending, mutate } = useMutation({
    mutationFn: write,
    onSuccess: () => done !== undefined && notify('success', done),
  });
  const isDisabled = isPending || look.isDisabled === true;
  const press = () => {
    if (question === undefined || confirm(question)) mutate();
  };
  return useMay(scope) && <Button {...look} {...{ isDisabled }} isLoading={isPending} onClick={press} />;
}

interface Writing extends Omit<FormProps, 'onSubmit'> {
  /** Without it nothing here is taken. */
  readonly scope?: 'catalog:write' | 'catalog:admin';
  readonly submit: () => void;
}

/** A form that writes: those whom the service would refuse it read its fields, and what they lack. */
export function WritingForm({ scope = 'catalog:write', submit, children, ...form }: Writing) {
  const { records } = useTexts();
  return (
    <Form
      {...form}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {useMay(scope) ? (
        children
      ) : (
        <>
          <p className="portal-subtle">{records.onlyRead(scope)}</p>
          <fieldset disabled className="portal-contents">
            {children}
          </fieldset>
        </>
      )}
    </Form>
  );
}
