import { Injectable } from '@nestjs/common';
import { ImpactLookup, type ImpactSubject } from '../endpoints/public.js';
import type { Impact, Reach } from '../endpoints/shared.js';
import type { Sql } from '../kernel/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { coveredSql } from '../platform/database/conditions.js';

/**
 * $1 host · $2 kind · $3 id, of an API $10 instead · what the reader sees: $4 services, $5 environments, $6 tiers, $7 agents,
 * $8 skills and $9 tools of its catalog; null for all.
 *
 * First finds all effects, whoever asks; then leaves only those that the reader may see.
 */
const statement = `
WITH RECURSIVE gone AS MATERIALIZED (
  SELECT t.* FROM tool_read t
  WHERE t.host_id = $1::uuid AND t.active
    AND ($2::text <> 'tool' OR t.tool_id = $3::uuid)
    AND CASE WHEN t.endpoint_id IS NULL AND t.call_endpoints = '{}' THEN $2::text = 'tool' ELSE EXISTS (
      SELECT FROM endpoint_read e WHERE e.host_id = t.host_id AND e.endpoint_id = ANY (t.call_endpoints || t.endpoint_id) AND e.active
        AND CASE $2::text WHEN 'tool' THEN true WHEN 'endpoint' THEN e.endpoint_id = $3::uuid
          WHEN 'api_version' THEN e.api_version_id = $3::uuid WHEN 'api' THEN e.api_id = $10::text ELSE false END) END
), stopped AS MATERIALIZED (
  SELECT agent_def_id FROM agent_read
  WHERE host_id = $1::uuid AND active
    AND (($2::text IN ('agent', 'api_version') AND agent_def_id = $3::uuid) OR ($2::text = 'api' AND api_id = $10::text))
), hit AS MATERIALIZED (
  SELECT s.skill_id, s.name, CASE WHEN EXISTS (
      SELECT FROM skill_tool_read l JOIN tool_read t ON t.host_id = l.host_id AND t.tool_id = l.tool_id
      WHERE l.host_id = s.host_id AND l.skill_id = s.skill_id AND l.active AND t.active
        AND t.tool_id NOT IN (SELECT tool_id FROM gone)
    ) THEN 'fewer_tools' ELSE 'no_tools' END AS effect
  FROM skill_read s
  WHERE s.host_id = $1::uuid AND s.active AND s.skill_id IN (
    SELECT skill_id FROM skill_tool_read
    WHERE host_id = $1::uuid AND active AND tool_id IN (SELECT tool_id FROM gone))
  UNION ALL
  SELECT skill_id, name, 'inactive' FROM skill_read
  WHERE host_id = $1::uuid AND $2::text = 'skill' AND skill_id = $3::uuid AND active
  UNION ALL
  SELECT s.skill_id, s.name, 'dependency_missing'
  FROM skill_read lost
  JOIN skill_dependency_read d ON d.host_id = lost.host_id AND d.depends_on_skill_id = lost.skill_id
  JOIN skill_read s ON s.host_id = d.host_id AND s.skill_id = d.skill_id
  WHERE lost.host_id = $1::uuid AND $2::text = 'skill' AND lost.skill_id = $3::uuid AND lost.active
    AND d.active AND d.required AND s.active
), seen AS MATERIALIZED (
  SELECT * FROM hit WHERE $8::uuid[] IS NULL OR skill_id = ANY ($8::uuid[])
), agent AS (
  SELECT a.agent_def_id, a.name, a.service_id, a.env_tag,
    coalesce(array_agg(x.skill_id ORDER BY x.skill_id) FILTER (WHERE x.skill_id IS NOT NULL), '{}') AS skills
  FROM agent_read a
  LEFT JOIN agent_skill_read x ON x.host_id = a.host_id AND x.agent_def_id = a.agent_def_id AND x.active
    AND (x.skill_id IN (SELECT skill_id FROM seen) OR (
      a.agent_def_id IN (SELECT agent_def_id FROM stopped) AND ($8::uuid[] IS NULL OR x.skill_id = ANY ($8::uuid[]))))
  WHERE a.host_id = $1::uuid AND a.active
    AND (x.skill_id IS NOT NULL OR a.agent_def_id IN (SELECT agent_def_id FROM stopped))
    AND ${coveredSql('a', 'services', '$4::text[]', true)} AND ${coveredSql('a', 'environments', '$5::text[]')}
    AND ($7::uuid[] IS NULL OR a.agent_def_id = ANY ($7::uuid[]))
  GROUP BY a.agent_def_id, a.name, a.service_id, a.env_tag
), called AS MATERIALIZED (
  SELECT 'name' AS by, name AS value FROM gone
  UNION SELECT 'toolId', tool_id::text FROM gone
  UNION SELECT 'capabilityRef', capability_ref FROM gone
  UNION SELECT 'endpoint', endpoint_id::text FROM gone
  UNION SELECT 'endpoint', e.endpoint FROM gone g
    JOIN endpoint_read e ON e.host_id = g.host_id AND e.endpoint_id = g.endpoint_id
), linked AS MATERIALIZED (
  SELECT wf_def_id, skill_id FROM skill_workflow_read
  WHERE host_id = $1::uuid AND active AND ($8::uuid[] IS NULL OR skill_id = ANY ($8::uuid[]))
), calling AS (
  SELECT w.wf_def_id, w.namespace, w.name, w.version FROM workflow_read w
  WHERE w.host_id = $1::uuid AND w.active AND (
    EXISTS (SELECT FROM jsonb_to_recordset(w.tool_calls) AS c (by text, value text) JOIN called USING (by, value))
    OR ($2::text = 'skill' AND w.wf_def_id IN (
      SELECT wf_def_id FROM linked WHERE skill_id IN (SELECT skill_id FROM seen))))
  UNION
  SELECT w.wf_def_id, w.namespace, w.name, w.version FROM calling c
  JOIN workflow_read w ON w.host_id = $1::uuid AND w.active
  JOIN LATERAL jsonb_to_recordset(w.runs) AS r ("wfDefId" text, namespace text, name text, version text)
    ON r."wfDefId" = c.wf_def_id::text
    OR (r.namespace = c.namespace AND r.name = c.name AND coalesce(r.version, c.version) = c.version)
), workflow AS (
  SELECT c.*, ARRAY(SELECT DISTINCT skill_id FROM linked l WHERE l.wf_def_id = c.wf_def_id ORDER BY 1) AS skills
  FROM calling c
  WHERE $8::uuid[] IS NULL OR c.wf_def_id IN (SELECT wf_def_id FROM linked)
)
SELECT
  (SELECT coalesce(json_agg(json_build_object('toolId', tool_id, 'name', name)
       ORDER BY name COLLATE "C", tool_id), '[]')
   FROM gone
   WHERE ${coveredSql('gone', 'services', '$4::text[]', true)}
     AND ${coveredSql('gone', 'environments', '$5::text[]')}
     AND ${coveredSql('gone', 'tiers', '$6::text[]', true)}
     AND ($9::uuid[] IS NULL OR tool_id = ANY ($9::uuid[]))) AS tools,
  (SELECT coalesce(json_agg(json_build_object('skillId', skill_id, 'name', name, 'effect', effect)
       ORDER BY name COLLATE "C", skill_id), '[]') FROM seen) AS skills,
  (SELECT coalesce(json_agg(json_build_object('agentDefId', agent_def_id, 'name', name, 'serviceId', service_id,
       'envTag', env_tag, 'skillIds', skills) ORDER BY name COLLATE "C", agent_def_id), '[]') FROM agent) AS agents,
  (SELECT coalesce(json_agg(json_build_object('wfDefId', wf_def_id, 'namespace', namespace, 'name', name,
       'version', version, 'skillIds', skills) ORDER BY namespace COLLATE "C", name COLLATE "C", wf_def_id), '[]')
   FROM workflow) AS workflows`;

