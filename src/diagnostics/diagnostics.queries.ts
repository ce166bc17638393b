import { Conditions, coveredSql } from '../platform/database/conditions.js';
import type { Sql } from '../kernel/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { listPage } from '../platform/database/page.js';
import type { AilingSkill, DiagnosticsQuery } from './diagnostics.schemas.js';

const covers = (alias: string): string =>
  `${coveredSql(alias, 'services', '$2::text[]', true)} AND ${coveredSql(alias, 'environments', '$3::text[]')}`;

const asked = (alias: string): string => `($4::uuid IS NULL OR ${alias}.skill_id = $4)`;

/**
 * Active skills with tools that can't be called, or could not when a gateway was last checked. Parameters: $1 host, $2
 * services (null: all) and $3 environments that the token covers, $4 the skill that is asked for, active or not (null: all). Columns: host_id, skill_id, name, tools, agents.
 *
 * A tool has a problem where it is off or retired, where its endpoint or one that it calls is off, where its API does not take its operation, where there are gateways in its environment
 * and none, covered or not, exposes it, and where a gateway that exposes it did not list it, would block it, lists it with
 * a schema that breaks callers, or could not be asked; and where the version that a link takes is deprecated, and its day has passed
 * or comes within 30 days.
 */
const ailingSkills = `(
  WITH gateway AS (
    SELECT gateway_id, env_tag FROM gateway_read
    WHERE host_id = $1 AND active AND ${covers('gateway_read')}
  ), tool AS (
    SELECT t.tool_id, t.name, t.version, t.env_tag, t.own_active AS active, t.lifecycle_status, t.call_fault ->> 'code' AS unfit,
      coalesce(e.inactive_part, (
        SELECT coalesce(c.inactive_part, 'endpoint') FROM unnest(t.call_endpoints) AS called (id)
        LEFT JOIN endpoint_read c ON c.host_id = t.host_id AND c.endpoint_id = called.id
        WHERE c.active IS NOT TRUE ORDER BY 1 LIMIT 1)) AS inactive_part
    FROM tool_read t LEFT JOIN endpoint_read e ON e.host_id = t.host_id AND e.endpoint_id = t.endpoint_id
    WHERE t.host_id = $1 AND ${covers('t')}
      AND EXISTS (SELECT FROM skill_tool_read l WHERE l.host_id = t.host_id AND l.tool_id = t.tool_id AND l.active AND ${asked('l')})
  ), exposure AS (
    SELECT x.tool_id, x.gateway_id, d.failure, d.findings
    FROM tool_exposure_read x
    JOIN gateway g ON g.gateway_id = x.gateway_id
    LEFT JOIN gateway_drift_read d ON d.host_id = x.host_id AND d.gateway_id = x.gateway_id
    WHERE x.host_id = $1 AND x.active
  ), problem AS (
    SELECT tool_id, 'tool_inactive' AS code, NULL::uuid AS gateway_id, NULL AS version FROM tool WHERE NOT active
    UNION ALL
    SELECT tool_id, inactive_part || '_inactive', NULL, NULL FROM tool WHERE active AND inactive_part IS NOT NULL
    UNION ALL
    SELECT tool_id, unfit, NULL, version FROM tool WHERE active AND unfit IS NOT NULL
    UNION ALL
    SELECT tool_id, 'lifecycle_retired', NULL, NULL FROM tool WHERE lifecycle_status = 'retired'
    UNION ALL
    SELECT t.tool_id, 'not_exposed', NULL, NULL FROM tool t
    WHERE EXISTS (SELECT FROM gateway g WHERE t.env_tag IS NULL OR g.env_tag = t.env_tag)
      AND NOT EXISTS (SELECT FROM tool_exposure_read x
        JOIN gateway_read g ON g.host_id = x.host_id AND g.gateway_id = x.gateway_id
        WHERE x.host_id = $1 AND x.tool_id = t.tool_id AND x.active AND g.active)
    UNION ALL
    SELECT x.tool_id, x.failure ->> 'code', x.gateway_id, NULL FROM exposure x WHERE x.failure IS NOT NULL
    UNION ALL
    SELECT x.tool_id, f.finding, x.gateway_id, f.version
    FROM exposure x
    CROSS JOIN jsonb_to_recordset(x.findings) AS f ("toolId" uuid, finding text, grade text, version text)
    WHERE f."toolId" = x.tool_id AND (f.finding IN ('missing_from_gateway', 'policy_blocked') OR f.grade = 'breaking')
  ), met AS (
    SELECT l.skill_id, t.tool_id, t.name, p.code, p.gateway_id, NULL AS version, NULL AS day
    FROM tool t
    JOIN problem p ON p.tool_id = t.tool_id
    JOIN skill_tool_read l ON l.host_id = $1 AND l.tool_id = t.tool_id AND l.active AND ${asked('l')}
      AND (p.version IS NULL OR CASE WHEN l.range_from IS NULL THEN p.version = t.version
        ELSE version_key(p.version) COLLATE "C" >= version_key(l.range_from)
          AND version_key(p.version) COLLATE "C" < version_key(l.range_before) END)
    UNION ALL
    SELECT l.skill_id, t.tool_id, t.name, CASE WHEN v.deprecation -> 'overdue' IS NULL THEN 'version_ends_soon' ELSE 'version_overdue' END,
      NULL, v.version, v.deprecation ->> 'on'
    FROM tool t
    JOIN skill_tool_read l ON l.host_id = $1 AND l.tool_id = t.tool_id AND l.active AND ${asked('l')}
    JOIN skill_tool_version_read k ON k.host_id = $1 AND k.skill_id = l.skill_id AND k.tool_id = t.tool_id
    JOIN tool_version_read v ON v.host_id = $1 AND v.tool_id = t.tool_id AND v.version = k.version
    WHERE (v.deprecation ->> 'on') COLLATE "C" <= to_char((now() AT TIME ZONE 'UTC') + interval '30 days', 'YYYY-MM-DD') COLLATE "C"
  ), ailing AS (
    SELECT skill_id, tool_id, name, jsonb_agg(
      jsonb_strip_nulls(jsonb_build_object('code', code, 'gatewayId', gateway_id, 'version', version, 'on', day))
      ORDER BY code, gateway_id) AS problems
    FROM met GROUP BY skill_id, tool_id, name
  )
  SELECT s.host_id, s.skill_id, s.name, jsonb_agg(
      jsonb_build_object('toolId', a.tool_id, 'toolName', a.name, 'problems', a.problems)
      ORDER BY a.name COLLATE "C", a.tool_id) AS tools,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('agentDefId', g.agent_def_id, 'name', g.name,
         'serviceId', g.service_id, 'envTag', g.env_tag) ORDER BY g.name COLLATE "C", g.agent_def_id), '[]')
     FROM agent_skill_read k JOIN agent_read g ON g.host_id = k.host_id AND g.agent_def_id = k.agent_def_id
     WHERE k.host_id = s.host_id AND k.skill_id = s.skill_id AND k.active AND g.active AND ${covers('g')}) AS agents
  FROM skill_read s
  JOIN ailing a ON a.skill_id = s.skill_id
  WHERE s.host_id = $1 AND (s.active OR $4::uuid IS NOT NULL)
  GROUP BY s.host_id, s.skill_id, s.name) AS ailing_skill`;

interface AilingSkillPage {
  readonly items: AilingSkill[];
  readonly nextCursor?: string;
}

interface Row extends Pick<AilingSkill, 'tools' | 'agents' | 'name'> {
  readonly skill_id: string;
}

export async function diagnoseSkills(
  sql: Sql,
  { hostId, services, environments }: Visibility,
  { skillId, ...page }: DiagnosticsQuery,
): Promise<AilingSkillPage> {
  // The conditions only bind $1 to $4 of the statement.
  const where = new Conditions()
    .add('host_id = ?', hostId)
    .add('?::text[] IS NULL OR true', services === 'all' ? null : services)
    .add('?::text[] IS NOT NULL', environments)
    .add('?::uuid IS NULL OR true', skillId ?? null);
  const { rows, ...next } = await listPage<Row>(sql, {
    ...{ select: '*', from: ailingSkills, where, text: 'name', id: 'skill_id', ...page },
  });
  return {
    items: rows.map(({ skill_id: skillId, name, tools, agents }) => ({ skillId, name, tools, agents })),
    ...next,
  };
}
