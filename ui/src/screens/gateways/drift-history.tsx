import { Button, List, ListItem } from '@patternfly/react-core';
import { useMutation } from '@tanstack/react-query';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { Records } from '../../parts/records.tsx';
import { Nothing } from '../../parts/states.tsx';
import { useFormats, useTexts } from '../../texts/texts.tsx';
import { keyOf } from './findings.ts';

/** What kept checks have found, and what was accepted, by whom. */
export function DriftHistory({ gatewayId }: { readonly gatewayId: string }) {
  const { gateways } = useTexts();
  const { moment } = useFormats();
  const hostId = useHost();
  const path = { hostId, gatewayId };
  const check = useMutation({
    mutationFn: () =>
      given(api.POST('/v1/hosts/{hostId}/gateways/{gatewayId}/drift/check', { params: { path } })),
  });
  return (
    <>
      <Button
        variant="secondary"
        isLoading={check.isPending}
        isDisabled={check.isPending}
        onClick={() => check.mutate()}
      >
        {gateways.check}
      </Button>
      <Records
        title={gateways.history}
        question={['drift history', hostId, gatewayId]}
        ask={(query) =>
          given(api.GET('/v1/hosts/{hostId}/gateways/{gatewayId}/drift/history', { params: { path, query } }))
        }
        id={({ position }) => String(position)}
        columns={[
          { title: gateways.when, width: 20, cell: ({ checkedAt }) => moment(checkedAt) },
          { title: gateways.what, cell: ({ kind }) => gateways.kinds[kind] },
          { title: gateways.found, width: 50, cell: (entry) => <Found entry={entry} /> },
          { title: gateways.by, cell: ({ updateUser }) => updateUser },
        ]}
        nothing={<Nothing title={gateways.noHistory}>{gateways.noHistoryMend}</Nothing>}
      />
    </>
  );
}

const MAX_SHOWN = 20;

function Found({ entry: { failure, findings } }: { readonly entry: Of<'ListedGatewayDriftHistory'> }) {
  const { gateways } = useTexts();
  const { number } = useFormats();
  if (failure !== null) return gateways.failed(failure.detail);
  const different = findings.filter(({ finding }) => finding !== 'in_sync');
  if (different.length === 0) return gateways.inSync;
  return (
    <List isPlain>
      {different.slice(0, MAX_SHOWN).map((each) => (
        <ListItem key={keyOf(each)}>
          {each.toolName}: {gateways.findings[each.finding]}
        </ListItem>
      ))}
      {different.length > MAX_SHOWN && (
        <ListItem key="more">{gateways.others(number(different.length - MAX_SHOWN))}</ListItem>
      )}
    </List>
  );
}
