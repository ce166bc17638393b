import { useQuery } from '@tanstack/react-query';
import { api, given } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';

/** Whom a change of the skill reaches. */
export function useImpact(skillId: string) {
  const hostId = useHost();
  return useQuery({
    queryKey: ['skill impact', hostId, skillId],
    queryFn: () =>
      given(api.GET('/v1/hosts/{hostId}/skills/{skillId}/impact', { params: { path: { hostId, skillId } } })),
  });
}
