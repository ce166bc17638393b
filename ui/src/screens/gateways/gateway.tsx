import { Label } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { api, given, type Of, ifMatch } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { Activation } from '../../parts/activation.tsx';
import { ActiveLabel, TierLabel } from '../../parts/labels.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useAddressed } from '../../parts/search-state.ts';
import { Sections, type Section } from '../../parts/sections.tsx';
import { Answer } from '../../parts/states.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { isSameGateway, useOwnGateway } from './development.ts';
import { DriftHistory } from './drift-history.tsx';
import { DriftReview } from './drift-review.tsx';
import { Exposures } from './exposures.tsx';
import { GatewaySettings } from './gateway-settings.tsx';
import { TryCall } from './try-call.tsx';

/** One gateway: the tools that it exposes, a call to try, what it lists otherwise than the catalog has it, and how it is reached. */
export default function Gateway() {
  const hostId = useHost();
  const gatewayId = useAddressed('gatewayId');
  const gateway = useQuery({
    queryKey: ['gateway', hostId, gatewayId],
    queryFn: () =>
      given(api.GET('/v1/hosts/{hostId}/gateways/{gatewayId}', { params: { path: { hostId, gatewayId } } })),
  });
  return <Answer of={gateway}>{(found) => <Page key={gatewayId} gateway={found} />}</Answer>;
}

function Page({ gateway }: { readonly gateway: Of<'Gateway'> }) {
  const { gateways } = useTexts();
  const hostId = useHost();
  const { gatewayId, serviceId, envTag, active, aggregateVersion, url } = gateway;
  const own = useOwnGateway(gatewayId);
  const params = {
    path: { hostId, gatewayId },
    header: ifMatch(aggregateVersion),
  };
  const tried: readonly Section[] =
    typeof own === 'string' ? [['try', gateways.try, () => <TryCall gateway={gateway} address={own} />]] : [];
  // Nobody is asked for drift before it is known whether it is the service itself.
  const isOwn = own === undefined ? undefined : isSameGateway(url, own);
  return (
    <Screen
      title={serviceId}
      lead={<span className="portal-wrap">{isOwn === true ? gateways.isOwn : url}</span>}
      above={{ to: '/gateways', title: gateways.title }}
      badges={
        <>
          <Label isCompact>{envTag}</Label>
          <TierLabel tier={gateway.maxSensitivityTier} />
          <ActiveLabel isActive={active} />
        </>
      }
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
          ['tools', gateways.tools, () => <Exposures gateway={gateway} />],
          ...tried,
          ['drift', gateways.drift, () => <DriftReview gatewayId={gatewayId} isOwn={isOwn} />],
          ['history', gateways.history, () => <DriftHistory gatewayId={gatewayId} />],
          ['settings', gateways.settings, () => <GatewaySettings gateway={gateway} />],
        ]}
      />
    </Screen>
  );
}
