import { createHash } from 'node:crypto';
import type { Database } from '../src/kernel/sql.js';
import { runQuery } from '../src/graph/graph.queries.js';
import { readQuery } from '../src/graph/graph.lookup.js';
import type { GraphScope } from '../src/graph/graph-scopes.service.js';
import { queryLimits } from '../src/graph/sql/statement.sql.js';
import { fillGraph, hostId } from './graph-world.js';
import { milliseconds, progress, report } from './harness.js';

const scope: GraphScope = { hostId, services: ['bench'], environments: ['dev'], tiers: 'all' };
const tools = 100_000;
const turns = 200;

/** A query, and what somebody would write who knows the tables; `$1` is the host. */
interface Comparison {
  readonly name: string;
  readonly query: (turn: number) => object;
  readonly sql: string;
  readonly values: (turn: number) => readonly unknown[];
}

const uuidOf = (text: string): string => {
  const hex = createHash('md5').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
};
const toolOf = (turn: number): string => uuidOf(`tool${String((((turn * 37) % 40_000) * 7_919) % tools)}`);
const skillOf = (turn: number): string => uuidOf(`skill${String((turn * 31) % 2_000)}`);
const agentOf = (turn: number): string => uuidOf(`version${String(1_000 + ((turn * 17) % 200))}`);
const node = (id: string, entity: string, more: object = {}) => ({ id, entity, columns: ['name'], ...more });

/** Whoever writes it by hand leaves out nothing that protects: what is active, and what the token covers. */
const covered = (alias: string): string =>
  `${alias}.active AND ${alias}.service_id IN ('bench') AND ${alias}.env_tag IN ('dev')`;

