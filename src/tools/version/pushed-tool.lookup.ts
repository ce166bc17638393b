/** Which tool a spec is of. */
import { RuleBroken } from '../../kernel/errors.js';
import type { Sql } from '../../kernel/sql.js';
import type { Writer } from '../../platform/use-cases/use-case.js';
import type { ToolSpec } from '../../registry/shared.js';
import { visibleTools } from '../tool/tools.filter.js';

interface KnownTool {
  readonly toolId: string;
  readonly aggregateVersion: number;
  readonly serviceId: string | null;
  readonly active: boolean;
  readonly holdsName: boolean;
}

interface Wanted extends Pick<ToolSpec, 'name' | 'host'> {
  readonly envTag: string | null;
}

/**
 * The tool of the name that the spec's host runs, of any where the spec names none; active before inactive. Undefined where there is none.
 *
 * @throws RuleBroken `tool_ambiguous`, and `tool_of_other_host` where the name is that of a tool which another service runs
 */
export async function pushedTool(
  sql: Sql,
  { visibility }: Writer,
  { name, host, envTag }: Wanted,
): Promise<KnownTool | undefined> {
  const where = visibleTools(visibility).add('name = ?', name);
  if (envTag !== null) where.add('env_tag IS NULL OR env_tag = ?', envTag);
  const found = await sql.query<KnownTool>(
    `SELECT tool_id AS "toolId", aggregate_version AS "aggregateVersion", service_id AS "serviceId", active,
            EXISTS (SELECT FROM tool_name_t n WHERE n.host_id = tool_t.host_id AND n.tool_id = tool_t.tool_id) AS "holdsName"
     FROM tool_t ${where.sql()} ORDER BY tool_id`,
    where.values,
  );
  const fitting = found.filter(({ serviceId }) => host === null || serviceId === host);
  const active = fitting.filter((tool) => tool.active);
  const [tool, ...others] = active.length > 0 ? active : fitting;
  if (others.length > 0) throw ambiguous(name, fitting);
  const holder = found.find((each) => each.holdsName);
  if (tool === undefined && holder !== undefined) throw ofOtherHost(name, host, holder);
  return tool;
}

function ambiguous(name: string, tools: readonly KnownTool[]): RuleBroken {
  const ids = tools.map(({ toolId }) => toolId).join(', ');
  const detail =
    `Several tools are called ${name}: ${ids}. Name the host of one in the spec, or its environment with envTag, or write its version ` +
    'with POST …/tools/{toolId}/versions.';
  return new RuleBroken('tool_ambiguous', detail);
}

function ofOtherHost(name: string, host: string | null, { toolId, serviceId }: KnownTool): RuleBroken {
  const run = serviceId === null ? 'no service' : serviceId;
  const detail =
    `The spec names ${String(host)} as its host, and ${name} (${toolId}) is run by ${run}: that never changes. ` +
    'Put its host back, or give the tool of the other host another name.';
  return new RuleBroken('tool_of_other_host', detail);
}
