import { Alert, Button, Content, FormSelect, FormSelectOption } from '@patternfly/react-core';
import { useMutation } from '@tanstack/react-query';
import { use, useState } from 'react';
import { api, given, type Of } from '../api/client.ts';
import { personas, SessionContext, useDevelopmentSignIn } from '../api/session.ts';
import { useTexts } from '../texts/texts.tsx';

type Agent = Of<'AgentDefinition'>;

/** Whom the development issuer lets one be, so that what takes two people can be tried by one. */
export function Personas() {
  const { signIn } = useTexts();
  // Who signs in again goes on at the host of before.
  const before = use(SessionContext);
  const at = before === undefined ? {} : { hostId: before.host };
  const enter = useDevelopmentSignIn({ quiet: true });
  const find = useMutation({ meta: { quiet: true, reads: true }, mutationFn: () => agentsOfCatalog(at) });
  const isBusy = enter.isPending || find.isPending;
  const error = enter.error ?? find.error;
  return (
    <div>
      {personas.map((as) => (
        <div key={as} className="sign-in-persona">
          <Button
            isBlock
            variant={as === 'operator' ? 'primary' : 'secondary'}
            isDisabled={isBusy}
            onClick={() => enter.mutate({ as, ...at })}
          >
            {signIn.as[as]}
          </Button>
          <span>{signIn.may[as]}</span>
        </div>
      ))}
      <div className="sign-in-persona">
        <Button isBlock variant="secondary" isDisabled={isBusy} onClick={() => find.mutate()}>
          {signIn.as.agent}
        </Button>
        <span>{signIn.may.agent}</span>
      </div>
      {find.data !== undefined && (
        <AgentEntrance
          agents={find.data}
          isBusy={isBusy}
          enter={({ agentDefId, serviceId, envTag, name }) =>
            enter.mutate({ ...at, as: 'agent', agent: { agentDefId, serviceId, envTag, name } })
          }
        />
      )}
      {error !== null && (
        <Alert component="h2" isInline variant="danger" title={signIn.failed}>
          {error.message}
        </Alert>
      )}
      <Content component="small" className="sign-in-note">
        {signIn.developmentLead}
      </Content>
    </div>
  );
}

interface Given {
  readonly agents: readonly Agent[];
  readonly isBusy: boolean;
  readonly enter: (agent: Agent) => void;
}

/** Which agent one is; where there is none, that somebody has to register one. */
function AgentEntrance({ agents, isBusy, enter }: Given) {
  const { signIn } = useTexts();
  const [chosen = agents[0]?.agentDefId, choose] = useState<string>();
  const agent = agents.find(({ agentDefId }) => agentDefId === chosen);
  if (agent === undefined)
    return (
      <Alert component="h2" isInline variant="info" title={signIn.noAgent}>
        {signIn.noAgentMend}
      </Alert>
    );
  return (
    <div className="sign-in-persona">
      <Button isBlock isDisabled={isBusy} variant="secondary" onClick={() => enter(agent)}>
        {signIn.enter}
      </Button>
      <FormSelect value={chosen} aria-label={signIn.whichAgent} onChange={(_, id) => choose(id)}>
        {agents.map(({ agentDefId, name, envTag }) => (
          <FormSelectOption key={agentDefId} value={agentDefId} label={`${name} (${envTag})`} />
        ))}
      </FormSelect>
    </div>
  );
}

/** Read under a session of its own, which ends at once; where another window has signed in meanwhile, under that, which goes on. */
async function agentsOfCatalog(at: { readonly hostId?: string }): Promise<readonly Agent[]> {
  const found = await given(api.GET('/session'));
  if (found.signedIn) return agentsAt(found.host);
  const body = { as: 'reviewer', scope: 'catalog:read catalog:all-services', ...at } as const;
  const own = await given(api.POST('/session/development', { body }));
  if (!own.signedIn) return [];
  try {
    return await agentsAt(own.host);
  } finally {
    await given(api.POST('/session/logout', { headers: { 'x-csrf-token': own.csrf } }));
  }
}

async function agentsAt(hostId: string): Promise<readonly Agent[]> {
  const params = { path: { hostId }, query: { limit: 100 } };
  const { items } = await given(api.GET('/v1/hosts/{hostId}/agents', { params }));
  return items;
}
