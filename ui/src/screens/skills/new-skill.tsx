import { FormGroup, FormSelect, FormSelectOption, TextInput } from '@patternfly/react-core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, ApiFault, given } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { NewRecordForm, useOnce } from '../../parts/new-record-form.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useSearchState } from '../../parts/search-state.ts';
import { FieldHelp, TextField } from '../../parts/text-field.tsx';
import { useTexts } from '../../texts/texts.tsx';

/** A skill is begun: from the tools of an API version, which it then links, or with nothing. */
export default function NewSkill() {
  const { skills } = useTexts();
  const hostId = useHost();
  const navigate = useNavigate();
  const [{ apiVersionId = '' }, set] = useSearchState();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const versions = useQuery({
    queryKey: ['versions to draft from', hostId],
    queryFn: () =>
      given(
        api.GET('/v1/hosts/{hostId}/api-versions', { params: { path: { hostId }, query: { limit: 100 } } }),
      ),
  });
  const once = useOnce();
  const add = useMutation({
    meta: { quiet: true },
    mutationFn: async () => {
      const params = { path: { hostId }, header: once(apiVersionId, name, description) };
      const { id } =
        apiVersionId === ''
          ? await given(
              api.POST('/v1/hosts/{hostId}/skills', {
                params,
                body: { name, description, contentMarkdown: `# ${name}\n\n${description}\n` },
              }),
            )
          : await given(
              api.POST('/v1/hosts/{hostId}/skills/from-tools', {
                params,
                body: {
                  apiVersionId,
                  ...(name === '' ? {} : { name }),
                  ...(description === '' ? {} : { description }),
                },
              }),
            );
      return id;
    },
    onSuccess: (id) => navigate({ to: `/skills/${id}` }),
  });
  const { error } = add;
  const words = error instanceof ApiFault ? skills.refusals[error.code] : undefined;
  const sources = (versions.data?.items ?? []).filter(({ apiType }) => apiType !== 'agent');
  return (
    <Screen
      title={skills.add}
      lead={apiVersionId === '' ? skills.addLeadActive : skills.addLead}
      above={{ to: '/skills', title: skills.title }}
    >
      <NewRecordForm
        add={words === undefined ? add : { ...add, error: new Error(words) }}
        failed={skills.notAdded}
        create={skills.create}
        isComplete={apiVersionId !== '' || name.trim() !== ''}
      >
        <FormGroup label={skills.from} fieldId="skill-from">
          <FormSelect
            id="skill-from"
            value={apiVersionId}
            onChange={(_, value) => {
              add.reset();
              set({ apiVersionId: value === '' ? undefined : value });
            }}
          >
            <FormSelectOption value="" label={skills.fromNothing} />
            {sources.map(({ apiVersionId: id, apiId, apiVersion, envTag }) => (
              <FormSelectOption
                key={id}
                value={id}
                label={[apiId, apiVersion, envTag].filter(Boolean).join(' · ')}
              />
            ))}
          </FormSelect>
          {apiVersionId !== '' && <FieldHelp id="skill-from" help={skills.fromHelp} />}
        </FormGroup>
        <FormGroup label={skills.name} fieldId="skill-name" isRequired={apiVersionId === ''}>
          <TextInput id="skill-name" value={name} onChange={(_, text) => setName(text)} />
        </FormGroup>
        <TextField
          id="skill-description"
          label={skills.description}
          value={description}
          change={setDescription}
        />
      </NewRecordForm>
    </Screen>
  );
}
