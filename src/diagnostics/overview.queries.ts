import type { Sql } from '../kernel/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { type Conditions, visibleRows } from '../platform/database/conditions.js';
import type { OverviewAnswer } from './overview.schemas.js';

type Begun = OverviewAnswer['begun'];

const confined = {
  apiVersions: { confined: ['api_version_id', ({ apiVersionIds }) => apiVersionIds] },
  endpoints: { confined: ['endpoint_id', ({ endpointIds }) => endpointIds] },
  tools: {
    limits: ['services', 'environments', 'tiers'],
    confined: ['tool_id', ({ toolIds }) => toolIds],
  },
  skills: { limits: [], confined: ['skill_id', ({ skillIds }) => skillIds] },
  agents: { confined: ['agent_def_id', ({ agentDefIds }) => agentDefIds] },
} as const satisfies Readonly<Record<string, Parameters<typeof visibleRows>[1]>>;

/** What is counted of each kind: from what, and which rows of it that are active the token covers. */
const kinds = {
  apis: [
    'count(DISTINCT api_id)',
    'api_version_read',
    (seen) => visibleRows(seen, confined.apiVersions).add("active AND api_type <> 'agent'"),
  ],
  endpoints: ['count(*)', 'endpoint_read', (seen) => visibleRows(seen, confined.endpoints).add('active')],
  tools: ['count(*)', 'tool_read', (seen) => visibleRows(seen, confined.tools).add('active')],
  skills: ['count(*)', 'skill_read', (seen) => visibleRows(seen, confined.skills).add('active')],
  agents: ['count(*)', 'agent_read', (seen) => visibleRows(seen, confined.agents).add('active')],
  gateways: ['count(*)', 'gateway_read', (seen) => visibleRows(seen).add('active')],
  assignments: [
    'count(*)',
    `agent_skill_read k JOIN agent_read a ON a.host_id = k.host_id AND a.agent_def_id = k.agent_def_id
     JOIN skill_read s ON s.host_id = k.host_id AND s.skill_id = k.skill_id`,
    (seen) => visibleRows(seen, { alias: 'a', ...confined.agents }).add('a.active AND k.active AND s.active'),
  ],
  exposures: [
    'count(DISTINCT x.tool_id)',
    `tool_exposure_read x JOIN gateway_read g ON g.host_id = x.host_id AND g.gateway_id = x.gateway_id
     JOIN tool_read t ON t.host_id = x.host_id AND t.tool_id = x.tool_id`,
    (seen) => visibleRows(seen, { alias: 't', ...confined.tools }).add('g.active AND x.active AND t.active'),
  ],
} as const satisfies Readonly<
  Record<keyof OverviewAnswer['counts'], readonly [string, string, (seen: Visibility) => Conditions]>
>;

/** How much of each kind is active. */
export async function countsOf(sql: Sql, visibility: Visibility): Promise<OverviewAnswer['counts']> {
  const counts: Record<keyof typeof kinds, number> = {
    ...{ apis: 0, endpoints: 0, tools: 0, skills: 0, agents: 0, gateways: 0, assignments: 0, exposures: 0 },
  };
  for (const kind of Object.keys(kinds) as (keyof typeof kinds)[]) {
    const [counted, from, seen] = kinds[kind];
    const where = seen(visibility);
    const [row] = await sql.query<{ readonly count: number }>(
      `SELECT ${counted}::int AS count FROM ${from} ${where.sql()}`,
      [...where.values],
    );
    counts[kind] = row?.count ?? 0;
  }
  return counts;
}

/** What somebody has begun with and may go on with. */
export async function begunOf(sql: Sql, visibility: Visibility): Promise<Begun> {
  const idle = visibleRows(visibility, confined.skills).add('NOT active');
  const [inactiveSkill = null] = await sql.query<NonNullable<Begun['inactiveSkill']>>(
    `SELECT skill_id AS "skillId", name FROM skill_read ${idle.sql()} ORDER BY position DESC LIMIT 1`,
    [...idle.values],
  );
  const own = visibleRows(visibility, { alias: 'a', ...confined.agents }).add('a.active');
  const [agent = null] = await sql.query<NonNullable<Begun['agent']>>(
    `SELECT a.agent_def_id AS "agentDefId", a.name, (
       SELECT count(*)::int FROM agent_skill_read k
       JOIN skill_read s ON s.host_id = k.host_id AND s.skill_id = k.skill_id AND s.active
       WHERE k.host_id = a.host_id AND k.agent_def_id = a.agent_def_id AND k.active) AS skills
     FROM agent_read a ${own.sql()} ORDER BY a.position DESC LIMIT 1`,
    [...own.values],
  );
  return { inactiveSkill, agent };
}

/** Which of these changed tools agents are not given: those under a quarantine. */
export async function withheldAmong(
  sql: Sql,
  hostId: string,
  toolIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await sql.query<{ readonly id: string }>(
    `SELECT t.tool_id AS id FROM tool_read t
     LEFT JOIN endpoint_read e ON e.host_id = t.host_id AND e.endpoint_id = t.endpoint_id
     WHERE t.host_id = $1 AND t.tool_id = ANY($2::uuid[]) AND (t.quarantine OR e.quarantine)`,
    [hostId, toolIds],
  );
  return new Set(rows.map(({ id }) => id));
}
