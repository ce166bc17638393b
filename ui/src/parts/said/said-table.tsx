import { Button } from '@patternfly/react-core';
import PencilAltIcon from '@patternfly/react-icons/dist/esm/icons/pencil-alt-icon';
import TimesIcon from '@patternfly/react-icons/dist/esm/icons/times-icon';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import { useMutation } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { useTexts } from '../../texts/texts.tsx';
import { notify } from '../notices.tsx';
import { patchOf, saidFields, wordOf } from './fields.ts';
import { Value } from './value.tsx';
import './said.css';
import { WordEditor, type Saved, type Writing } from './word-editor.tsx';

/** Somebody who says something, and what. */
export interface Source {
  readonly key: string;
  readonly title: string;
  readonly words: unknown;
}

interface Given<Record extends Saved> {
  readonly title: string;
  readonly fields: readonly string[];
  /** The first is the operator. */
  readonly sources: readonly Source[];
  /** By field, whose word wins. */
  readonly winners: Readonly<{ [field: string]: string | undefined }>;
  readonly inForce: (record: Record, field: string) => unknown;
  readonly writing: Writing<Record>;
}

/** Field by field who says what: the word that wins stands out, and an operator writes another over it in place. */
export function SaidTable<Record extends Saved>({
  title,
  fields,
  sources,
  winners,
  inForce,
  writing,
}: Given<Record>) {
  const { endpoints, said } = useTexts();
  const [edited, edit] = useState<string>();
  const nameOf = useFieldNames();
  const columns = sources.length + 2;
  return (
    <Table variant="compact" aria-label={title}>
      <Thead>
        <Tr>
          <Th width={15}>{endpoints.field}</Th>
          {sources.map(({ key, title: name }) => (
            <Th key={key} modifier="nowrap">
              {name}
            </Th>
          ))}
          <Th modifier="nowrap">{said.inForce}</Th>
        </Tr>
      </Thead>
      <Tbody>
        {fields.map((field) => {
          const name = nameOf(field);
          const kind = saidFields[field];
          const [operator] = sources;
          return (
            <Fragment key={field}>
              <Tr>
                <Td dataLabel={endpoints.field}>{name}</Td>
                {sources.map(({ key, title: source, words }) => (
                  <Td key={key} dataLabel={source} className="portal-wrap">
                    <Word isWinner={winners[field] === key} value={wordOf(words, field)} title={name} />
                    {key === operator?.key && kind !== undefined && (
                      <Actions
                        {...{ field, name, writing }}
                        isSaid={isSaid(wordOf(words, field))}
                        isDisabled={edited !== undefined}
                        edit={() => edit(field)}
                      />
                    )}
                  </Td>
                ))}
                <Td dataLabel={said.inForce} className="portal-wrap">
                  <Value value={inForce(writing.record, field)} title={name} />
                </Td>
              </Tr>
              {edited === field && kind !== undefined && (
                <Tr>
                  <Td colSpan={columns}>
                    <WordEditor
                      {...writing}
                      {...{ field, kind }}
                      title={name}
                      inForce={(record) => inForce(record, field)}
                      close={() => edit(undefined)}
                    />
                  </Td>
                </Tr>
              )}
            </Fragment>
          );
        })}
      </Tbody>
    </Table>
  );
}

/** What fields are called. */
export function useFieldNames(): (field: string) => string {
  const names: Readonly<Record<string, string>> = useTexts().fields;
  return (field) => names[field.split('.').pop() ?? ''] ?? field;
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null;
}

interface Shown {
  readonly isWinner: boolean;
  readonly value: unknown;
  readonly title: string;
}

function Word({ isWinner, value, title }: Shown) {
  const shown = <Value {...{ value, title }} />;
  return isWinner ? <strong>{shown}</strong> : <span className="portal-subtle">{shown}</span>;
}

interface Acted<Record extends Saved> {
  readonly field: string;
  readonly name: string;
  readonly isSaid: boolean;
  readonly isDisabled: boolean;
  readonly edit: () => void;
  readonly writing: Writing<Record>;
}

/** Writes the operator's word, and takes it back. */
function Actions<Record extends Saved>({ field, name, isSaid, isDisabled, edit, writing }: Acted<Record>) {
  const { said } = useTexts();
  const { record, write } = writing;
  const takeBack = useMutation({
    mutationFn: () => write(patchOf(field, null), { 'If-Match': `"${String(record.aggregateVersion)}"` }),
    onSuccess: () => notify('success', said.takenBack(name)),
  });
  return (
    <span className="portal-together">
      <Button
        variant="plain"
        size="sm"
        icon={<PencilAltIcon />}
        aria-label={said.write(name)}
        isDisabled={isDisabled}
        onClick={edit}
      />
      {isSaid && (
        <Button
          variant="plain"
          size="sm"
          icon={<TimesIcon />}
          aria-label={said.takeBack(name)}
          isDisabled={isDisabled || takeBack.isPending}
          onClick={() => takeBack.mutate()}
        />
      )}
    </span>
  );
}
