import { Injectable } from '@nestjs/common';
import type { Sql } from '../../kernel/sql.js';
import type { Visibility } from '../../platform/auth/visibility.js';
import { visibleRows } from '../../platform/database/conditions.js';
import { partsOf } from '../../registry/shared.js';
import { type KeptVersion, type MovedLink, type OfferingGateway, VersionLinks } from '../../tools/public.js';
import { takenBy } from './skill-tool.rules.js';

/** Says which links of skills take which version of a tool. */
@Injectable()
export class SkillVersionLinks extends VersionLinks {
  override async gateways(
    sql: Sql,
    visibility: Visibility,
    toolId: string,
  ): Promise<readonly OfferingGateway[]> {
    const where = visibleRows(visibility).add('e.tool_id = ? AND e.active', toolId);
    return sql.query<OfferingGateway>(
      `SELECT g.gateway_id AS "gatewayId", g.service_id AS "serviceId", g.env_tag AS "envTag"
       FROM tool_exposure_read e
       JOIN gateway_read g USING (host_id, gateway_id) ${where.sql()} AND g.active
       ORDER BY g.service_id COLLATE "C", g.gateway_id`,
      where.values,
    );
  }

  override async moved(
    sql: Sql,
    { hostId }: Visibility,
    toolId: string,
    live: { readonly before: readonly string[]; readonly after: readonly string[] },
  ): Promise<readonly MovedLink[]> {
    const links = await sql.query<Pick<MovedLink, 'skillId' | 'skillName' | 'range'>>(
      `SELECT l.skill_id AS "skillId", s.name AS "skillName", l.range
       FROM skill_tool_t l JOIN skill_t s ON s.host_id = l.host_id AND s.skill_id = l.skill_id
       WHERE l.host_id = $1 AND l.tool_id = $2 AND l.active ORDER BY s.name COLLATE "C", s.skill_id`,
      [hostId, toolId],
    );
    return links
      .map((link) => {
        const from = takenBy(link.range, live.before);
        return { ...link, from, to: takenBy(link.range ?? keptMajor(from, live.after[0]), live.after) };
      })
      .filter(({ from, to }) => from !== to);
  }

  override async kept(sql: Sql, hostId: string, toolIds: readonly string[]): Promise<readonly KeptVersion[]> {
    return sql.query<KeptVersion>(
      `SELECT t.tool_id AS "toolId", v.version, array_agg(s.name ORDER BY s.name COLLATE "C") AS skills
       FROM skill_tool_t l
       JOIN skill_t s ON s.host_id = l.host_id AND s.skill_id = l.skill_id AND s.active
       JOIN tool_read t ON t.host_id = l.host_id AND t.tool_id = l.tool_id
       JOIN LATERAL (
         SELECT version FROM tool_version_read
         WHERE host_id = l.host_id AND tool_id = l.tool_id
           AND version_key(version) COLLATE "C" >= version_key(l.range_from)
           AND version_key(version) COLLATE "C" < version_key(l.range_before)
         ORDER BY version_key(version) COLLATE "C" DESC LIMIT 1) v ON v.version <> t.version
       WHERE l.host_id = $1 AND l.tool_id = ANY($2::uuid[]) AND l.active AND l.range_from IS NOT NULL AND t.approved
       GROUP BY t.tool_id, v.version
       ORDER BY t.tool_id, version_key(v.version) COLLATE "C" DESC`,
      [hostId, toolIds],
    );
  }

  override async takers(
    sql: Sql,
    hostId: string,
    toolIds: readonly string[],
  ): Promise<readonly KeptVersion[]> {
    return sql.query<KeptVersion>(
      `SELECT v.tool_id AS "toolId", v.version, array_agg(s.name ORDER BY s.name COLLATE "C") AS skills
       FROM skill_tool_t l
       JOIN skill_t s ON s.host_id = l.host_id AND s.skill_id = l.skill_id AND s.active
       JOIN LATERAL (
         SELECT tool_id, version FROM tool_version_read
         WHERE host_id = l.host_id AND tool_id = l.tool_id AND (l.range_from IS NULL
           OR version_key(version) COLLATE "C" >= version_key(l.range_from)
              AND version_key(version) COLLATE "C" < version_key(l.range_before))
         ORDER BY version_key(version) COLLATE "C" DESC LIMIT 1) v ON true
       WHERE l.host_id = $1 AND l.tool_id = ANY($2::uuid[]) AND l.active
       GROUP BY v.tool_id, v.version`,
      [hostId, toolIds],
    );
  }
}

/** The range that a link without one is given where the newest version has a higher major. */
function keptMajor(from: string | null, newest: string | undefined): string | null {
  if (from === null || newest === undefined) return null;
  const [major] = partsOf(from);
  return partsOf(newest)[0] > major ? `^${String(major)}` : null;
}
