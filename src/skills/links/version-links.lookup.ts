import { Injectable } from '@nestjs/common';
import type { Sql } from '../../kernel/sql.js';
import type { Visibility } from '../../platform/auth/visibility.js';
import { rangeTakes } from '../../registry/shared.js';
import { type MovedLink, VersionLinks } from '../../tools/public.js';

/** Says which links of skills take which version of a tool. */
@Injectable()
export class SkillVersionLinks extends VersionLinks {
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
    const taken = (range: string | null, versions: readonly string[]): string | null =>
      versions.find((version) => range === null || rangeTakes(range, version)) ?? null;
    return links
      .map((link) => ({ ...link, from: taken(link.range, live.before), to: taken(link.range, live.after) }))
      .filter(({ from, to }) => from !== to);
  }
}
