import { Skeleton } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { api, given, type Of } from '../api/client.ts';
import { useHost } from '../api/session.ts';
import { useTexts } from '../texts/texts.tsx';
import { To } from './to.tsx';

/** Whom a tool reaches. */
export function useToolImpact(toolId: string) {
  const hostId = useHost();
  return useQuery({
    queryKey: ['tool impact', hostId, toolId],
    queryFn: () =>
      given(api.GET('/v1/hosts/{hostId}/tools/{toolId}/impact', { params: { path: { hostId, toolId } } })),
  });
}

/** Whom an endpoint reaches by its tools. */
export function useEndpointImpact(endpointId: string) {
  const hostId = useHost();
  const params = { path: { hostId, endpointId } };
  return useQuery({
    queryKey: ['endpoint impact', hostId, endpointId],
    queryFn: () => given(api.GET('/v1/hosts/{hostId}/endpoints/{endpointId}/impact', { params })),
  });
}

/** Whether what an operator writes waits for a review: on this host, or of a tool that somebody has written as a spec. */
function useIsReviewed(toolId: string | undefined): boolean | undefined {
  const hostId = useHost();
  const id = toolId ?? '';
  const settings = useQuery({
    queryKey: ['settings', hostId],
    queryFn: () => given(api.GET('/v1/hosts/{hostId}/settings', { params: { path: { hostId } } })),
  });
  const params = { path: { hostId, toolId: id } };
  const versions = useQuery({
    queryKey: ['versions', hostId, id],
    enabled: id !== '',
    queryFn: () => given(api.GET('/v1/hosts/{hostId}/tools/{toolId}/versions', { params })),
  });
  if (settings.data === undefined || (id !== '' && versions.data === undefined)) return undefined;
  const wasLive = ['approved', 'deprecated', 'retired'];
  const isOfSpec = versions.data?.items.some(
    ({ origin, state }) => origin === 'spec' && wasLive.includes(state),
  );
  return !settings.data.autoApprove || isOfSpec === true;
}

/** Before something is saved: whom it reaches by name, and when. */
export function Effect({
  impact,
  toolId,
}: {
  readonly impact: Of<'Impact'> | undefined;
  readonly toolId?: string;
}) {
  const texts = useTexts().impact;
  const isReviewed = useIsReviewed(toolId);
  const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name).join(', ');
  if (impact === undefined || isReviewed === undefined) return <Skeleton width="60%" />;
  return (
    <p>
      {impact.skills.length === 0
        ? texts.reachesNobody
        : texts.reaches(names(impact.skills), names(impact.agents))}{' '}
      {isReviewed ? texts.afterReview : texts.atOnce}
    </p>
  );
}

/** Skills and agents by name, each a link. */
export function ReachedBy({ impact: { skills, agents } }: { readonly impact: Of<'Impact'> }) {
  const texts = useTexts().impact;
  if (skills.length + agents.length === 0) return <p className="portal-subtle">{texts.usedByNobody}</p>;
  return (
    <ul>
      {skills.map(({ skillId, name }) => (
        <li key={skillId}>
          {texts.skill} <To to={`/skills/${skillId}`}>{name}</To>
        </li>
      ))}
      {agents.map(({ agentDefId, name, envTag }) => (
        <li key={agentDefId}>
          {texts.agent} <To to={`/agents/${agentDefId}`}>{name}</To>{' '}
          <span className="portal-subtle">{envTag}</span>
        </li>
      ))}
    </ul>
  );
}
