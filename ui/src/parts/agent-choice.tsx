import { FormGroup, FormSelect, FormSelectOption } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { api, given, type Of } from '../api/client.ts';
import { useHost } from '../api/session.ts';

/** The agents that can be chosen: the first hundred. */
export function useAgents(): readonly Of<'AgentDefinition'>[] {
  const hostId = useHost();
  const agents = useQuery({
    queryKey: ['agents to choose', hostId],
    queryFn: () =>
      given(api.GET('/v1/hosts/{hostId}/agents', { params: { path: { hostId }, query: { limit: 100 } } })),
  });
  return agents.data?.items ?? [];
}

interface Given {
  readonly id: string;
  readonly label: string;
  /** How no agent in particular is called. */
  readonly any: string;
  readonly value: string;
  readonly change: (agentDefId: string) => void;
}

/** One agent, or none in particular. */
export function AgentChoice({ id, label, any, value, change }: Given) {
  const agents = useAgents();
  return (
    <FormGroup label={label} fieldId={id}>
      <FormSelect id={id} value={value} onChange={(_, agentDefId) => change(agentDefId)}>
        <FormSelectOption value="" label={any} />
        {agents.map(({ agentDefId, name, envTag }) => (
          <FormSelectOption key={agentDefId} value={agentDefId} label={`${name} (${envTag})`} />
        ))}
      </FormSelect>
    </FormGroup>
  );
}
