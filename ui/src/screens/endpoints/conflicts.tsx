import { Alert, Button, Flex } from '@patternfly/react-core';
import { useMutation } from '@tanstack/react-query';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { Facts } from '../../parts/facts.tsx';
import { notify } from '../../parts/notices.tsx';
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
  const settle = useMutation({
    mutationFn: (body: Of<'SettleEndpointConflictRequest'>) =>
      given(
        api.POST('/v1/hosts/{hostId}/endpoints/{endpointId}/conflicts/settle', {
          ...{ params: { path: { hostId, endpointId } }, body },
        }),
      ),
    onSuccess: () => notify('success', endpoints.settled),
  });
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
            <Button
              variant="secondary"
              isDisabled={settle.isPending}
              onClick={() => settle.mutate({ field, take: 'operator' })}
            >
              {endpoints.keep}
            </Button>
            {layer !== null && (
              <Button
                variant="secondary"
                isDisabled={settle.isPending}
                onClick={() => settle.mutate({ field, take: layer as Layer })}
              >
                {endpoints.take}
              </Button>
            )}
          </Flex>
        </div>
      </Alert>
    );
  });
}
