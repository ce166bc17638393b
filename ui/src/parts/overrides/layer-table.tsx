import { ifMatch } from '../../api/client.ts';
import { Button } from '@patternfly/react-core';
import PencilAltIcon from '@patternfly/react-icons/dist/esm/icons/pencil-alt-icon';
import TimesIcon from '@patternfly/react-icons/dist/esm/icons/times-icon';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import { useMutation } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { useTexts } from '../../texts/texts.tsx';
import { ForWriters } from '../for-writers.tsx';
import { notify } from '../notices.tsx';
import { overridable, patchOf } from './fields.ts';
import { OverrideEditor, type Saved, type Writing } from './override-editor.tsx';
import { Value } from './value.tsx';

/** One of those who say what a field is: its source, an operator. */
export interface Layer {
  readonly key: string;
  readonly title: string;
  readonly valueOf: (field: string) => unknown;
}

interface Given<Kept extends Saved> {
  readonly title: string;
  readonly fields: readonly string[];
  /** The first is the operator. */
  readonly layers: readonly Layer[];
  /** By field, the layer that wins. */
  readonly winners: Readonly<Record<string, string | undefined>>;
  readonly inForce: (record: Kept, field: string) => unknown;
  readonly writing: Writing<Kept>;
}

/** Field by field what each layer says: the value that wins stands out, and an operator overrides it in place. */
export function LayerTable<Kept extends Saved>({
  title,
  fields,
  layers,
  winners,
  inForce,
  writing,
}: Given<Kept>) {
  const { endpoints, overrides } = useTexts();
  const [edited, edit] = useState<string>();
  const nameOf = useFieldNames();
  const [operator] = layers;
  return (
    <Table variant="compact" aria-label={title}>
      <Thead>
        <Tr>
          <Th width={15}>{endpoints.field}</Th>
          {layers.map(({ key, title: name }) => (
            <Th key={key} modifier="nowrap">
              {name}
            </Th>
          ))}
          <Th modifier="nowrap">{overrides.inForce}</Th>
        </Tr>
      </Thead>
      <Tbody>
        {fields.map((field) => {
          const name = nameOf(field);
          const kind = overridable[field];
          return (
            <Fragment key={field}>
              <Tr>
                <Td dataLabel={endpoints.field}>{name}</Td>
                {layers.map(({ key, title: layer, valueOf }) => (
                  <Td key={key} dataLabel={layer} className="portal-wrap">
                    <LayerValue isWinner={winners[field] === key} value={valueOf(field)} title={name} />
                    {key === operator?.key && kind !== undefined && (
                      <Actions
                        {...{ field, name, writing }}
                        isSaid={isSaid(valueOf(field))}
                        isDisabled={edited !== undefined}
                        edit={() => edit(field)}
                      />
                    )}
                  </Td>
                ))}
                <Td dataLabel={overrides.inForce} className="portal-wrap">
                  <Value value={inForce(writing.record, field)} title={name} />
                </Td>
              </Tr>
              {edited === field && kind !== undefined && (
                <Tr>
                  <Td colSpan={layers.length + 2}>
                    <OverrideEditor
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

function LayerValue({ isWinner, value, title }: Shown) {
  const shown = <Value {...{ value, title }} />;
  return isWinner ? <strong>{shown}</strong> : <span className="portal-subtle">{shown}</span>;
}

interface Acted<Kept extends Saved> {
  readonly field: string;
  readonly name: string;
  readonly isSaid: boolean;
  readonly isDisabled: boolean;
  readonly edit: () => void;
  readonly writing: Writing<Kept>;
}

/** Overrides a field, and takes that back. */
function Actions<Kept extends Saved>({ field, name, isSaid, isDisabled, edit, writing }: Acted<Kept>) {
  const { overrides } = useTexts();
  const { record, write } = writing;
  const takeBack = useMutation({
    mutationFn: () => write(patchOf(field, null), ifMatch(record.aggregateVersion)),
    onSuccess({ inReview }) {
      if (inReview === undefined) notify('success', overrides.takenBack(name));
    },
  });
  return (
    <ForWriters>
      <span className="portal-whole">
        <Button
          variant="plain"
          size="sm"
          icon={<PencilAltIcon />}
          aria-label={overrides.write(name)}
          isDisabled={isDisabled}
          onClick={edit}
        />
        {isSaid && (
          <Button
            variant="plain"
            size="sm"
            icon={<TimesIcon />}
            aria-label={overrides.takeBack(name)}
            isDisabled={isDisabled || takeBack.isPending}
            onClick={() => takeBack.mutate()}
          />
        )}
      </span>
    </ForWriters>
  );
}
