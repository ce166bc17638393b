import { Alert, Skeleton } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { api, given, type Of, ifMatch } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { Activation } from '../../parts/activation.tsx';
import { Facts } from '../../parts/facts.tsx';
import { WriteButton } from '../../parts/for-writers.tsx';
import { ReachedBy, useEndpointImpact } from '../../parts/impact.tsx';
import { ActiveLabel, TierLabel } from '../../parts/labels.tsx';
import { useFieldNames } from '../../parts/overrides/layer-table.tsx';
import { PageSkeleton } from '../../parts/page-skeleton.tsx';
import { SchemaView } from '../../parts/schema-tree.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useAddressed } from '../../parts/search-state.ts';
import { Sections } from '../../parts/sections.tsx';
import { Answer } from '../../parts/states.tsx';
import { useFormats, useTexts } from '../../texts/texts.tsx';
import { Conflicts } from './conflicts.tsx';
import { Layers } from './layers.tsx';

/** One operation: what each source says of it, whose word won, and what waits for somebody's decision. */
export default function Endpoint() {
  const { endpoints } = useTexts();
  const hostId = useHost();
  const endpointId = useAddressed('endpointId');
  const params = { path: { hostId, endpointId } };
  const endpoint = useQuery({
    queryKey: ['endpoint', hostId, endpointId],
    queryFn: () => given(api.GET('/v1/hosts/{hostId}/endpoints/{endpointId}', { params })),
  });
  const { data } = endpoint;
  return (
    <Screen
      title={data?.endpoint ?? endpoints.endpoint}
      lead={endpoint.isPending ? <Skeleton width="60%" /> : data?.description}
      above={{ to: '/endpoints', title: endpoints.title }}
      badges={data && <ActiveLabel isActive={data.active} />}
      actions={data && <Switch endpoint={data} />}
    >
      <Answer of={endpoint} loading={<PageSkeleton />}>
        {(found) => <Page key={found.endpointId} endpoint={found} />}
      </Answer>
    </Screen>
  );
}

interface Given {
  readonly endpoint: Of<'Endpoint'>;
}

function Switch({ endpoint: { endpointId, active, aggregateVersion } }: Given) {
  const hostId = useHost();
  const params = {
    path: { hostId, endpointId },
    header: ifMatch(aggregateVersion),
  };
  return (
    <Activation
      isActive={active}
      activate={() => given(api.POST('/v1/hosts/{hostId}/endpoints/{endpointId}/activate', { params }))}
      deactivate={() => given(api.POST('/v1/hosts/{hostId}/endpoints/{endpointId}/deactivate', { params }))}
      record={`/v1/hosts/${hostId}/endpoints/${endpointId}`}
    />
  );
}

function Page({ endpoint }: Given) {
  const { endpoints } = useTexts();
  return (
    <div className="portal-stack">
      {endpoint.changed === true && <Changed endpointId={endpoint.endpointId} />}
      <Conflicts endpoint={endpoint} />
      <Sections
        of={[
          ['layers', endpoints.layers, () => <Layers endpoint={endpoint} />],
          [
            'input',
            endpoints.input,
            () => <SchemaView title={endpoints.input} schema={endpoint.inputSchema ?? {}} />,
          ],
          [
            'output',
            endpoints.output,
            () => <SchemaView title={endpoints.output} schema={endpoint.outputSchema ?? {}} />,
          ],
          ['about', endpoints.about, () => <About endpoint={endpoint} />],
        ]}
      />
    </div>
  );
}

/** That its document says something else since somebody accepted it. */
function Changed({ endpointId }: { readonly endpointId: string }) {
  const { endpoints, tools } = useTexts();
  const hostId = useHost();
  const params = { path: { hostId, endpointId } };
  return (
    <Alert component="h2" isInline variant="warning" title={endpoints.changeWaits}>
      <WriteButton
        variant="secondary"
        done={tools.accepted}
        write={() => given(api.POST('/v1/hosts/{hostId}/endpoints/{endpointId}/changes/accept', { params }))}
      >
        {tools.accept}
      </WriteButton>
    </Alert>
  );
}

function About({ endpoint }: Given) {
  const { endpoints, lifecycles } = useTexts();
  const { moment } = useFormats();
  const impact = useEndpointImpact(endpoint.endpointId);
  const { method, path, name, apiId, sourceProtocol, serviceId, envTag, lifecycleStatus } = endpoint;
  const nameOf = useFieldNames();
  return (
    <Facts
      of={[
        [endpoints.name, name],
        [endpoints.call, <code key="call">{`${method} ${path}`}</code>],
        [endpoints.api, [apiId, sourceProtocol].filter(Boolean).join(' · ')],
        [endpoints.service, [serviceId, envTag].filter(Boolean).join(' · ')],
        [endpoints.tier, <TierLabel key="tier" tier={endpoint.sensitivityTier} />],
        [endpoints.state, lifecycleStatus && lifecycles[lifecycleStatus]],
        [endpoints.gaps, endpoint.gaps?.map(nameOf).join(', ')],
        [endpoints.tags, [...endpoint.categories, ...endpoint.tags].join(', ')],
        [endpoints.usedBy, impact.data && <ReachedBy key="used" impact={impact.data} />],
        [endpoints.updated, `${moment(endpoint.updateTs)} · ${endpoint.updateUser}`],
      ]}
    />
  );
}
