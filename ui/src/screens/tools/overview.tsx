import { Card, CardBody, CardTitle, Grid, GridItem, Title } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { Facts } from '../../parts/facts.tsx';
import { ReachedBy, useToolImpact } from '../../parts/impact.tsx';
import { TagLabels } from '../../parts/labels.tsx';
import { PageSkeleton } from '../../parts/page-skeleton.tsx';
import { To } from '../../parts/to.tsx';
import { useFormats, useTexts } from '../../texts/texts.tsx';
import { AsGiven } from './as-given.tsx';
import { Examples } from './examples.tsx';
import { Layers } from './layers.tsx';
import { useLint } from './lint.ts';

/** A tool as a model is given it, who uses it and which gateways offer it; below, what each layer says of it. */
export function Overview({ tool }: { readonly tool: Of<'Tool'> }) {
  const { tools, overrides } = useTexts();
  const lint = useLint(tool);
  const impact = useToolImpact(tool.toolId);
  const gateways = useGateways(tool.toolId);
  const endpoint = useEndpoint(tool.endpointId ?? '');
  // All at once: what comes later would move what is being read.
  if ([lint, impact, gateways, endpoint].some(({ isLoading }) => isLoading))
    return <PageSkeleton lines={12} />;
  return (
    <div className="portal-stack">
      <Grid hasGutter>
        <GridItem lg={8}>
          <AsGiven tool={tool} findings={lint.data?.findings ?? []} />
        </GridItem>
        <GridItem lg={4}>
          <div className="portal-stack">
            <Beside title={tools.usedBy}>
              {impact.data ? <ReachedBy impact={impact.data} /> : impact.error?.message}
            </Beside>
            <Beside title={tools.gateways}>
              {gateways.data ? <Offering items={gateways.data.items} /> : gateways.error?.message}
            </Beside>
            <Beside title={tools.about}>
              <About tool={tool} endpoint={endpoint.data} />
            </Beside>
          </div>
        </GridItem>
      </Grid>
      <Examples tool={tool} />
      <Title headingLevel="h2" size="lg">
        {tools.beside}
      </Title>
      <p className="portal-subtle">{overrides.lead}</p>
      <Layers tool={tool} impact={impact.data} />
    </div>
  );
}

function useGateways(toolId: string) {
  const hostId = useHost();
  const params = { path: { hostId, toolId } };
  return useQuery({
    queryKey: ['gateways of tool', hostId, toolId],
    queryFn: () => given(api.GET('/v1/hosts/{hostId}/tools/{toolId}/gateways', { params })),
  });
}

function useEndpoint(endpointId: string) {
  const hostId = useHost();
  const params = { path: { hostId, endpointId } };
  return useQuery({
    queryKey: ['endpoint', hostId, endpointId],
    enabled: endpointId !== '',
    queryFn: () => given(api.GET('/v1/hosts/{hostId}/endpoints/{endpointId}', { params })),
  });
}

function Beside({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Card isCompact>
      <CardTitle component="h2">{title}</CardTitle>
      <CardBody>{children}</CardBody>
    </Card>
  );
}

type Gateway = Of<'VersionMoves'>['gateways'][number];

function Offering({ items }: { readonly items: readonly Gateway[] }) {
  const { tools } = useTexts();
  if (items.length === 0) return <p className="portal-subtle">{tools.noGateways}</p>;
  return (
    <ul>
      {items.map(({ gatewayId, serviceId, envTag }) => (
        <li key={gatewayId}>
          <To to={`/gateways/${gatewayId}`}>{serviceId}</To> <span className="portal-subtle">{envTag}</span>
        </li>
      ))}
    </ul>
  );
}

interface Both {
  readonly tool: Of<'Tool'>;
  readonly endpoint: Of<'Endpoint'> | undefined;
}

function About({ tool, endpoint }: Both) {
  const { tools } = useTexts();
  const { moment } = useFormats();
  const names = [...tool.categories, ...tool.tags];
  const facts: readonly (readonly [string, ReactNode])[] = [
    [tools.called, tool.title],
    [tools.owner, tool.owner],
    [tools.api, [tool.apiId, tool.sourceProtocol].filter(Boolean).join(' · ')],
    [
      tools.endpoint,
      endpoint && (
        <To key="endpoint" to={`/endpoints/${endpoint.endpointId}`}>
          {`${endpoint.method.toUpperCase()} ${endpoint.path}`}
        </To>
      ),
    ],
    [tools.service, [tool.serviceId, tool.envTag].filter(Boolean).join(' · ')],
    [tools.tags, names.length > 0 && <TagLabels key="tags" names={names} />],
    [tools.updated, `${moment(tool.updateTs)} · ${tool.updateUser}`],
  ];
  return <Facts isNarrow of={facts.filter(([, value]) => Boolean(value))} />;
}
