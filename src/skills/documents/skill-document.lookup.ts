import type { Sql } from '../../kernel/sql.js';
import type { Visibility } from '../../platform/auth/visibility.js';
import { visibleRows } from '../../platform/database/conditions.js';
import type { ToolCall } from '../../workflows/shared.js';
import type { AccessLevel, LinkBody } from '../links/skill-tool.rules.js';
import type { SkillWorkflow } from '../links/skill-workflow.link.js';
import type { StartMode } from '../links/skill-workflow.rules.js';
import { visibleSkills } from '../skill.lookup.js';

/** Finds the skills that a document may mean by these names: the active one, else all inactive ones of the name. */
export async function skillsNamed(
  sql: Sql,
  visibility: Visibility,
  names: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const where = visibleSkills(visibility).add('name = ANY(?::text[])', names);
  const rows = await sql.query<{ name: string; ids: string[] }>(
    `SELECT name, array_agg(skill_id::text ORDER BY skill_id) AS ids FROM (
       SELECT name, skill_id, rank() OVER (PARTITION BY name ORDER BY active DESC) AS place FROM skill_t ${where.sql()}
     ) AS named WHERE place = 1 GROUP BY name`,
    where.values,
  );
  return new Map(rows.map(({ name, ids }) => [name, ids]));
}

/** Finds the name of the skill's parent, if it has one. */
export async function documentedParent(
  sql: Sql,
  hostId: string,
  skillId: string,
): Promise<string | undefined> {
  const [row] = await sql.query<{ name: string }>(
    `SELECT p.name FROM skill_t s JOIN skill_t p ON p.host_id = s.host_id AND p.skill_id = s.parent_skill_id
     WHERE s.host_id = $1 AND s.skill_id = $2`,
    [hostId, skillId],
  );
  return row?.name;
}

/** A link to a tool, which is named as it is outside this catalog. */
export interface DocumentedLink {
  readonly toolId: string;
  readonly name: string;
  readonly active: boolean;
  readonly accessLevel: AccessLevel;
  readonly config: LinkBody['config'];
  /** Null: the newest version, whichever it is. */
  readonly range: string | null;
  /** The version that agents are given without a range. */
  readonly newest: string;
  readonly apiId: string | null;
  readonly apiVersion: string | null;
  readonly endpoint: string | null;
}

/** Loads the active links of a skill to tools that the reader may see, ordered by name of the tool. */
export async function documentedLinks(
  sql: Sql,
  visibility: Visibility,
  skillId: string,
): Promise<DocumentedLink[]> {
  const where = visibleRows(visibility, { limits: ['services', 'environments', 'tiers'] });
  where.add('skill_id = ?', skillId);
  return sql.query<DocumentedLink>(
    `SELECT tool_id AS "toolId", name, active, access_level AS "accessLevel", config, range, version AS newest,
            api_id AS "apiId", api_version AS "apiVersion", endpoint
     FROM (
       SELECT l.host_id, l.skill_id, l.tool_id, l.access_level, l.config, l.range, t.version, t.name, t.active, t.service_id, t.env_tag,
              t.sensitivity_tier, e.api_id, e.api_version, e.endpoint
       FROM skill_tool_t l
       JOIN tool_read t ON t.host_id = l.host_id AND t.tool_id = l.tool_id
       LEFT JOIN endpoint_read e ON e.host_id = t.host_id AND e.endpoint_id = t.endpoint_id
       WHERE l.active) AS linked
     ${where.sql()} ORDER BY name COLLATE "C", tool_id`,
    where.values,
  );
}

/** Loads the skills that a skill depends on, ordered by name. */
export async function documentedDependencies(
  sql: Sql,
  hostId: string,
  skillId: string,
): Promise<{ readonly skillId: string; readonly skill: string; readonly required: boolean }[]> {
  return sql.query(
    `SELECT d.depends_on_skill_id AS "skillId", s.name AS skill, d.required FROM skill_dependency_t d
     JOIN skill_t s ON s.host_id = d.host_id AND s.skill_id = d.depends_on_skill_id
     WHERE d.host_id = $1 AND d.skill_id = $2 AND d.active ORDER BY s.name COLLATE "C", s.skill_id`,
    [hostId, skillId],
  );
}

/** A workflow of a skill by its natural key, with the id that it has here. */
export interface DocumentedWorkflow extends SkillWorkflow {
  readonly namespace: string;
  readonly name: string;
  readonly version: string;
  readonly startMode: StartMode;
  readonly config: Readonly<Record<string, unknown>>;
}

/** Loads the active links of a skill to workflows, whatever the state of the workflows. */
export async function documentedWorkflows(
  sql: Sql,
  hostId: string,
  skillId: string,
): Promise<DocumentedWorkflow[]> {
  return sql.query<DocumentedWorkflow>(
    `SELECT x.skill_id AS "skillId", x.wf_def_id AS "wfDefId", x.workflow_role AS "workflowRole",
            x.start_mode AS "startMode", x.config, w.namespace, w.name, w.version
     FROM skill_workflow_t x JOIN workflow_read w ON w.host_id = x.host_id AND w.wf_def_id = x.wf_def_id
     WHERE x.host_id = $1 AND x.skill_id = $2 AND x.active
     ORDER BY w.namespace COLLATE "C", w.name COLLATE "C", w.wf_def_id, x.workflow_role COLLATE "C"`,
    [hostId, skillId],
  );
}

/** Finds workflows by namespace, name and version, with their tool calls. */
export async function workflowsNamed(
  sql: Sql,
  hostId: string,
  keys: readonly { readonly namespace: string; readonly name: string; readonly version: string }[],
): Promise<{ wfDefId: string; namespace: string; name: string; version: string; toolCalls: ToolCall[] }[]> {
  return sql.query(
    `SELECT wf_def_id AS "wfDefId", namespace, name, version, tool_calls AS "toolCalls" FROM workflow_read
     WHERE host_id = $1 AND (namespace, name, version) IN (
       SELECT * FROM unnest($2::text[], $3::text[], $4::text[]))`,
    [
      hostId,
      keys.map(({ namespace }) => namespace),
      keys.map(({ name }) => name),
      keys.map(({ version }) => version),
    ],
  );
}
