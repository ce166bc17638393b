import type { Sql } from '../kernel/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { coveredSql } from '../platform/database/conditions.js';
import type { ExposureImpact } from './exposure-impact.schemas.js';

/**
 * $1 host · $2 gateway · $3 the tools that it is to expose · what the reader sees: $4 services (null: all) and $5 environments.
 *
 * A tool reaches an agent where one of its gateways exposes it: those that its profile names, else those of its environment. So what is
 * taken off here is lost where no other one has it, and what is added is gained where none had it. Tools that the token does not
 * cover stay, as they do when the selection is written.
 */
const statement = `
WITH gateway AS (
  SELECT gateway_id, env_tag FROM gateway_read WHERE host_id = $1::uuid AND gateway_id = $2::uuid AND active
), present AS (
  SELECT tool_id FROM tool_exposure_read WHERE host_id = $1::uuid AND gateway_id = $2::uuid AND active
), changed AS MATERIALIZED (
  SELECT t.tool_id, t.name, t.tool_id = ANY ($3::uuid[]) AS added
  FROM tool_read t
  WHERE t.host_id = $1::uuid AND (t.tool_id = ANY ($3::uuid[])) <> (t.tool_id IN (SELECT tool_id FROM present))
    AND (t.tool_id = ANY ($3::uuid[]) OR t.tool_id IN (SELECT tool_id FROM present))
    AND ${coveredSql('t', 'services', '$4::text[]', true)} AND ${coveredSql('t', 'environments', '$5::text[]')}
), served AS (
  SELECT a.agent_def_id, a.name, a.service_id, a.env_tag, a.gateway_ids
  FROM agent_read a, gateway g
  WHERE a.host_id = $1::uuid AND a.active
    AND CASE WHEN cardinality(a.gateway_ids) > 0 THEN g.gateway_id::text = ANY (a.gateway_ids) ELSE g.env_tag = a.env_tag END
    AND ${coveredSql('a', 'services', '$4::text[]', true)} AND ${coveredSql('a', 'environments', '$5::text[]')}
), hit AS MATERIALIZED (
  SELECT DISTINCT a.agent_def_id, a.name AS agent, a.service_id, a.env_tag, s.skill_id, s.name AS skill, c.tool_id, c.name AS tool, c.added
  FROM served a
  JOIN agent_skill_read k ON k.host_id = $1::uuid AND k.agent_def_id = a.agent_def_id AND k.active
  JOIN skill_read s ON s.host_id = k.host_id AND s.skill_id = k.skill_id AND s.active
  JOIN skill_tool_read l ON l.host_id = k.host_id AND l.skill_id = k.skill_id AND l.active
  JOIN changed c ON c.tool_id = l.tool_id
  JOIN tool_read t ON t.host_id = k.host_id AND t.tool_id = c.tool_id AND t.active
  WHERE NOT EXISTS (
    SELECT FROM tool_exposure_read x
    JOIN gateway_read g ON g.host_id = x.host_id AND g.gateway_id = x.gateway_id AND g.active
    WHERE x.host_id = $1::uuid AND x.tool_id = c.tool_id AND x.active AND x.gateway_id <> $2::uuid
      AND CASE WHEN cardinality(a.gateway_ids) > 0 THEN x.gateway_id::text = ANY (a.gateway_ids) ELSE g.env_tag = a.env_tag END)
), agent AS (
  SELECT agent_def_id, agent, service_id, env_tag,
    coalesce(array_agg(DISTINCT tool) FILTER (WHERE NOT added), '{}') AS loses,
    coalesce(array_agg(DISTINCT tool) FILTER (WHERE added), '{}') AS gains
  FROM hit GROUP BY agent_def_id, agent, service_id, env_tag
)
SELECT
  (SELECT coalesce(json_agg(json_build_object('toolId', tool_id, 'name', name) ORDER BY name COLLATE "C", tool_id), '[]')
   FROM changed WHERE added) AS added,
  (SELECT coalesce(json_agg(json_build_object('toolId', tool_id, 'name', name) ORDER BY name COLLATE "C", tool_id), '[]')
   FROM changed WHERE NOT added) AS removed,
  (SELECT coalesce(json_agg(json_build_object('skillId', skill_id, 'name', skill) ORDER BY skill COLLATE "C", skill_id), '[]')
   FROM (SELECT DISTINCT skill_id, skill FROM hit WHERE NOT added) AS s) AS skills,
  (SELECT coalesce(json_agg(json_build_object('agentDefId', agent_def_id, 'name', agent, 'serviceId', service_id, 'envTag', env_tag,
       'loses', loses, 'gains', gains) ORDER BY agent COLLATE "C", agent_def_id), '[]') FROM agent) AS agents`;

/** What a selection of tools would change at a gateway that is there, and for whom. */
export async function exposureImpact(
  sql: Sql,
  visibility: Visibility,
  { gatewayId, toolIds }: { readonly gatewayId: string; readonly toolIds: readonly string[] },
): Promise<ExposureImpact> {
  const { hostId, services, environments } = visibility;
  const [impact] = await sql.query<ExposureImpact>(statement, [
    ...[hostId, gatewayId, toolIds, services === 'all' ? null : services, environments],
  ]);
  if (impact === undefined) throw new Error('A select without FROM gives one row.');
  return impact;
}