const comparisons: readonly Comparison[] = [
  {
    name: 'traversal, one node',
    query: (turn) => ({
      query_type: 'traversal',
      nodes: [node('t', 'Tool', { filters: { domain: `domain${String(turn % 100)}`, destructive: true } })],
      order_by: 't.name',
    }),
    sql: `SELECT t.tool_id, t.name FROM tool_t t
      WHERE t.host_id = $1 AND ${covered('t')} AND t.endpoint_active AND t.routing_domain = $2
        AND coalesce((t.tool_metadata #>> '{safety,destructive}') = 'true', false)
      ORDER BY t.name COLLATE "C", t.tool_id LIMIT 31`,
    values: (turn) => [`domain${String(turn % 100)}`],
  },
  {
    name: 'traversal, three nodes',
    query: (turn) => ({
      query_type: 'traversal',
      nodes: [
        node('a', 'Agent', { node_ids: [agentOf(turn)] }),
        node('s', 'Skill'),
        node('t', 'Tool', { filters: { readOnly: true } }),
      ],
      relationships: [
        { type: 'ASSIGNED', from: 'a', to: 's' },
        { type: 'USES_TOOL', from: 's', to: 't' },
      ],
    }),
    sql: `SELECT v.api_version_id, p.api_name, s.skill_id, s.name, t.tool_id, t.name
      FROM agent_definition_t a
      JOIN api_version_t v ON v.host_id = a.host_id AND v.api_version_id = a.agent_def_id
      JOIN api_t p ON p.host_id = v.host_id AND p.api_id = v.api_id
      JOIN agent_skill_t g ON g.host_id = a.host_id AND g.agent_def_id = a.agent_def_id AND g.active
      JOIN skill_t s ON s.host_id = g.host_id AND s.skill_id = g.skill_id AND s.active
      JOIN skill_tool_t l ON l.host_id = s.host_id AND l.skill_id = s.skill_id AND l.active
      JOIN tool_t t ON t.host_id = l.host_id AND t.tool_id = l.tool_id AND ${covered('t')} AND t.endpoint_active
        AND coalesce((t.tool_metadata #>> '{safety,readOnly}') = 'true', false)
      WHERE a.host_id = $1 AND a.agent_def_id = $2 AND ${covered('v')} AND p.active
      ORDER BY 1, 3, 5 LIMIT 31`,
    values: (turn) => [agentOf(turn)],
  },
  {
    name: 'traversal, two hops',
    query: (turn) => ({
      query_type: 'traversal',
      nodes: [node('t', 'Tool', { node_ids: [toolOf(turn)] }), node('a', 'Agent')],
      relationships: [
        { type: ['USES_TOOL', 'ASSIGNED'], from: 't', to: 'a', hops: [2, 2], direction: 'incoming' },
      ],
    }),
    sql: `SELECT t.tool_id, t.name, v.api_version_id, p.api_name, s.skill_id
      FROM tool_t t
      JOIN skill_tool_t l ON l.host_id = t.host_id AND l.tool_id = t.tool_id AND l.active
      JOIN skill_t s ON s.host_id = l.host_id AND s.skill_id = l.skill_id AND s.active
      JOIN agent_skill_t g ON g.host_id = s.host_id AND g.skill_id = s.skill_id AND g.active
      JOIN agent_definition_t a ON a.host_id = g.host_id AND a.agent_def_id = g.agent_def_id
      JOIN api_version_t v ON v.host_id = a.host_id AND v.api_version_id = a.agent_def_id AND ${covered('v')}
      JOIN api_t p ON p.host_id = v.host_id AND p.api_id = v.api_id AND p.active
      WHERE t.host_id = $1 AND t.tool_id = $2 AND ${covered('t')} AND t.endpoint_active
      ORDER BY 1, 3, 5 LIMIT 31`,
    values: (turn) => [toolOf(turn)],
  },
  {
    name: 'neighbors of a skill',
    query: (turn) => ({
      query_type: 'neighbors',
      nodes: [node('s', 'Skill', { node_ids: [skillOf(turn)] })],
      neighbors: {},
    }),
    sql: `SELECT 'Skill' AS type, s.skill_id AS id, s.name, s.description, s.version, NULL AS edge
        FROM skill_t s WHERE s.host_id = $1 AND s.skill_id = $2 AND s.active
      UNION ALL SELECT 'Tool', t.tool_id, t.name, t.description, t.version, 'USES_TOOL'
        FROM skill_tool_t l JOIN tool_t t ON t.host_id = l.host_id AND t.tool_id = l.tool_id
        WHERE l.host_id = $1 AND l.skill_id = $2 AND l.active AND ${covered('t')} AND t.endpoint_active
      UNION ALL SELECT 'Agent', v.api_version_id, p.api_name, a.max_sensitivity_tier, v.api_version, 'ASSIGNED'
        FROM agent_skill_t g JOIN agent_definition_t a ON a.host_id = g.host_id AND a.agent_def_id = g.agent_def_id
        JOIN api_version_t v ON v.host_id = a.host_id AND v.api_version_id = a.agent_def_id AND ${covered('v')}
        JOIN api_t p ON p.host_id = v.host_id AND p.api_id = v.api_id AND p.active
        WHERE g.host_id = $1 AND g.skill_id = $2 AND g.active
      UNION ALL SELECT 'Workflow', w.wf_def_id, w.name, w.namespace, w.version, 'USES_WORKFLOW'
        FROM skill_workflow_t l JOIN wf_definition_t w ON w.host_id = l.host_id AND w.wf_def_id = l.wf_def_id
        WHERE l.host_id = $1 AND l.skill_id = $2 AND l.active AND w.active
      UNION ALL SELECT 'Skill', o.skill_id, o.name, o.description, o.version, 'DEPENDS_ON'
        FROM skill_dependency_t d JOIN skill_t o ON o.host_id = d.host_id AND o.skill_id = d.depends_on_skill_id
        WHERE d.host_id = $1 AND d.skill_id = $2 AND d.active AND o.active
      UNION ALL SELECT 'Skill', o.skill_id, o.name, o.description, o.version, 'DEPENDS_ON'
        FROM skill_dependency_t d JOIN skill_t o ON o.host_id = d.host_id AND o.skill_id = d.skill_id
        WHERE d.host_id = $1 AND d.depends_on_skill_id = $2 AND d.active AND o.active
      UNION ALL SELECT 'Skill', o.skill_id, o.name, o.description, o.version, 'PARENT_OF'
        FROM skill_t s JOIN skill_t o ON o.host_id = s.host_id AND o.skill_id = s.parent_skill_id
        WHERE s.host_id = $1 AND s.skill_id = $2 AND o.active
      UNION ALL SELECT 'Skill', o.skill_id, o.name, o.description, o.version, 'PARENT_OF'
        FROM skill_t o WHERE o.host_id = $1 AND o.parent_skill_id = $2 AND o.active
      UNION ALL SELECT 'Category', c.category_id, c.category_name, c.entity_type, NULL, 'IN_CATEGORY'
        FROM entity_category_t e JOIN category_t c ON c.category_id = e.category_id AND c.active
        WHERE e.host_id = $1 AND e.entity_type = 'skill' AND e.entity_id = $2
          AND c.host_id IN ($1, '00000000-0000-0000-0000-000000000000')
      UNION ALL SELECT 'Tag', c.tag_id, c.tag_name, c.entity_type, NULL, 'HAS_TAG'
        FROM entity_tag_t e JOIN tag_t c ON c.tag_id = e.tag_id AND c.active
        WHERE e.host_id = $1 AND e.entity_type = 'skill' AND e.entity_id = $2
          AND c.host_id IN ($1, '00000000-0000-0000-0000-000000000000')
      LIMIT 31`,
    values: (turn) => [skillOf(turn)],
  },
  {
    name: 'path_finding, agent to endpoint',
    query: (turn) => ({
      query_type: 'path_finding',
      nodes: [
        node('a', 'Agent', { node_ids: [agentOfTool(turn)] }),
        node('e', 'Endpoint', { node_ids: [uuidOf(`endpoint${String(numberOf(turn))}`)] }),
      ],
      path: { from: 'a', to: 'e', rel_types: ['ASSIGNED', 'USES_TOOL', 'PROJECTED_AS'] },
    }),
    sql: `SELECT v.api_version_id, p.api_name, s.skill_id, s.name, t.tool_id, t.name, e.endpoint_id, e.endpoint_name
      FROM agent_definition_t a
      JOIN api_version_t v ON v.host_id = a.host_id AND v.api_version_id = a.agent_def_id
      JOIN api_t p ON p.host_id = v.host_id AND p.api_id = v.api_id
      JOIN agent_skill_t g ON g.host_id = a.host_id AND g.agent_def_id = a.agent_def_id AND g.active
      JOIN skill_t s ON s.host_id = g.host_id AND s.skill_id = g.skill_id AND s.active
      JOIN skill_tool_t l ON l.host_id = s.host_id AND l.skill_id = s.skill_id AND l.active
      JOIN tool_t t ON t.host_id = l.host_id AND t.tool_id = l.tool_id AND ${covered('t')} AND t.endpoint_active
      JOIN api_endpoint_t e ON e.host_id = t.host_id AND e.endpoint_id = t.endpoint_id AND ${covered('e')}
      JOIN api_version_t w ON w.host_id = e.host_id AND w.api_version_id = e.api_version_id AND w.active
      WHERE a.host_id = $1 AND a.agent_def_id = $2 AND e.endpoint_id = $3 AND ${covered('v')} AND p.active
      LIMIT 31`,
    values: (turn) => [agentOfTool(turn), uuidOf(`endpoint${String(numberOf(turn))}`)],
  },
  {
    name: 'aggregation by a property',
    query: () => ({
      query_type: 'aggregation',
      nodes: [{ id: 't', entity: 'Tool' }],
      aggregations: [{ count: 't' }, { avg: 't.semanticWeight' }],
      group_by: ['t.domain'],
      aggregation_sort: '-count_t',
    }),
    sql: `SELECT t.routing_domain, count(*), avg(t.semantic_weight) FROM tool_t t
      WHERE t.host_id = $1 AND ${covered('t')} AND t.endpoint_active
      GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 31`,
    values: () => [],
  },
  {
    name: 'aggregation by a related node',
    query: () => ({
      query_type: 'aggregation',
      nodes: [node('s', 'Skill'), { id: 't', entity: 'Tool', filters: { destructive: true } }],
      relationships: [{ type: 'USES_TOOL', from: 's', to: 't' }],
      aggregations: [{ count: 't' }],
      group_by: ['s'],
      aggregation_sort: '-count_t',
    }),
    sql: `SELECT s.skill_id, s.name, count(*) FROM skill_t s
      JOIN skill_tool_t l ON l.host_id = s.host_id AND l.skill_id = s.skill_id AND l.active
      JOIN tool_t t ON t.host_id = l.host_id AND t.tool_id = l.tool_id AND ${covered('t')} AND t.endpoint_active
        AND coalesce((t.tool_metadata #>> '{safety,destructive}') = 'true', false)
      WHERE s.host_id = $1 AND s.active GROUP BY 1, 2 ORDER BY 3 DESC, 1 LIMIT 31`,
    values: () => [],
  },
];

