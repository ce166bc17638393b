import type { Confines, SkillLinks } from '../platform/auth/visibility.js';
import type { Catalog, CatalogContent } from './catalog.document.js';

/** The ids of all that the catalog holds, each once: what a token confined to its agent may read. */
export function confinesOf({ content: { agentDefId, skills }, references }: Catalog): Confines {
  const tools = skills.flatMap((skill) => skill.tools);
  return {
    agentDefIds: [agentDefId],
    skillIds: skills.map(({ skillId }) => skillId),
    toolIds: distinct(tools.map(({ toolId }) => toolId)),
    endpointIds: distinct(tools.map(({ endpointId }) => endpointId)),
    apiVersionIds: distinct(tools.map(({ apiVersionId }) => apiVersionId)),
    apiIds: distinct(tools.map(({ apiId }) => apiId)),
    workflowIds: distinct(skills.flatMap(workflowIdsOf)),
    links: new Map(skills.map((skill) => [skill.skillId, linksOf(skill)])),
    references,
  };
}

type Skill = CatalogContent['skills'][number];

function linksOf(skill: Skill): SkillLinks {
  const toolIds = skill.tools.map(({ toolId }) => toolId);
  return { toolIds, workflowIds: distinct(workflowIdsOf(skill)), dependsOn: skill.dependsOn };
}

function workflowIdsOf({ workflows }: Skill): string[] {
  return workflows.map(({ wfDefId }) => wfDefId);
}

function distinct(ids: readonly (string | undefined)[]): string[] {
  return [...new Set(ids.filter((id) => id !== undefined))];
}
