import {
  FormGroup,
  FormHelperText,
  FormSelect,
  FormSelectOption,
  HelperText,
  HelperTextItem,
  TextInput,
} from '@patternfly/react-core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, given } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { NewRecordForm } from '../../parts/new-record-form.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useSearchState } from '../../parts/search-state.ts';
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
  const add = useMutation({
    meta: { quiet: true },
    mutationFn: async () => {
      const params = { path: { hostId } };
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
  const sources = (versions.data?.items ?? []).filter(({ apiType }) => apiType !== 'agent');
  return (
    <Screen title={skills.add} lead={skills.addLead} above={{ to: '/skills', title: skills.title }}>
      <NewRecordForm
        add={add}
        failed={skills.notAdded}
        create={skills.create}
        isComplete={apiVersionId !== '' || name.trim() !== ''}
      >
        <FormGroup label={skills.from} fieldId="skill-from">
          <FormSelect
            id="skill-from"
            value={apiVersionId}
            onChange={(_, value) => set({ apiVersionId: value === '' ? undefined : value })}
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
          <FormHelperText>
            <HelperText>
              <HelperTextItem>{skills.fromHelp}</HelperTextItem>
            </HelperText>
          </FormHelperText>
        </FormGroup>
        <FormGroup label={skills.name} fieldId="skill-name" isRequired={apiVersionId === ''}>
          <TextInput id="skill-name" value={name} onChange={(_, text) => setName(text)} />
        </FormGroup>
        <FormGroup label={skills.description} fieldId="skill-description">
          <TextInput
            id="skill-description"
            value={description}
            onChange={(_, text) => setDescription(text)}
          />
        </FormGroup>
      </NewRecordForm>
    </Screen>
  );
}
