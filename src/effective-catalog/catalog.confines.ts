import type { Confines } from '../platform/auth/visibility.js';
import type { CatalogContent } from './catalog.document.js';

/** The ids of all that the catalog holds, each once: what a token confined to its agent may read. */
export function confinesOf({ agentDefId, skills }: CatalogContent): Confines {
  const tools = skills.flatMap((skill) => skill.tools);
  return {
    agentDefId,
    skillIds: skills.map(({ skillId }) => skillId),
    toolIds: distinct(tools.map(({ toolId }) => toolId)),
    endpointIds: distinct(tools.map(({ endpointId }) => endpointId)),
    apiVersionIds: distinct(tools.map(({ apiVersionId }) => apiVersionId)),
    apiIds: distinct(tools.map(({ apiId }) => apiId)),
  };
}

function distinct(ids: readonly (string | undefined)[]): string[] {
  return [...new Set(ids.filter((id) => id !== undefined))];
}