/**
 * $1 host · $2 endpoints · what the reader sees: $3 services, $4 environments, $5 agents and $6 skills of their
 * catalog; null for all.
 */
const reachStatement = `
WITH seen AS MATERIALIZED (
  SELECT s.skill_id, s.name, array_agg(DISTINCT t.name ORDER BY t.name) AS tools
  FROM tool_read t
  JOIN skill_tool_read l ON l.host_id = t.host_id AND l.tool_id = t.tool_id AND l.active
  JOIN skill_read s ON s.host_id = l.host_id AND s.skill_id = l.skill_id AND s.active
  WHERE t.host_id = $1::uuid AND t.active
    AND (t.endpoint_id = ANY ($2::uuid[]) OR t.call_endpoints <> '{}' AND t.call_endpoints && $2::uuid[])
    AND ($6::uuid[] IS NULL OR s.skill_id = ANY ($6::uuid[]))
  GROUP BY s.skill_id, s.name
), agent AS (
  SELECT a.agent_def_id, a.name, a.service_id, a.env_tag, array_agg(x.skill_id ORDER BY x.skill_id) AS skills
  FROM agent_skill_read x
  JOIN agent_read a ON a.host_id = x.host_id AND a.agent_def_id = x.agent_def_id
  WHERE x.host_id = $1::uuid AND x.active AND a.active AND x.skill_id IN (SELECT skill_id FROM seen)
    AND ($3::text[] IS NULL OR a.service_id = ANY ($3::text[])) AND a.env_tag = ANY ($4::text[])
    AND ($5::uuid[] IS NULL OR a.agent_def_id = ANY ($5::uuid[]))
  GROUP BY a.agent_def_id, a.name, a.service_id, a.env_tag
)
SELECT
  (SELECT coalesce(json_agg(json_build_object('skillId', skill_id, 'name', name, 'tools', tools)
       ORDER BY name COLLATE "C", skill_id), '[]') FROM seen) AS skills,
  (SELECT coalesce(json_agg(json_build_object('agentDefId', agent_def_id, 'name', name, 'serviceId', service_id,
       'envTag', env_tag, 'skillIds', skills) ORDER BY name COLLATE "C", agent_def_id), '[]') FROM agent) AS agents`;

@Injectable()
export class ImpactQuery extends ImpactLookup {
  async of(sql: Sql, visibility: Visibility, { kind, id }: ImpactSubject): Promise<Impact> {
    const { hostId, services, environments, tiers, within } = visibility;
    const [impact] = await sql.query<Impact>(statement, [
      ...[hostId, kind, kind === 'api' ? null : id],
      ...[services === 'all' ? null : services, environments, tiers === 'all' ? null : tiers],
      ...[within?.agentDefIds ?? null, within?.skillIds ?? null, within?.toolIds ?? null],
      kind === 'api' ? id : null,
    ]);
    if (impact === undefined) throw new Error('A select without FROM gives one row.');
    return impact;
  }

  async reach(sql: Sql, visibility: Visibility, endpointIds: readonly string[]): Promise<Reach> {
    if (endpointIds.length === 0) return { skills: [], agents: [] };
    const { hostId, services, environments, within } = visibility;
    const [reach] = await sql.query<Reach>(reachStatement, [
      ...[hostId, endpointIds, services === 'all' ? null : services, environments],
      ...[within?.agentDefIds ?? null, within?.skillIds ?? null],
    ]);
    return reach ?? { skills: [], agents: [] };
  }
}
