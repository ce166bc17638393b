import type { Sql } from '../kernel/sql.js';
import type { KeptCall } from '../registry/shared.js';
import { type VersionLinks, versionsOf } from '../tools/public.js';

type JsonSchema = Readonly<Record<string, unknown>>;

/** A version that a gateway serves beside the newest, since skills keep to it. */
export interface LiveVersion {
  readonly version: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema | null;
  readonly call: KeptCall | null;
  /** Names of the skills that keep to it. */
  readonly skills: readonly string[];
}

/** For each of the tools that has some: the versions beside its newest that agents are given, newest first. */
export async function liveVersionsOf(
  sql: Sql,
  hostId: string,
  toolIds: readonly string[],
  links: VersionLinks,
): Promise<ReadonlyMap<string, readonly LiveVersion[]>> {
  const kept = await links.kept(sql, hostId, toolIds);
  const ids = [...new Set(kept.map(({ toolId }) => toolId))];
  const known =
    ids.length === 0 ? [] : await versionsOf(sql, hostId, ids, { states: ['approved', 'deprecated'] });
  const contents = new Map(known.map(({ toolId, version, content }) => [`${toolId} ${version}`, content]));
  const live = new Map<string, LiveVersion[]>();
  for (const { toolId, version, skills } of kept) {
    const content = contents.get(`${toolId} ${version}`);
    if (content === undefined) continue;
    const { description, inputSchema, outputSchema = null, call = null } = content;
    const own = live.get(toolId) ?? [];
    own.push({
      version,
      ...{ description, inputSchema, outputSchema, call, skills },
    });
    live.set(toolId, own);
  }
  return live;
}
