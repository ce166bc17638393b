import type { Sql } from '../kernel/sql.js';
import type { KeptCall, KeptComposite } from '../registry/shared.js';
import { type VersionLinks, versionsOf } from '../tools/public.js';

type JsonSchema = Readonly<Record<string, unknown>>;

/** A version that a gateway serves beside the newest, since skills keep to it. */
export interface LiveVersion {
  readonly version: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema | null;
  readonly call: KeptCall | KeptComposite | null;
  /** Names of the skills that keep to it. */
  readonly skills: readonly string[];
}

/** Tells which of the endpoints are off, or not there. */
async function endpointsOff(
  sql: Sql,
  hostId: string,
  endpointIds: readonly string[],
): Promise<(endpointId: string) => boolean> {
  if (endpointIds.length === 0) return () => false;
  const rows = await sql.query<{ readonly id: string }>(
    'SELECT endpoint_id AS id FROM endpoint_read WHERE host_id = $1 AND active AND endpoint_id = ANY($2::uuid[])',
    [hostId, endpointIds],
  );
  const active = new Set(rows.map(({ id }) => id));
  return (endpointId) => !active.has(endpointId);
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
  const isOff = await endpointsOff(
    sql,
    hostId,
    known.flatMap(({ content }) => content.call?.endpointIds ?? []),
  );
  const callable = known.filter(
    ({ content, callFault }) =>
      callFault?.code !== 'operation_unfit' && !(content.call?.endpointIds ?? []).some(isOff),
  );
  const contents = new Map(callable.map(({ toolId, version, content }) => [`${toolId} ${version}`, content]));
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

/** What a gateway is told of a tool: all but the last of its newest version. */
interface ServedTool {
  readonly version: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema | null;
  /** Whether that version is offered. */
  readonly active: boolean;
  /** Whether others may be: the tool itself is on, and not retired. */
  readonly isOn: boolean;
  readonly call?: KeptCall | KeptComposite | null;
  readonly versions: readonly LiveVersion[];
}

/** The tool as it is served: where nobody can call its newest version, as the newest that can be called and that skills keep to. */
export function asServed<Tool extends ServedTool>(tool: Tool): Tool {
  const [next, ...versions] = tool.versions;
  if (tool.active || !tool.isOn || next === undefined) return tool;
  const { version, description, inputSchema, outputSchema, call } = next;
  return { ...tool, active: true, version, description, inputSchema, outputSchema, call, versions };
}

/** Column of `tool_read t` beside `endpoint_read e`: see {@link ServedTool}. */
export const isOn = `t.own_active AND t.approved AND coalesce(e.active, true) AND t.lifecycle_status <> 'retired'`;
