import { FormGroup, FormSelect, FormSelectOption, TextInput } from '@patternfly/react-core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, ApiFault, given } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { useTiers, type Tier } from '../../parts/labels.tsx';
import { NewRecordForm } from '../../parts/new-record-form.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useTexts } from '../../texts/texts.tsx';

const blank = { apiId: '', serviceId: '', envTag: 'dev', apiVersion: '1.0.0', tier: 'internal' as Tier };

/** Registers an agent: an API version of its own kind, with a profile. */
export default function NewAgent() {
  const { agents } = useTexts();
  const hostId = useHost();
  const navigate = useNavigate();
  const tiers = useTiers();
  const [fields, setFields] = useState(blank);
  const set = (name: keyof typeof blank) => (value: string) =>
    setFields((before) => ({ ...before, [name]: value }));
  const add = useMutation({
    meta: { quiet: true },
    mutationFn: () => register(hostId, fields),
    onSuccess: (id) => navigate({ to: `/agents/${id}`, search: { tab: 'assignment' } }),
  });
  const inputs = [
    ['apiId', agents.name],
    ['serviceId', agents.service],
    ['envTag', agents.environment],
    ['apiVersion', agents.version],
  ] as const;
  return (
    <Screen title={agents.add} lead={agents.addLead} above={{ to: '/agents', title: agents.title }}>
      <NewRecordForm
        add={add}
        failed={agents.notAdded}
        create={agents.create}
        isComplete={inputs.every(([name]) => fields[name].trim() !== '')}
      >
        {inputs.map(([name, label]) => (
          <FormGroup key={name} label={label} fieldId={`agent-${name}`} isRequired>
            <TextInput
              id={`agent-${name}`}
              isRequired
              value={fields[name]}
              onChange={(_, text) => set(name)(text)}
            />
          </FormGroup>
        ))}
        <FormGroup label={agents.tier} fieldId="agent-tier">
          <FormSelect id="agent-tier" value={fields.tier} onChange={(_, tier) => set('tier')(tier)}>
            {Object.entries(tiers).map(([tier, title]) => (
              <FormSelectOption key={tier} value={tier} label={title} />
            ))}
          </FormSelect>
        </FormGroup>
      </NewRecordForm>
    </Screen>
  );
}

/** Begun again after a failure, it goes on where it stopped: an API that is there is taken. */
async function register(hostId: string, { apiId, tier, ...version }: typeof blank): Promise<string> {
  const path = { hostId };
  await given(
    api.POST('/v1/hosts/{hostId}/apis', { params: { path }, body: { apiId, apiName: apiId } }),
  ).catch((error: unknown) => {
    if (!(error instanceof ApiFault) || error.status !== 409) throw error;
  });
  const { id } = await given(
    api.POST('/v1/hosts/{hostId}/apis/{apiId}/versions', {
      params: { path: { hostId, apiId } },
      body: { ...version, apiType: 'agent' },
    }),
  );
  const body = { maxSensitivityTier: tier };
  await given(
    api.PUT('/v1/hosts/{hostId}/agents/{agentDefId}', { params: { path: { hostId, agentDefId: id } }, body }),
  );
  return id;
}