/** The skill of this turn has the tools 20 × skill … + 19, spread by 7919. */
function numberOf(turn: number): number {
  return (((turn * 31) % 2_000) * 20 * 7_919) % tools;
}

function agentOfTool(turn: number): string {
  return uuidOf(`version${String(1_000 + Math.floor(((turn * 31) % 2_000) / 10))}`);
}

/** Every type of query from its JSON to its answer, beside SQL by hand: in turns, p50 and p99. */
export async function benchQueries(database: Database): Promise<void> {
  const loading = await milliseconds(() => fillGraph(database, tools));
  progress(`  ${String(tools)} tools in ${(loading / 1000).toFixed(0)} s`);
  for (const { name, query, sql, values } of comparisons) {
    const own: number[] = [];
    const byHand: number[] = [];
    for (let turn = -10; turn < turns; turn += 1) {
      const asked = query(turn + 10);
      const parameters = [hostId, ...values(turn + 10)];
      let rows: readonly unknown[] = [];
      const baseline = await milliseconds(async () => (rows = await guarded(database, sql, parameters)));
      let found = 0;
      const figure = await milliseconds(async () => {
        const answer = await runQuery(database, readQuery(asked), scope);
        found = answer.pagination.page_rows;
      });
      if (turn === 0 && (found === 0 || rows.length === 0)) throw new Error(`${name} finds nothing.`);
      if (turn < 0) continue;
      own.push(figure);
      byHand.push(baseline);
    }
    for (const share of [0.5, 0.99]) {
      const bench = `${name}, ${String(tools)} tools, p${String(share * 100)}`;
      report({ bench, figure: at(own, share), unit: 'ms', baseline: at(byHand, share) });
    }
  }
}

/** As careful as a compiled query: read-only, timed, and gone with its transaction. */
function guarded(database: Database, sql: string, values: readonly unknown[]): Promise<unknown[]> {
  return database.of(hostId).transaction(async (tx) => {
    tx.send(
      `SELECT set_config('transaction_read_only', 'on', true), set_config('statement_timeout', $1, true)`,
      [String(queryLimits.statementTimeout)],
    );
    return tx.query(sql, values);
  });
}

function at(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
