import { Card, CardBody, CardTitle, Label, LabelGroup, List, ListItem } from '@patternfly/react-core';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import { useQuery } from '@tanstack/react-query';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { Facts } from '../../parts/facts.tsx';
import { shown } from '../../parts/shown.ts';
import { useFormats, useTexts } from '../../texts/texts.tsx';

/** Metadata of a tool and of an endpoint have the same shape. */
interface Metadata {
  readonly routing?: Readonly<Record<string, unknown>>;
  readonly safety?: Readonly<Record<string, unknown>>;
}

const routing = [
  'domain',
  'semanticNamespace',
  'semanticDescription',
  'semanticKeywords',
  'targetPersonas',
  'sensitivityTier',
  'semanticWeight',
  'contextRequirements',
  'fallbackEndpoint',
] as const;
const safety = [
  'readOnly',
  'idempotent',
  'destructive',
  'humanApprovalRequired',
  'approvalWorkflow',
] as const;

/** What agents see of a tool beside what its endpoint says, and who said which word. */
export function Projection({ tool }: { readonly tool: Of<'Tool'> }) {
  const { tools } = useTexts();
  const { moment } = useFormats();
  const hostId = useHost();
  const endpointId = tool.endpointId ?? '';
  const endpoint = useQuery({
    queryKey: ['endpoint', hostId, endpointId],
    enabled: endpointId !== '',
    queryFn: () =>
      given(
        api.GET('/v1/hosts/{hostId}/endpoints/{endpointId}', { params: { path: { hostId, endpointId } } }),
      ),
  });
  const names = [...tool.categories, ...tool.tags];
  return (
    <div className="portal-stack">
      <Facts
        of={[
          [tools.called, tool.title],
          [tools.owner, tool.owner],
          [tools.api, [tool.apiId, tool.sourceProtocol].filter(Boolean).join(' · ')],
          [tools.endpoint, endpoint.data && <code>{`${endpoint.data.method} ${endpoint.data.path}`}</code>],
          [tools.service, [tool.serviceId, tool.envTag].filter(Boolean).join(' · ')],
          [tools.tags, names.length === 0 ? undefined : <Names key="tags" names={names} />],
          [tools.updated, `${moment(tool.updateTs)} · ${tool.updateUser}`],
        ]}
      />
      <SideBySide tool={tool} endpoint={endpoint.data} />
      <Card isCompact>
        <CardTitle component="h2">{tools.examples}</CardTitle>
        <CardBody>
          {(tool.examplePrompts ?? []).length === 0 ? (
            <span className="portal-subtle">{tools.noExamples}</span>
          ) : (
            <List>
              {tool.examplePrompts?.map((prompt) => (
                <ListItem key={prompt}>{prompt}</ListItem>
              ))}
            </List>
          )}
        </CardBody>
      </Card>
    </div>
  );
}

function Names({ names }: { readonly names: readonly string[] }) {
  return (
    <LabelGroup>
      {names.map((name) => (
        <Label key={name} isCompact>
          {name}
        </Label>
      ))}
    </LabelGroup>
  );
}

interface Both {
  readonly tool: Of<'Tool'>;
  readonly endpoint: Of<'Endpoint'> | undefined;
}

function SideBySide({ tool, endpoint }: Both) {
  const { tools, fields, layers } = useTexts();
  const [own, source] = [tool, endpoint].map((each) => (each?.toolMetadata ?? {}) as Metadata);
  const lines = [
    { field: 'description', seen: tool.description, said: endpoint?.description },
    ...routing.map((name) => ({
      field: `routing.${name}`,
      seen: own?.routing?.[name],
      said: source?.routing?.[name],
    })),
    ...safety.map((name) => ({
      field: `safety.${name}`,
      seen: own?.safety?.[name],
      said: source?.safety?.[name],
    })),
  ];
  const names: Readonly<Record<string, string>> = fields;
  const layerNames: Readonly<Record<string, string>> = layers;
  return (
    <Table variant="compact" aria-label={tools.beside}>
      <Thead>
        <Tr>
          <Th>{tools.field}</Th>
          <Th>{tools.agentsSee}</Th>
          <Th>{tools.endpointSays}</Th>
          <Th>{tools.saidBy}</Th>
        </Tr>
      </Thead>
      <Tbody>
        {lines.map(({ field, seen, said }) => {
          const by = tool.provenance?.[field] ?? endpoint?.provenance?.[field];
          const differs = endpoint !== undefined && shown(seen) !== shown(said);
          return (
            <Tr key={field}>
              <Td dataLabel={tools.field}>{names[field.split('.').pop() ?? ''] ?? field}</Td>
              <Td dataLabel={tools.agentsSee}>{differs ? <strong>{shown(seen)}</strong> : shown(seen)}</Td>
              <Td dataLabel={tools.endpointSays}>{shown(said)}</Td>
              <Td dataLabel={tools.saidBy}>{by === undefined ? '' : (layerNames[by] ?? by)}</Td>
            </Tr>
          );
        })}
      </Tbody>
    </Table>
  );
}
