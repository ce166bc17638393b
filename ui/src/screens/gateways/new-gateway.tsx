import { Alert, Button } from '@patternfly/react-core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, given } from '../../api/client.ts';
import { useHost, useSession } from '../../api/session.ts';
import { newId } from '../../parts/new-id.ts';
import { NewRecordForm } from '../../parts/new-record-form.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useSettled } from '../../parts/settled.ts';
import { faultAt, TextField } from '../../parts/text-field.tsx';
import { useFormats, useTexts } from '../../texts/texts.tsx';
import { useOwnGateway } from './development.ts';
import { RareFields, TierField } from './gateway-fields.tsx';
import { bodyOf, noWords, type GatewayWords } from './gateway-words.ts';

/** The environment that is worked in, else the first of those that may be. */
function useFirstEnvironment(): string {
  const { env, claims } = useSession();
  return env ?? [claims.env].flat()[0] ?? 'dev';
}

/** Registers a gateway: where it is, and for whom. Which tools it exposes is chosen next. */
export default function NewGateway() {
  const { gateways } = useTexts();
  const hostId = useHost();
  const navigate = useNavigate();
  const [gatewayId] = useState(newId);
  const [serviceId, setService] = useState('');
  const [envTag, setEnvironment] = useState(useFirstEnvironment());
  const [words, setWords] = useState(noWords);
  const set = (name: keyof GatewayWords) => (value: string) =>
    setWords((before) => ({ ...before, [name]: value }));
  const add = useMutation({
    meta: { quiet: true },
    mutationFn: () =>
      given(
        api.PUT('/v1/hosts/{hostId}/gateways/{gatewayId}', {
          params: { path: { hostId, gatewayId } },
          body: { serviceId: serviceId.trim(), envTag: envTag.trim(), ...bodyOf(words) },
        }),
      ),
    onSuccess: () => navigate({ to: `/gateways/${gatewayId}`, search: { tab: 'tools' } }),
  });
  const own = useOwnGateway(gatewayId);
  const takeOwn = (address: string): void => {
    set('url')(address);
    if (serviceId.trim() === '') setService('development-gateway');
  };
  return (
    <Screen title={gateways.add} lead={gateways.addLead} above={{ to: '/gateways', title: gateways.title }}>
      <NewRecordForm
        add={add}
        failed={gateways.notAdded}
        create={gateways.create}
        isComplete={[words.url, serviceId, envTag].every((text) => text.trim() !== '')}
        scope="catalog:admin"
      >
        {typeof own === 'string' && (
          <Alert isInline component="h2" variant="info" title={gateways.ownTitle}>
            <p>{gateways.ownLead}</p>
            <Button variant="secondary" size="sm" onClick={() => takeOwn(own)}>
              {gateways.takeOwn}
            </Button>
          </Alert>
        )}
        <TextField
          id="gateway-url"
          isRequired
          label={gateways.url}
          help={gateways.urlHelp}
          placeholder="https://gateway.example.com/mcp"
          value={words.url}
          change={set('url')}
          fault={faultAt(add.error, '/url')}
        />
        <TextField
          id="gateway-service"
          isRequired
          label={gateways.service}
          help={gateways.serviceHelp}
          placeholder="com.example.gateway-1.0.0"
          value={serviceId}
          change={setService}
          fault={faultAt(add.error, '/serviceId')}
        />
        <TextField
          id="gateway-environment"
          isRequired
          label={gateways.environment}
          help={gateways.environmentHelp}
          value={envTag}
          change={setEnvironment}
          fault={faultAt(add.error, '/envTag')}
        />
        <TierField words={words} set={set} error={add.error} />
        <RareFields words={words} set={set} error={add.error} />
        <Consequence envTag={envTag} />
      </NewRecordForm>
    </Screen>
  );
}

/** What registering does to the agents of the environment, where it is the first gateway there. */
function Consequence({ envTag }: { readonly envTag: string }) {
  const { gateways } = useTexts();
  const { number } = useFormats();
  const hostId = useHost();
  const environment = useSettled(envTag.trim());
  const query = { limit: 100, envTag: environment } as const;
  const params = { path: { hostId }, query };
  const there = useQuery({
    queryKey: ['gateways', hostId, 'of', environment],
    enabled: environment !== '',
    queryFn: () => given(api.GET('/v1/hosts/{hostId}/gateways', { params })),
  });
  const agents = useQuery({
    queryKey: ['agents', hostId, 'of', environment],
    enabled: there.data?.items.length === 0,
    queryFn: () => given(api.GET('/v1/hosts/{hostId}/agents', { params })),
  });
  const { items = [], nextCursor } = agents.data ?? {};
  if (items.length === 0) return null;
  const count = `${number(items.length)}${nextCursor === undefined ? '' : '+'}`;
  return (
    <Alert
      isInline
      component="h2"
      variant="warning"
      title={gateways.firstOf(environment, items.length === 1 ? (items[0]?.name ?? '') : count, items.length)}
    >
      {gateways.firstOfMend}
    </Alert>
  );
}
