import { Inject, Injectable } from '@nestjs/common';
import { ImpactLookup } from '../../endpoints/public.js';
import type { Impact } from '../../endpoints/shared.js';
import type { Sql } from '../../kernel/sql.js';
import type { Visibility } from '../../platform/auth/visibility.js';
import { visibleRows } from '../../platform/database/conditions.js';
import { compareVersions } from '../../registry/shared.js';
import { type KnownVersion, versionStatesOf } from '../tool/tool-versions.lookup.js';
import { type MovedLink, type OfferingGateway, VersionLinks } from './version-links.port.js';

/** Whom another choice of live versions gives another version of a tool, or none. */
export interface Moves extends Pick<Impact, 'agents'> {
  readonly skills: readonly MovedLink[];
  /** Those that offer the tool, whether or not anything moves. */
  readonly gateways: readonly OfferingGateway[];
}

/** Says what an approval or a retirement moves, before it does. */
@Injectable()
export class VersionMoves {
  constructor(
    @Inject(VersionLinks) private readonly links: VersionLinks,
    @Inject(ImpactLookup) private readonly impacts: ImpactLookup,
  ) {}

  /** @param live the versions that agents may be given before and after, newest first */
  async between(
    sql: Sql,
    visibility: Visibility,
    toolId: string,
    live: { readonly before: readonly string[]; readonly after: readonly string[] },
  ): Promise<Moves> {
    const skills = await this.links.moved(sql, visibility, toolId, live);
    const moved = new Set(skills.map(({ skillId }) => skillId));
    const { agents } = await this.impacts.of(sql, visibility, { kind: 'tool', id: toolId });
    const gateways = await this.links.gateways(sql, visibility, toolId);
    return {
      ...{ skills, gateways },
      agents: agents.filter(({ skillIds }) => skillIds.some((id) => moved.has(id))),
    };
  }

  /**
   * What the approval of a version moves.
   *
   * @param versions of its tool
   */
  async byApproval(
    sql: Sql,
    visibility: Visibility,
    { toolId, version, origin }: Pick<KnownVersion, 'toolId' | 'version' | 'origin'>,
    versions: readonly KnownVersion[],
  ): Promise<Moves> {
    const before = versions
      .filter(({ state }) => state === 'approved' || state === 'deprecated')
      .map((live) => live.version);
    const isOnlyOne = origin === 'source' && (await isWithheld(sql, visibility, toolId));
    const after = isOnlyOne
      ? [version]
      : [...before, version].sort((one, other) => compareVersions(other, one));
    return this.between(sql, visibility, toolId, { before, after });
  }

  /** What the retirement of a version moves: where links took it, back to an older one, or to none. */
  async byRetirement(
    sql: Sql,
    visibility: Visibility,
    { toolId, version }: { readonly toolId: string; readonly version: string },
  ): Promise<Moves> {
    const all = (await versionStatesOf(sql, visibility.hostId, [toolId])).get(toolId) ?? [];
    const before = all
      .filter(({ state }) => state === 'approved' || state === 'deprecated')
      .map((live) => live.version);
    const after = before.filter((other) => other !== version);
    return this.between(sql, visibility, toolId, { before, after });
  }
}

/** Whether the former version can't be called any more: approving the one that waits then ends the earlier ones. */
async function isWithheld(sql: Sql, visibility: Visibility, toolId: string): Promise<boolean> {
  const where = visibleRows(visibility).add('tool_id = ? AND quarantine', toolId);
  return (await sql.query(`SELECT FROM tool_read ${where.sql()}`, where.values)).length > 0;
}
