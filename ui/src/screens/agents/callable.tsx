import { Button, Card, CardBody, CardTitle, List, ListItem } from '@patternfly/react-core';
import { useMutation } from '@tanstack/react-query';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { Mend, useReasons } from '../../parts/reasons.tsx';
import { Failure } from '../../parts/states.tsx';
import { To } from '../../parts/to.tsx';
import { useTexts } from '../../texts/texts.tsx';

/** Whether what the agent is given could be called: its gateways are asked when somebody wants to know. */
export function Callable({ agentDefId }: { readonly agentDefId: string }) {
  const { agents } = useTexts();
  const hostId = useHost();
  const ask = useMutation({
    meta: { quiet: true, reads: true },
    mutationFn: () =>
      given(
        api.GET('/v1/hosts/{hostId}/diagnostics/agents/{agentDefId}', {
          params: { path: { hostId, agentDefId } },
        }),
      ),
  });
  return (
    <Card isCompact>
      <CardTitle component="h2">{agents.callable}</CardTitle>
      <CardBody className="portal-stack">
        <p>{agents.callableLead}</p>
        {ask.error !== null && <Failure error={ask.error} retry={() => ask.mutate()} />}
        <div aria-live="polite">{ask.data !== undefined && <Found found={ask.data} />}</div>
        <div>
          <Button variant="secondary" isLoading={ask.isPending} onClick={() => ask.mutate()}>
            {agents.askGateways}
          </Button>
        </div>
      </CardBody>
    </Card>
  );
}

function Found({ found }: { readonly found: Of<'DiagnoseAgentResponse'> }) {
  const { agents } = useTexts();
  const wordsOf = useReasons();
  const { agentDefId, gateways, total, items } = found;
  const broken = items.filter(({ withheld }) => withheld !== true);
  const failing = gateways.filter(({ failure }) => failure !== undefined);
  return (
    <div className="portal-stack">
      <p>{gateways.length === 0 ? agents.noGateway : agents.called(total - broken.length, total)}</p>
      {failing.length > 0 && (
        <List>
          {failing.map(({ gatewayId, serviceId, failure }) => (
            <ListItem key={gatewayId}>
              <To to={`/gateways/${gatewayId}`}>{serviceId}</To>: {wordsOf(failure ?? '')}
            </ListItem>
          ))}
        </List>
      )}
      {broken.length > 0 && (
        <List>
          {broken.map(({ toolId, toolName, problems }) => (
            <ListItem key={toolId}>
              <To to={`/tools/${toolId}`}>{toolName}</To>:{' '}
              {problems.map(({ code }) => wordsOf(code)).join('; ')}{' '}
              <Mend
                reason={problems[0]?.code ?? ''}
                gatewayId={problems[0]?.gatewayId}
                {...{ agentDefId, toolId }}
              />
            </ListItem>
          ))}
        </List>
      )}
    </div>
  );
}
