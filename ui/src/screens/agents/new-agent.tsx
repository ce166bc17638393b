import { FormGroup, FormSelect, FormSelectOption } from '@patternfly/react-core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, ApiFault, given } from '../../api/client.ts';
import { useHost, useSession } from '../../api/session.ts';
import { isApiId } from '../../parts/api-id.ts';
import { useTiers, type Tier } from '../../parts/labels.tsx';
import { NewRecordForm, useOnce } from '../../parts/new-record-form.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useSearchState } from '../../parts/search-state.ts';
import { faultAt, FieldHelp, TextField } from '../../parts/text-field.tsx';
import { useTexts } from '../../texts/texts.tsx';

interface Fields {
  readonly apiId: string;
  readonly serviceId: string;
  readonly envTag: string;
  readonly apiVersion: string;
  readonly tier: Tier;
}

type Once = ReturnType<typeof useOnce>;

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
  const once = useOnce();
  // A skill that it is to be given is handed on.
  const [wanted] = useSearchState();
  const fields = { ...useBeginning(), ...typed };
  const set = (name: keyof Fields) => (value: string) => setTyped((before) => ({ ...before, [name]: value }));
  const add = useMutation({
    meta: { quiet: true },
    mutationFn: () => register(hostId, fields, once),
    onSuccess: (id) => navigate({ to: `/agents/${id}`, search: { ...wanted, tab: 'assignment' } }),
  });
  const isTaken =
    add.error instanceof ApiFault && ['api_exists', 'api_version_exists'].includes(add.error.code);
  const isWrong = fields.apiId !== '' && !isApiId(fields.apiId);
  const nameFault = isWrong ? agents.nameWrong : isTaken ? agents.nameTaken : faultAt(add.error, '/apiId');
  const inputs = [
    ['apiId', agents.name],
    ['serviceId', agents.service],
    ['envTag', agents.environment],
    ['apiVersion', agents.version],
  ] as const;
  return (
    <Screen title={agents.add} lead={agents.addLead} above={{ to: '/agents', title: agents.title }}>
      <NewRecordForm
        add={isTaken ? { ...add, error: new Error(agents.nameTaken) } : add}
        failed={agents.notAdded}
        create={agents.create}
        isComplete={isApiId(fields.apiId) && inputs.every(([name]) => fields[name].trim() !== '')}
      >
        {inputs.map(([name, label]) => (
          <TextField
            key={name}
            id={`agent-${name}`}
            label={label}
            help={agents.fieldHelp[name]}
            isRequired
            value={fields[name]}
            change={(value) => {
              add.reset();
              set(name)(value);
            }}
            fault={name === 'apiId' ? nameFault : faultAt(add.error, `/${name}`)}
          />
        ))}
        <FormGroup label={agents.tier} fieldId="agent-tier">
          <FormSelect
            id="agent-tier"
            aria-describedby="agent-tier-help"
            value={fields.tier}
            onChange={(_, tier) => set('tier')(tier)}
          >
            {Object.entries(tiers).map(([tier, title]) => (
              <FormSelectOption key={tier} value={tier} label={title} />
            ))}
          </FormSelect>
          <FieldHelp id="agent-tier" help={agents.tierHelp} fault={undefined} />
        </FormGroup>
      </NewRecordForm>
    </Screen>
  );
}

/** Begun again after a failure, it goes on where it stopped. */
async function register(hostId: string, { apiId, tier, ...version }: Fields, once: Once): Promise<string> {
  const id = await newVersion({ hostId, apiId }, version, once);
  const params = { path: { hostId, agentDefId: id } };
  await given(
    api.PUT('/v1/hosts/{hostId}/agents/{agentDefId}', { params, body: { maxSensitivityTier: tier } }),
  );
  return id;
}

/** Of an API that is made for it, or that is of agents alone: those of others are no place for one. */
async function newVersion(
  path: { readonly hostId: string; readonly apiId: string },
  version: Omit<Fields, 'apiId' | 'tier'>,
  once: Once,
): Promise<string> {
  const body = { apiId: path.apiId, apiName: path.apiId };
  await given(api.POST('/v1/hosts/{hostId}/apis', { params: { path }, body })).catch(
    async (error: unknown) => {
      if (!(error instanceof ApiFault) || error.code !== 'api_exists') throw error;
      const params = { path, query: { limit: 100, active: 'all' as const } };
      const { items } = await given(api.GET('/v1/hosts/{hostId}/apis/{apiId}/versions', { params }));
      if (items.some(({ apiType }) => apiType !== 'agent')) throw error;
    },
  );
  const ofAgent = { ...version, apiType: 'agent' as const };
  const params = { path, header: once(path, version) };
  return (await given(api.POST('/v1/hosts/{hostId}/apis/{apiId}/versions', { params, body: ofAgent }))).id;
}
