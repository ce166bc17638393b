import type { AgentScope } from '../src/platform/auth/visibility.js';

/** The agent scope of a token whose agent's catalog holds what is said, and nothing else. */
export function agentScopeWith(said: Partial<AgentScope>): AgentScope {
  return {
    ...{ agentDefIds: [], skillIds: [], toolIds: [], endpointIds: [], apiVersionIds: [], apiIds: [] },
    ...{ workflowIds: [], links: new Map(), references: () => false, kept: [] },
    ...said,
  };
}

/** Links of one skill. */
export function linksWith(
  skillId: string,
  said: { readonly toolIds?: readonly string[]; readonly dependsOn?: readonly string[] },
): Pick<AgentScope, 'links'> {
  return { links: new Map([[skillId, { toolIds: [], workflowIds: [], dependsOn: [], ...said }]]) };
}
