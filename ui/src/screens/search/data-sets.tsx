import { FormGroup, TextArea } from '@patternfly/react-core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { ForWriters } from '../../parts/for-writers.tsx';
import { NewRecordForm } from '../../parts/new-record-form.tsx';
import { notify } from '../../parts/notices.tsx';
import { Records } from '../../parts/records.tsx';
import { Nothing } from '../../parts/states.tsx';
import { FieldHelp, TextField } from '../../parts/text-field.tsx';
import { To } from '../../parts/to.tsx';
import { useFormats, useTexts } from '../../texts/texts.tsx';

/** The data sets that the host keeps, and a new one. */
export function DataSets() {
  const { searching } = useTexts();
  const { moment, number } = useFormats();
  const hostId = useHost();
  return (
    <div className="portal-stack">
      <Records
        title={searching.dataSets}
        question={['data sets', hostId]}
        ask={(query) =>
          given(api.GET('/v1/hosts/{hostId}/evaluation-sets', { params: { path: { hostId }, query } }))
        }
        id={({ name }) => name}
        columns={[
          {
            title: searching.name,
            cell: ({ name }) => <To to={`/data-sets/${encodeURIComponent(name)}`}>{name}</To>,
          },
          { title: searching.prompts, cell: ({ rowCount }) => number(rowCount) },
          { title: searching.when, cell: ({ updateTs }) => moment(updateTs) },
          { title: searching.by, cell: ({ updateUser }) => updateUser },
        ]}
        nothing={<Nothing title={searching.noSets}>{searching.noSetsMend}</Nothing>}
      />
      <ForWriters>
        <NewSet />
      </ForWriters>
    </div>
  );
}

function NewSet() {
  const { searching } = useTexts();
  const hostId = useHost();
  const [setName, changeName] = useState('');
  const [lines, setLines] = useState('');
  const [replaced, replace] = useState('');
  const add = useMutation({
    meta: { quiet: true },
    mutationFn: async () => {
      const rows = lines.split('\n').flatMap((line, index) => rowOf(line, searching.line(String(index + 1))));
      // A host keeps no more than these.
      const params = { path: { hostId }, query: { limit: 100 } };
      const { items } = await given(api.GET('/v1/hosts/{hostId}/evaluation-sets', { params }));
      const there = items.find(({ name }) => name === setName);
      if (there !== undefined && replaced !== setName) {
        replace(setName);
        throw new Error(searching.replaces(setName, there.rowCount));
      }
      await given(
        api.PUT('/v1/hosts/{hostId}/evaluation-sets/{setName}', {
          params: { path: { hostId, setName } },
          body: { rows },
        }),
      );
    },
    onSuccess: () => {
      notify('success', searching.kept(setName));
      changeName('');
      replace('');
      setLines('');
    },
  });
  const rename = (text: string) => {
    changeName(text);
    replace('');
    add.reset();
  };
  return (
    <NewRecordForm
      add={add}
      failed={searching.notKept}
      create={replaced === '' ? searching.keep : searching.replace}
      isComplete={setName.trim() !== '' && lines.trim() !== ''}
    >
      <TextField id="set-name" isRequired label={searching.name} value={setName} change={rename} />
      <FormGroup label={searching.rows} fieldId="set-rows" isRequired>
        <TextArea
          id="set-rows"
          rows={5}
          value={lines}
          resizeOrientation="vertical"
          aria-describedby="set-rows-help"
          onChange={(_, text) => setLines(text)}
        />
        <FieldHelp
          id="set-rows"
          help={
            <>
              {searching.rowsHelp} <code>{'{"prompt": "Who owes us?", "expect": ["listBills"]}'}</code>
            </>
          }
        />
      </FormGroup>
    </NewRecordForm>
  );
}

function rowOf(line: string, place: string): Of<'EvaluationRow'>[] {
  if (line.trim() === '') return [];
  try {
    return [JSON.parse(line) as Of<'EvaluationRow'>];
  } catch (error) {
    throw new Error(`${place}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
