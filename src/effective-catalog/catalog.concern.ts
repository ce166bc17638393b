/**
 * Whom events concern: a catalog can have changed only where they name an id of its rows, or may concern everybody. Pure.
 *
 * What a catalog is read by, and what tells of it: the agent's profile, API version and assignments (active or not) name
 * the agent; skills, their taxonomies, and their links to tools, skills and workflows name the skill; tools, their
 * taxonomies and exposures the tool; endpoints themselves; API versions and their documents the version. Workflows, APIs,
 * categories, tags and gateways concern everybody, and so does what nobody knows here.
 */
import type { RecordedEvent } from '../eventsourcing/event.js';
import type { CatalogRows } from './catalog.rows.js';

/** What events say about catalogs: names, ids among them by which the agents concerned are found, or that any may be. */
export type Concern = readonly string[] | 'all';

/** Events that are looked at one by one. Of as many it is not worked out whom they concern: everybody looks for themselves. */
export const mostLookedAt = 200;

/** Aggregates whose events name a skill, a tool, an endpoint, an API version, a workflow or an agent. */
const named: ReadonlySet<string> = new Set([
  'ApiVersion',
  'ApiVersionSpec',
  'ApiEndpoint',
  'Tool',
  'Skill',
  'SkillTool',
  'SkillDependency',
  'SkillWorkflow',
  'WorkflowDefinition',
  'AgentDefinition',
  'AgentSkill',
  'ToolExposure',
  'EntityTaxonomy',
]);

/** Aggregates of which no catalog is made. Those that stand in neither set may concern everybody. */
const apart: ReadonlySet<string> = new Set(['GatewayDrift', 'HostSettings', 'SkillFolder', 'Webhook']);

/** Whom a workflow concerns the database has to be asked: links and tools name one that approves calls by its name. */
export function concernOf(events: readonly RecordedEvent[]): Concern {
  if (events.length >= mostLookedAt) return 'all';
  const telling = events.filter(({ aggregatetype }) => !apart.has(aggregatetype));
  if (telling.some(({ aggregatetype }) => !named.has(aggregatetype))) return 'all';
  const ids = telling.flatMap(({ aggregateid, data }) => [
    aggregateid,
    ...Object.entries((data as object | null) ?? {}).flatMap(([name, value]) =>
      name.endsWith('Id') && typeof value === 'string' ? [value] : [],
    ),
  ]);
  return [...new Set(ids)];
}

/** The same for those who do not ask the database: a workflow may concern everybody. */
export function concernUnasked(events: readonly RecordedEvent[]): Concern {
  return events.some(({ aggregatetype }) => aggregatetype === 'WorkflowDefinition')
    ? 'all'
    : concernOf(events);
}

/**
 * The ids by which these rows were found. An event that names none of them, and does not concern everybody, changes
 * neither these rows nor which they are.
 */
export function idsOf({ agent, assignments, links, tools, endpoints }: CatalogRows): ReadonlySet<string> {
  return new Set([
    agent.agent_def_id,
    ...assignments.map(({ skill_id }) => skill_id),
    ...links.map(({ tool_id }) => tool_id),
    ...tools.flatMap(({ endpoint_id }) => endpoint_id ?? []),
    ...endpoints.map(({ api_version_id }) => api_version_id),
  ]);
}
