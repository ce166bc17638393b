import { Title } from '@patternfly/react-core';
import { api, given, type Of, type IfMatch } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { Effect, useEndpointImpact } from '../../parts/impact.tsx';
import { fieldsOf, overridable, valueAt } from '../../parts/overrides/fields.ts';
import { LayerTable, type Layer } from '../../parts/overrides/layer-table.tsx';
import { useTexts } from '../../texts/texts.tsx';

type Endpoint = Of<'Endpoint'>;

/** Who has the last word comes first. */
const order = ['operator', 'held', 'lightapi_endpoint', 'lightapi_api', 'source', 'gateway'] as const;

/** Field by field what each source says, which of it is in force, and the operator's overrides, written in place. */
export function Layers({ endpoint }: { readonly endpoint: Endpoint }) {
  const { endpoints, layers: titles, overrides } = useTexts();
  const hostId = useHost();
  const { endpointId, layers: all = {}, provenance: winners = {} } = endpoint;
  const impact = useEndpointImpact(endpointId);
  const params = { path: { hostId, endpointId } };
  const said = all as Readonly<Record<string, unknown>>;
  const keys = order.filter((key) => key === 'operator' || key in said);
  const layers: readonly Layer[] = keys.map((key) => ({
    key,
    title: titles[key],
    valueOf: (field) => valueAt(said[key], field),
  }));
  const shared = {
    ...{ layers, winners, inForce },
    writing: {
      record: endpoint,
      write: (body: object, header: IfMatch) =>
        given(
          api.PATCH('/v1/hosts/{hostId}/endpoints/{endpointId}', { params: { ...params, header }, body }),
        ),
      question: ['endpoint', hostId, endpointId],
      ask: () => given(api.GET('/v1/hosts/{hostId}/endpoints/{endpointId}', { params })),
      effect: <Effect impact={impact.data} />,
    },
  };
  const rest = [...new Set(keys.flatMap((key) => fieldsOf(said[key])))]
    .filter((field) => !(field in overridable))
    .sort();
  return (
    <div className="portal-stack">
      <p className="portal-subtle">{overrides.lead}</p>
      <LayerTable {...shared} title={endpoints.layers} fields={Object.keys(overridable)} />
      {rest.length > 0 && (
        <>
          <Title headingLevel="h2" size="lg">
            {endpoints.calling}
          </Title>
          <LayerTable {...shared} title={endpoints.calling} fields={rest} />
        </>
      )}
    </div>
  );
}

/** What is in force of a field: on the endpoint itself, or in its metadata. */
function inForce({ layers = {}, provenance = {}, ...endpoint }: Endpoint, field: string): unknown {
  const winner = provenance[field];
  return (
    valueAt(endpoint, field) ??
    valueAt(endpoint.toolMetadata, field) ??
    // What nobody says of the routing has a value all the same, on the endpoint itself.
    (field.startsWith('routing.') ? valueAt(endpoint, field.slice('routing.'.length)) : undefined) ??
    (winner === undefined ? undefined : valueAt((layers as Readonly<Record<string, unknown>>)[winner], field))
  );
}
