import { Label } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { Activation } from '../../parts/activation.tsx';
import { ActiveLabel, TierLabel } from '../../parts/labels.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useAddressed } from '../../parts/search-state.ts';
import { Sections } from '../../parts/sections.tsx';
import { Answer } from '../../parts/states.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Assignment } from './assignment.tsx';
import { Catalog } from './catalog.tsx';
import { Explanation } from './explanation.tsx';
import { Profile } from './profile.tsx';

/** One agent: what it is given, why not the rest, its skills and its profile. */
export default function AgentScreen() {
  const { agents } = useTexts();
  const hostId = useHost();
  const agentDefId = useAddressed('agentDefId');
  const params = { path: { hostId, agentDefId } };
  const agent = useQuery({
    queryKey: ['agent', hostId, agentDefId],
    queryFn: () => given(api.GET('/v1/hosts/{hostId}/agents/{agentDefId}', { params })),
  });
  return (
    <Screen
      title={agent.data?.name ?? agents.one}
      above={{ to: '/agents', title: agents.title }}
      badges={
        agent.data && (
          <>
            <Label isCompact>{agent.data.envTag}</Label>
            <TierLabel tier={agent.data.maxSensitivityTier} />
            <ActiveLabel isActive={agent.data.active} />
          </>
        )
      }
      actions={
        agent.data && (
          <Activation
            isActive={agent.data.active}
            activate={() => given(api.POST('/v1/hosts/{hostId}/agents/{agentDefId}/activate', { params }))}
            deactivate={() =>
              given(api.POST('/v1/hosts/{hostId}/agents/{agentDefId}/deactivate', { params }))
            }
          />
        )
      }
    >
      <Answer of={agent}>{(found) => <Parts key={found.agentDefId} agent={found} />}</Answer>
    </Screen>
  );
}

function Parts({ agent }: { readonly agent: Of<'AgentDefinition'> }) {
  const { agents } = useTexts();
  return (
    <Sections
      of={[
        ['catalog', agents.catalog, () => <Catalog agent={agent} />],
        ['why', agents.why, () => <Explanation agent={agent} />],
        ['assignment', agents.assignment, () => <Assignment agentDefId={agent.agentDefId} />],
        ['profile', agents.profile, () => <Profile agent={agent} />],
      ]}
    />
  );
}
