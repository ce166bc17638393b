import type { QueryKey } from '@tanstack/react-query';

const words = ['EntityTaxonomy', 'Category', 'Tag'];
const skill = ['Skill', 'SkillFolder', ...words];
const tool = ['Tool', 'ApiEndpoint', 'Api', 'ApiVersion', ...words];
const endpoint = ['ApiEndpoint', 'Api', 'ApiVersion', 'ApiVersionSpec', ...words];
const agent = ['AgentDefinition', 'Api', 'ApiVersion'];

/** What each question is read from, by its first word. What is asked and is not here is concerned by every change. */
const sources: Readonly<Record<string, readonly string[]>> = {
  skill,
  skills: skill,
  'skill tools': ['SkillTool', ...tool],
  'problems of a skill': ['SkillTool', 'Gateway', 'ToolExposure', 'GatewayDrift', ...tool],
  'skill workflows': ['SkillWorkflow', 'WorkflowDefinition'],
  'skills to assign': skill,
  'skills to depend on': skill,
  'terms to choose': words,
  tool,
  tools: tool,
  versions: ['Tool'],
  desk: ['Tool', 'SkillTool', 'AgentSkill', 'EvaluationSet'],
  'tools to link': tool,
  'tools to explain': tool,
  'versions of an API': endpoint,
  'an API': ['Api'],
  endpoint,
  endpoints: endpoint,
  agent,
  agents: agent,
  'agents to choose': agent,
  assignments: ['AgentSkill', 'Skill', 'SkillTool', 'Tool'],
  workflow: ['WorkflowDefinition'],
  workflows: ['WorkflowDefinition'],
  'workflows to link': ['WorkflowDefinition'],
  gateway: ['Gateway'],
  gateways: ['Gateway'],
  // Answered by the gateway itself: it is not asked at every change.
  drift: [],
  'drift history': ['GatewayDrift'],
  exposures: ['ToolExposure', 'Tool'],
  'exposure impact': ['ToolExposure', 'Gateway', 'AgentSkill', 'SkillTool', 'Skill', ...agent],
  callable: ['ToolExposure', 'Gateway', ...tool],
  'development gateway': [],
  webhook: ['Webhook'],
  webhooks: ['Webhook'],
  categories: words,
  tags: words,
  settings: ['HostSettings'],
  // Asked when somebody wants to know, and not of the log.
  session: [],
  search: [],
  evaluation: [],
  evaluations: [],
  'runs to compare with': [],
  'data sets': [],
  'data set': [],
  'data sets to choose': [],
  report: [],
  comparison: [],
  palette: [],
  'skill tried': [],
  range: [],
  reading: [],
  'reading again': [],
};

/** Whether a change of a record of one of these types may have changed the answer. */
export function isConcerned([first]: QueryKey, aggregateTypes: ReadonlySet<string>): boolean {
  const read = sources[String(first)];
  return read === undefined || read.some((type) => aggregateTypes.has(type));
}
