import { FormGroup, FormSelect, FormSelectOption } from '@patternfly/react-core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, ApiFault, given } from '../../api/client.ts';
import { useHost, useSession } from '../../api/session.ts';
import { useTiers, type Tier } from '../../parts/labels.tsx';
import { NewRecordForm } from '../../parts/new-record-form.tsx';
import { Screen } from '../../parts/screen.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { useTexts } from '../../texts/texts.tsx';

interface Fields {
  readonly apiId: string;
  readonly serviceId: string;
  readonly envTag: string;
  readonly apiVersion: string;
  readonly tier: Tier;
}

/** As the session works, else as the API that was described last. */
function useBeginning(): Fields {
  const { host: hostId, sid, env } = useSession();
  const last = useQuery({
    queryKey: ['api versions', hostId, 'last'],
    queryFn: () => {
      const query = { limit: 1, sort: '-updateTs' as const };
      return given(api.GET('/v1/hosts/{hostId}/api-versions', { params: { path: { hostId }, query } }));
    },
  });
  const [found] = last.data?.items ?? [];
  return {
    ...{ apiId: '', apiVersion: '1.0.0', tier: 'internal' },
    serviceId: sid ?? found?.serviceId ?? '',
    envTag: env ?? found?.envTag ?? 'dev',
  };
}

/** Registers an agent: an API version of its own kind, with a profile. */
export default function NewAgent() {
  const { agents } = useTexts();
  const hostId = useHost();
  const navigate = useNavigate();
  const tiers = useTiers();
  const [typed, setTyped] = useState<Partial<Fields>>({});
  const fields = { ...useBeginning(), ...typed };
  const set = (name: keyof Fields) => (value: string) => setTyped((before) => ({ ...before, [name]: value }));
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
          <TextField
            key={name}
            id={`agent-${name}`}
            label={label}
            help={agents.fieldHelp[name]}
            isRequired
            value={fields[name]}
            change={set(name)}
          />
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
async function register(hostId: string, { apiId, tier, ...version }: Fields): Promise<string> {
  const path = { hostId };
  await given(
    api.POST('/v1/hosts/{hostId}/apis', { params: { path }, body: { apiId, apiName: apiId } }),
  ).catch((error: unknown) => {
    if (!(error instanceof ApiFault) || error.status !== 409) throw error;
  });
  const id = await versionOf(hostId, apiId, version);
  const body = { maxSensitivityTier: tier };
  await given(
    api.PUT('/v1/hosts/{hostId}/agents/{agentDefId}', { params: { path: { hostId, agentDefId: id } }, body }),
  );
  return id;
}

/** Makes the version, or takes the one that an attempt before has made. */
async function versionOf(
  hostId: string,
  apiId: string,
  version: Omit<Fields, 'apiId' | 'tier'>,
): Promise<string> {
  const path = { hostId, apiId };
  try {
    const body = { ...version, apiType: 'agent' as const };
    return (await given(api.POST('/v1/hosts/{hostId}/apis/{apiId}/versions', { params: { path }, body }))).id;
  } catch (error) {
    if (!(error instanceof ApiFault) || error.code !== 'api_version_exists') throw error;
    const query = { apiType: 'agent' as const, serviceId: version.serviceId, envTag: version.envTag };
    const { items } = await given(
      api.GET('/v1/hosts/{hostId}/apis/{apiId}/versions', { params: { path, query } }),
    );
    const made = items.find(({ apiVersion }) => apiVersion === version.apiVersion);
    if (made === undefined) throw error;
    return made.apiVersionId;
  }
}
