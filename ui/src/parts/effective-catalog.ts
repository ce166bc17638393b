import { api, given, type Of } from '../api/client.ts';

export type EffectiveCatalog = Of<'EffectiveAgentCatalog'>;

interface Asked {
  readonly serviceId: string;
  readonly envTag: string;
  readonly withheld: boolean;
  readonly asOf?: string;
  readonly context?: string;
}

/** What an agent is given, as a whole. */
export async function effectiveCatalog(
  hostId: string,
  agentDefId: string,
  query: Asked,
): Promise<EffectiveCatalog> {
  const params = { path: { hostId, agentDefId }, query };
  // Without `since` the answer is never a patch.
  const answer: unknown = await given(
    api.GET('/v1/hosts/{hostId}/agents/{agentDefId}/effective-catalog', { params }),
  );
  return answer as EffectiveCatalog;
}
