import { useQuery } from '@tanstack/react-query';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { ChoiceFilter } from '../../parts/filters.tsx';
import { WriteButton } from '../../parts/for-writers.tsx';
import { ActiveLabel } from '../../parts/labels.tsx';
import { NothingFound, Records } from '../../parts/records.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useAddressed, useSearchState } from '../../parts/search-state.ts';
import { Sections } from '../../parts/sections.tsx';
import { Answer } from '../../parts/states.tsx';
import { useFormats, useTexts } from '../../texts/texts.tsx';
import { WebhookRemoval, WebhookSettings } from './webhook-settings.tsx';

/** One webhook: what is still to be delivered to it and what was given up, and what is written of it. */
export default function Webhook() {
  const hostId = useHost();
  const webhookId = useAddressed('webhookId');
  const webhook = useQuery({
    queryKey: ['webhook', hostId, webhookId],
    queryFn: () =>
      given(api.GET('/v1/hosts/{hostId}/webhooks/{webhookId}', { params: { path: { hostId, webhookId } } })),
  });
  return <Answer of={webhook}>{(found) => <Page key={found.webhookId} webhook={found} />}</Answer>;
}

function Page({ webhook }: { readonly webhook: Of<'Webhook'> }) {
  const { webhooks } = useTexts();
  const { url, active } = webhook;
  return (
    <Screen
      title={url}
      above={{ to: '/webhooks', title: webhooks.title }}
      badges={<ActiveLabel isActive={active} />}
      actions={active && <WebhookRemoval webhook={webhook} />}
    >
      <Sections
        of={[
          ['deliveries', webhooks.deliveries, () => <Deliveries webhookId={webhook.webhookId} />],
          ['settings', webhooks.settings, () => <WebhookSettings webhook={webhook} />],
        ]}
      />
    </Screen>
  );
}

function Deliveries({ webhookId }: { readonly webhookId: string }) {
  const { webhooks } = useTexts();
  const { moment, number } = useFormats();
  const hostId = useHost();
  const [{ state }, set] = useSearchState();
  const path = { hostId, webhookId };
  return (
    <Records
      title={webhooks.deliveries}
      question={['deliveries', hostId, webhookId, state]}
      ask={(page) => {
        const params = { path, query: { ...page, state: state as 'dead' } };
        return given(api.GET('/v1/hosts/{hostId}/webhooks/{webhookId}/deliveries', { params }));
      }}
      id={({ deliveryId }) => deliveryId}
      columns={[
        { title: webhooks.when, cell: ({ time }) => moment(time) },
        { title: webhooks.wants, cell: ({ kind }) => webhooks.kinds[kind] },
        { title: webhooks.position, cell: ({ position }) => number(position) },
        { title: webhooks.state, cell: (delivery) => webhooks.states[delivery.state] },
        { title: webhooks.attempts, cell: ({ attempts }) => number(attempts) },
        { title: webhooks.error, width: 35, cell: ({ lastError }) => lastError },
        {
          title: webhooks.again,
          cell: (delivery) => delivery.state === 'dead' && <Again delivery={delivery} />,
        },
      ]}
      filters={
        <ChoiceFilter
          {...{ name: 'state', label: webhooks.state, value: state, set, choices: webhooks.states }}
        />
      }
      nothing={
        <NothingFound
          isFiltered={state !== undefined}
          clear={() => set({ state: undefined })}
          title={webhooks.nothingWaits}
        >
          {webhooks.nothingWaitsLead}
        </NothingFound>
      }
    />
  );
}

function Again({ delivery: { webhookId, deliveryId } }: { readonly delivery: Of<'WebhookDelivery'> }) {
  const { webhooks } = useTexts();
  const hostId = useHost();
  const params = { path: { hostId, webhookId, deliveryId } };
  return (
    <WriteButton
      variant="link"
      size="sm"
      scope="catalog:admin"
      done={webhooks.sentAgain}
      write={() =>
        given(api.POST('/v1/hosts/{hostId}/webhooks/{webhookId}/deliveries/{deliveryId}/replay', { params }))
      }
    >
      {webhooks.again}
    </WriteButton>
  );
}
