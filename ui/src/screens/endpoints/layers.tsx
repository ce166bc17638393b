import { Title } from '@patternfly/react-core';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { Effect, useEndpointImpact } from '../../parts/reached-by.tsx';
import { fieldsOf, saidFields, wordOf } from '../../parts/said/fields.ts';
import { SaidTable, type Source } from '../../parts/said/said-table.tsx';
import { useTexts } from '../../texts/texts.tsx';

type Endpoint = Of<'Endpoint'>;

/** Who has the last word comes first. */
const order = ['operator', 'held', 'lightapi_endpoint', 'lightapi_api', 'source', 'gateway'] as const;

/** Field by field what each source says, whose word is in force, and the operator's own words, written in place. */
export function Layers({ endpoint }: { readonly endpoint: Endpoint }) {
  const { endpoints, layers: titles, said: words } = useTexts();
  const hostId = useHost();
  const { endpointId, layers: all = {}, provenance: winners = {} } = endpoint;
  const impact = useEndpointImpact(endpointId);
  const params = { path: { hostId, endpointId } };
  const layers = all as Readonly<Record<string, unknown>>;
  const sources: readonly Source[] = order
    .filter((key) => key === 'operator' || key in layers)
    .map((key) => ({ key, title: titles[key], words: layers[key] }));
  const said = new Set(sources.flatMap(({ words }) => fieldsOf(words)));
  const shared = {
    ...{ sources, winners, inForce },
    writing: {
      record: endpoint,
      write: (body: object, header: { readonly 'If-Match': string }) =>
        given(
          api.PATCH('/v1/hosts/{hostId}/endpoints/{endpointId}', { params: { ...params, header }, body }),
        ),
      question: ['endpoint', hostId, endpointId],
      ask: () => given(api.GET('/v1/hosts/{hostId}/endpoints/{endpointId}', { params })),
      effect: <Effect impact={impact.data} />,
    },
  };
  const rest = [...said].filter((field) => !(field in saidFields)).sort();
  return (
    <div className="portal-stack">
      <p className="portal-subtle">{words.lead}</p>
      <SaidTable {...shared} title={endpoints.layers} fields={Object.keys(saidFields)} />
      {rest.length > 0 && (
        <>
          <Title headingLevel="h2" size="lg">
            {endpoints.calling}
          </Title>
          <SaidTable {...shared} title={endpoints.calling} fields={rest} />
        </>
      )}
    </div>
  );
}

/** What is in force of a field: on the endpoint itself, or in its metadata. */
function inForce({ layers = {}, provenance = {}, ...endpoint }: Endpoint, field: string): unknown {
  const winner = provenance[field];
  return (
    wordOf(endpoint, field) ??
    wordOf(endpoint.toolMetadata, field) ??
    // What nobody says of the routing has a value all the same, on the endpoint itself.
    (field.startsWith('routing.') ? wordOf(endpoint, field.slice('routing.'.length)) : undefined) ??
    (winner === undefined ? undefined : wordOf((layers as Readonly<Record<string, unknown>>)[winner], field))
  );
}
