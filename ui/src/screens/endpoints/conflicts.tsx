import { Alert, Flex } from '@patternfly/react-core';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { Facts } from '../../parts/facts.tsx';
import { WriteButton } from '../../parts/for-writers.tsx';
import { useFieldNames } from '../../parts/overrides/layer-table.tsx';
import { Value } from '../../parts/overrides/value.tsx';
import { useTexts } from '../../texts/texts.tsx';

type Layer = Of<'SettleEndpointConflictRequest'>['take'];

/** What a source offers beside the word in force: the word stays until somebody settles it. */
export function Conflicts({
  endpoint: { endpointId, conflicts = [] },
}: {
  readonly endpoint: Of<'Endpoint'>;
}) {
  const { endpoints, layers } = useTexts();
  const hostId = useHost();
  const nameOf = useFieldNames();
  const settle = (body: Of<'SettleEndpointConflictRequest'>) =>
    given(
      api.POST('/v1/hosts/{hostId}/endpoints/{endpointId}/conflicts/settle', {
        ...{ params: { path: { hostId, endpointId } }, body },
      }),
    );
  return conflicts.map(({ field, kept, offered, layer }) => {
    const name = nameOf(field);
    const by = layer === null ? '' : layers[layer as Layer];
    return (
      <Alert key={field} component="h2" isInline variant="warning" title={endpoints.conflictIn(name)}>
        <div className="portal-stack">
          <Facts
            of={[
              [endpoints.kept, <Value key="kept" value={kept} title={name} />],
              [endpoints.offered(by), <Value key="offered" value={offered} title={name} />],
            ]}
          />
          <Flex gap={{ default: 'gapSm' }}>
            {(['operator', ...(layer === null ? [] : [layer as Layer])] as const).map((take) => (
              <WriteButton
                key={take}
                variant="secondary"
                done={endpoints.settled}
                write={() => settle({ field, take })}
              >
                {take === 'operator' ? endpoints.keep : endpoints.take}
              </WriteButton>
            ))}
          </Flex>
        </div>
      </Alert>
    );
  });
}
