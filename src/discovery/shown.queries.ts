import { quarantinedGrades } from '../endpoints/shared.js';
import type { Sql } from '../kernel/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { visibleRows } from '../platform/database/conditions.js';
import {
  shownOf,
  type AgentRow,
  type Entry,
  type GatewayRow,
  type Shown,
  type SkillRow,
  type ToolRow,
} from './shown.js';

/** What a caller sees beside what is public. */
export interface Seen {
  readonly visibility: Visibility;
  /** Whether gateways, which are the administrators’. */
  readonly gateways: boolean;
}

interface Ids {
  readonly skills: readonly string[];
  readonly tools: readonly string[];
  readonly gateways: readonly string[];
  readonly agents: readonly string[];
}

/** Reads what is shown of a host: what is public, and what the caller sees. */
export async function readShown(sql: Sql, hostId: string, seen?: Seen): Promise<Shown> {
  const entries = await entriesOf(sql, hostId);
  const ids = (kind: Entry['kind']): string[] =>
    entries.filter((entry) => entry.kind === kind).map(({ entityId }) => entityId);
  const open = { skills: ids('skill'), tools: ids('tool'), gateways: ids('gateway'), agents: ids('agent') };
  const shown = seen === undefined ? open : await withSeen(sql, seen, open);
  const rows = {
    entries,
    tools: await toolsOf(sql, hostId, shown.tools),
    skills: await skillsOf(sql, hostId, shown.skills),
    gateways: await gatewaysOf(sql, hostId, shown.gateways),
    agents: await agentsOf(sql, hostId, shown.agents),
  };
  const links = seen?.visibility.within?.links;
  return shownOf(links === undefined ? rows : { ...rows, skills: rows.skills.map(linked(links, open)) });
}

/** Of a skill in an agent’s catalog, the tools that it offers there; what is public stays so. */
function linked(links: ReadonlyMap<string, { readonly toolIds: readonly string[] }>, open: Ids) {
  return (skill: SkillRow): SkillRow => {
    const offered = new Set([...open.tools, ...(links.get(skill.id)?.toolIds ?? [])]);
    return { ...skill, toolIds: skill.toolIds.filter((id) => offered.has(id)) };
  };
}

async function withSeen(sql: Sql, { visibility, gateways }: Seen, open: Ids): Promise<Ids> {
  const skills = visibleRows(visibility, { limits: [], confined: ['skill_id', ({ skillIds }) => skillIds] });
  const tools = visibleRows(visibility, {
    limits: ['services', 'environments', 'tiers'],
    confined: ['tool_id', ({ toolIds }) => toolIds],
  });
  const ids = async (column: string, view: string, where: typeof skills): Promise<string[]> => {
    const rows = await sql.query<{ readonly id: string }>(
      `SELECT ${column} AS id FROM ${view} ${where.add('active').sql()}`,
      where.values,
    );
    return rows.map(({ id }) => id);
  };
  return {
    ...open,
    skills: [...open.skills, ...(await ids('skill_id', 'skill_read', skills))],
    tools: [...open.tools, ...(await ids('tool_id', 'tool_read', tools))],
    gateways: [
      ...open.gateways,
      ...(gateways ? await ids('gateway_id', 'gateway_read', visibleRows(visibility)) : []),
    ],
  };
}

function entriesOf(sql: Sql, hostId: string): Promise<Entry[]> {
  return sql.query<Entry>(
    `SELECT entity_id AS "entityId", kind, name, description, url, aggregate_version AS "aggregateVersion",
            update_ts AS "updateTs"
     FROM public_entry_t WHERE host_id = $1 AND active`,
    [hostId],
  );
}

/** Tools that anybody may be given: what the catalog withholds from every agent is left out. */
function toolsOf(sql: Sql, hostId: string, ids: readonly string[]): Promise<ToolRow[]> {
  return sql.query<ToolRow>(
    `SELECT t.tool_id AS "toolId", t.name, t.example_prompts AS prompts
     FROM tool_read t
     LEFT JOIN endpoint_read e ON e.host_id = t.host_id AND e.endpoint_id = t.endpoint_id
     WHERE t.host_id = $1 AND t.tool_id = ANY ($2::uuid[])
       AND t.active AND t.approved AND t.lifecycle_status <> 'retired'
       AND (t.endpoint_id IS NULL OR e.active)
       AND coalesce(t.call_fault ->> 'code' <> 'operation_unfit', true)
       AND NOT (coalesce(t.change_grade = ANY ($3::text[]), false)
         AND (t.quarantine OR coalesce(e.quarantine, false) OR EXISTS (
           SELECT FROM endpoint_read c
           WHERE c.host_id = t.host_id AND c.endpoint_id = ANY (t.call_endpoints) AND c.quarantine)))`,
    [hostId, ids, quarantinedGrades],
  );
}

function skillsOf(sql: Sql, hostId: string, ids: readonly string[]): Promise<SkillRow[]> {
  return sql.query<SkillRow>(
    `SELECT s.skill_id AS id, s.name AS "ownName", s.description, s.version, ARRAY(
       SELECT l.tool_id::text FROM skill_tool_read l
       WHERE l.host_id = s.host_id AND l.skill_id = s.skill_id AND l.active) AS "toolIds"
     FROM skill_read s WHERE s.host_id = $1 AND s.skill_id = ANY ($2::uuid[]) AND s.active`,
    [hostId, ids],
  );
}

function gatewaysOf(sql: Sql, hostId: string, ids: readonly string[]): Promise<GatewayRow[]> {
  return sql.query<GatewayRow>(
    `SELECT g.gateway_id AS id, g.service_id AS "ownName", a.url, a.authenticated,
            a.aggregate_version AS "aggregateVersion", a.update_ts AS "updateTs", ARRAY(
       SELECT x.tool_id::text FROM tool_exposure_read x
       WHERE x.host_id = g.host_id AND x.gateway_id = g.gateway_id AND x.active) AS "toolIds"
     FROM gateway_read g JOIN gateway_address_read a ON a.host_id = g.host_id AND a.gateway_id = g.gateway_id
     WHERE g.host_id = $1 AND g.gateway_id = ANY ($2::uuid[]) AND g.active`,
    [hostId, ids],
  );
}

function agentsOf(sql: Sql, hostId: string, ids: readonly string[]): Promise<AgentRow[]> {
  return sql.query<AgentRow>(
    `SELECT a.agent_def_id AS id, a.name AS "ownName", a.api_version AS "apiVersion", ARRAY(
       SELECT k.skill_id::text FROM agent_skill_read k
       WHERE k.host_id = a.host_id AND k.agent_def_id = a.agent_def_id AND k.active) AS "skillIds"
     FROM agent_read a WHERE a.host_id = $1 AND a.agent_def_id = ANY ($2::uuid[]) AND a.active`,
    [hostId, ids],
  );
}
