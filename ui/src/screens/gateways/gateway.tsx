import { useQuery } from '@tanstack/react-query';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { Activation } from '../../parts/activation.tsx';
import { Facts } from '../../parts/facts.tsx';
import { ActiveLabel, TierLabel } from '../../parts/labels.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useAddressed } from '../../parts/search-state.ts';
import { Sections } from '../../parts/sections.tsx';
import { Answer } from '../../parts/states.tsx';
import { useFormats, useTexts } from '../../texts/texts.tsx';
import { DriftHistory } from './drift-history.tsx';
import { DriftReview } from './drift-review.tsx';

/** One gateway: what it lists otherwise than the catalog has it, what was found before, and how it is reached. */
export default function Gateway() {
  const hostId = useHost();
  const gatewayId = useAddressed('gatewayId');
  const gateway = useQuery({
    queryKey: ['gateway', hostId, gatewayId],
    queryFn: () =>
      given(api.GET('/v1/hosts/{hostId}/gateways/{gatewayId}', { params: { path: { hostId, gatewayId } } })),
  });
  return <Answer of={gateway}>{(found) => <Page gateway={found} />}</Answer>;
}

function Page({ gateway }: { readonly gateway: Of<'Gateway'> }) {
  const { gateways } = useTexts();
  const hostId = useHost();
  const { gatewayId, active, aggregateVersion } = gateway;
  const params = {
    path: { hostId, gatewayId },
    header: { 'If-Match': `"${String(aggregateVersion)}"` },
  };
  return (
    <Screen
      title={gatewayId}
      above={{ to: '/gateways', title: gateways.title }}
      badges={<ActiveLabel isActive={active} />}
      actions={
        <Activation
          isActive={active}
          activate={() => given(api.POST('/v1/hosts/{hostId}/gateways/{gatewayId}/activate', { params }))}
          deactivate={() => given(api.POST('/v1/hosts/{hostId}/gateways/{gatewayId}/deactivate', { params }))}
        />
      }
    >
      <Sections
        of={[
          ['drift', gateways.drift, () => <DriftReview gatewayId={gatewayId} />],
          ['history', gateways.history, () => <DriftHistory gatewayId={gatewayId} />],
          ['settings', gateways.settings, () => <Settings gateway={gateway} />],
        ]}
      />
    </Screen>
  );
}

function Settings({ gateway }: { readonly gateway: Of<'Gateway'> }) {
  const { gateways } = useTexts();
  const { moment, number } = useFormats();
  const { url, serviceId, envTag, protocolVersion, maxSensitivityTier, checkIntervalSeconds } = gateway;
  return (
    <Facts
      of={[
        [gateways.url, url],
        [gateways.service, serviceId],
        [gateways.environment, envTag],
        [gateways.protocol, protocolVersion],
        [gateways.tier, <TierLabel key="tier" tier={maxSensitivityTier} />],
        [gateways.caller, gateways.callers[gateway.callerIdentity.type]],
        [
          gateways.interval,
          checkIntervalSeconds === null ? null : gateways.seconds(number(checkIntervalSeconds)),
        ],
        [gateways.updated, `${moment(gateway.updateTs)} · ${gateway.updateUser}`],
      ]}
    />
  );
}
