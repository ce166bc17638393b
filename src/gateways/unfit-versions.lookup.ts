import type { Sql } from '../kernel/sql.js';
import { type CallFault, type VersionLinks, versionsOf } from '../tools/public.js';

/** A version that agents may be given, whose operation does not fit the schema of its API any more. */
export interface UnfitVersion extends CallFault {
  readonly version: string;
  /** Names of the skills that take it. */
  readonly skills: readonly string[];
}

/** For each of the tools that has some, newest first. */
export async function unfitVersionsOf(
  sql: Sql,
  hostId: string,
  toolIds: readonly string[],
  links: VersionLinks,
): Promise<ReadonlyMap<string, readonly UnfitVersion[]>> {
  const rows = await sql.query<{ readonly id: string }>(
    `SELECT DISTINCT tool_id AS id FROM tool_version_read
     WHERE host_id = $1 AND tool_id = ANY($2::uuid[]) AND call_fault IS NOT NULL`,
    [hostId, toolIds],
  );
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const taken = await links.takers(sql, hostId, ids);
  const takers = new Map(taken.map(({ toolId, version, skills }) => [`${toolId} ${version}`, skills]));
  const unfit = new Map<string, UnfitVersion[]>();
  for (const known of await versionsOf(sql, hostId, ids, { states: ['approved', 'deprecated'] })) {
    const { toolId, version, callFault } = known;
    if (callFault === null) continue;
    const own = unfit.get(toolId) ?? [];
    own.push({ version, ...callFault, skills: takers.get(`${toolId} ${version}`) ?? [] });
    unfit.set(toolId, own);
  }
  return unfit;
}
