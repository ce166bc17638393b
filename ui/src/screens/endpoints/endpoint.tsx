import { Alert, Button, Flex } from '@patternfly/react-core';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { Activation } from '../../parts/activation.tsx';
import { Facts } from '../../parts/facts.tsx';
import { ActiveLabel, TierLabel } from '../../parts/labels.tsx';
import { notify } from '../../parts/notices.tsx';
import { SchemaView } from '../../parts/schema-tree.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useAddressed } from '../../parts/search-state.ts';
import { shown } from '../../parts/shown.ts';
import { Sections } from '../../parts/sections.tsx';
import { Answer } from '../../parts/states.tsx';
import { useFormats, useTexts } from '../../texts/texts.tsx';

/** One operation: what each source says of it, whose word won, and what waits for somebody's decision. */
export default function Endpoint() {
  const hostId = useHost();
  const endpointId = useAddressed('endpointId');
  const endpoint = useQuery({
    queryKey: ['endpoint', hostId, endpointId],
    queryFn: () =>
      given(
        api.GET('/v1/hosts/{hostId}/endpoints/{endpointId}', { params: { path: { hostId, endpointId } } }),
      ),
  });
  return <Answer of={endpoint}>{(found) => <Page endpoint={found} />}</Answer>;
}

interface Given {
  readonly endpoint: Of<'Endpoint'>;
}

function Page({ endpoint }: Given) {
  const { endpoints } = useTexts();
  const hostId = useHost();
  const { endpointId, active, aggregateVersion } = endpoint;
  const params = {
    path: { hostId, endpointId },
    header: { 'If-Match': `"${String(aggregateVersion)}"` },
  };
  return (
    <Screen
      title={endpoint.endpoint}
      lead={endpoint.description}
      above={{ to: '/endpoints', title: endpoints.title }}
      badges={<ActiveLabel isActive={active} />}
      actions={
        <Activation
          isActive={active}
          activate={() => given(api.POST('/v1/hosts/{hostId}/endpoints/{endpointId}/activate', { params }))}
          deactivate={() =>
            given(api.POST('/v1/hosts/{hostId}/endpoints/{endpointId}/deactivate', { params }))
          }
        />
      }
    >
      {endpoint.changed && <Changed endpointId={endpointId} />}
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
    </Screen>
  );
}

/** That its document says something else since somebody accepted it. */
function Changed({ endpointId }: { readonly endpointId: string }) {
  const { endpoints, tools } = useTexts();
  const hostId = useHost();
  const accept = useMutation({
    mutationFn: () =>
      given(
        api.POST('/v1/hosts/{hostId}/endpoints/{endpointId}/changes/accept', {
          params: { path: { hostId, endpointId } },
        }),
      ),
    onSuccess: () => notify('success', tools.accepted),
  });
  return (
    <Alert component="h2" isInline variant="warning" title={endpoints.changeWaits}>
      <Button variant="secondary" isLoading={accept.isPending} onClick={() => accept.mutate()}>
        {tools.accept}
      </Button>
    </Alert>
  );
}

type Layer = Of<'SettleEndpointConflictRequest'>['take'];

/** What a source offers beside the word in force: the word stays until somebody settles it. */
function Conflicts({ endpoint: { endpointId, conflicts = [] } }: Given) {
  const { endpoints, layers } = useTexts();
  const hostId = useHost();
  const settle = useMutation({
    mutationFn: (body: Of<'SettleEndpointConflictRequest'>) =>
      given(
        api.POST('/v1/hosts/{hostId}/endpoints/{endpointId}/conflicts/settle', {
          ...{ params: { path: { hostId, endpointId } }, body },
        }),
      ),
    onSuccess: () => notify('success', endpoints.settled),
  });
  return conflicts.map(({ field, kept, offered, layer }) => (
    <Alert key={field} component="h2" isInline variant="warning" title={endpoints.conflictIn(field)}>
      <Facts
        of={[
          [endpoints.kept, shortly(kept)],
          [endpoints.offered(layer === null ? '' : layers[layer as Layer]), shortly(offered)],
        ]}
      />
      <Flex gap={{ default: 'gapSm' }}>
        <Button variant="secondary" onClick={() => settle.mutate({ field, take: 'operator' })}>
          {endpoints.keep}
        </Button>
        {layer !== null && (
          <Button variant="secondary" onClick={() => settle.mutate({ field, take: layer as Layer })}>
            {endpoints.take}
          </Button>
        )}
      </Flex>
    </Alert>
  ));
}

/** Field by field what each layer says; the word in force stands out. */
function Layers({ endpoint: { layers: said = {}, provenance = {} } }: Given) {
  const { endpoints, fields, layers } = useTexts();
  const layerNames: Readonly<Record<string, string>> = layers;
  const fieldNames: Readonly<Record<string, string>> = fields;
  const columns = Object.entries(said).map(([layer, words]) => ({ layer, words: flattened(words) }));
  const names = [...new Set(columns.flatMap(({ words }) => [...words.keys()]))].sort();
  return (
    <Table variant="compact" aria-label={endpoints.layers}>
      <Thead>
        <Tr>
          <Th>{endpoints.field}</Th>
          {columns.map(({ layer }) => (
            <Th key={layer}>{layerNames[layer] ?? layer}</Th>
          ))}
        </Tr>
      </Thead>
      <Tbody>
        {names.map((name) => (
          <Tr key={name}>
            <Td dataLabel={endpoints.field}>{fieldNames[name.split('.').pop() ?? ''] ?? name}</Td>
            {columns.map(({ layer, words }) => {
              const text = shortly(words.get(name));
              return (
                <Td key={layer} dataLabel={layerNames[layer] ?? layer} className="portal-wrap">
                  {provenance[name] === layer ? <strong>{text}</strong> : text}
                </Td>
              );
            })}
          </Tr>
        ))}
      </Tbody>
    </Table>
  );
}

/** Fields by dot path, as the provenance names them; schemas and parameters are one each. */
function flattened(words: unknown): ReadonlyMap<string, unknown> {
  const all = new Map<string, unknown>();
  for (const [name, value] of Object.entries(words ?? {})) {
    if (name !== 'routing' && name !== 'safety') all.set(name, value);
    else for (const [inner, each] of Object.entries(value as object)) all.set(`${name}.${inner}`, each);
  }
  return all;
}

const MAX_SHOWN = 400;

/** Schemas are long. */
function shortly(value: unknown): string {
  const text = shown(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

function About({ endpoint }: Given) {
  const { endpoints } = useTexts();
  const { moment } = useFormats();
  const { method, path, name, apiId, sourceProtocol, serviceId, envTag, lifecycleStatus } = endpoint;
  return (
    <Facts
      of={[
        [endpoints.name, name],
        [endpoints.call, <code key="call">{`${method} ${path}`}</code>],
        [endpoints.api, [apiId, sourceProtocol].filter(Boolean).join(' · ')],
        [endpoints.service, [serviceId, envTag].filter(Boolean).join(' · ')],
        [endpoints.tier, <TierLabel key="tier" tier={endpoint.sensitivityTier} />],
        [endpoints.state, lifecycleStatus],
        [endpoints.gaps, endpoint.gaps?.join(', ')],
        [endpoints.tags, [...endpoint.categories, ...endpoint.tags].join(', ')],
        [endpoints.updated, `${moment(endpoint.updateTs)} · ${endpoint.updateUser}`],
      ]}
    />
  );
}
