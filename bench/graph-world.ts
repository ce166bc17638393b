import type { Database } from '../src/kernel/sql.js';

export const hostId = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e01';

/** Numbers of a catalog; relations follow from them: two params a tool, twenty tools a skill, ten skills an agent. */
const versions = 1_000;
const skills = 2_000;
const agents = 200;
const gateways = 10;
const domains = 100;

const lists = {
  beneath: [],
  conflicts: [],
  gaps: [],
  vanished: [],
  document_tags: [],
  persona_keys: [],
  params: [],
};
const objects = {
  words: {},
  overrides: {},
  layers: {},
  provenance: {},
  digests: {},
  settled: {},
  accepted: {},
};
/** What every row of every table has; what a table lacks is passed over. */
const shared = {
  ...{ host_id: hostId, active: true, position: 1, aggregate_version: 1, update_user: 'bench' },
  ...{
    update_ts: '2026-01-01T00:00:00Z',
    service_id: 'bench',
    env_tag: 'dev',
    version: '1.0.0',
    ...lists,
    ...objects,
  },
  ...{ sensitivity_tier: 'internal', semantic_weight: 1, lifecycle_status: 'active', target_personas: [] },
  ...{ enrichment: 'none', deactivated: false, changed: false, quarantine: false, endpoint_active: true },
  ...{
    source_protocol: 'openapi',
    implementation_type: 'lightapi_endpoint',
    api_type: 'openapi',
    http_method: 'get',
  },
  ...{
    tool_schema: {},
    input_schema: { type: 'object' },
    validation_schema: {},
    tool_metadata: {},
    security: [],
  },
  ...{ example_prompts: [], param_type: 'string', required: true, access_level: 'execute', config: {} },
  ...{
    max_sensitivity_tier: 'internal',
    personas: [],
    gateway_ids: [],
    semantic_namespaces: [],
    priority: 0,
  },
  ...{
    sequence_id: 0,
    url: 'https://gateway.example',
    protocol_version: '2026-07-28',
    runtime: {},
    content_markdown: '# Do',
    domains: [],
  },
};

/** Ids are made of a kind and a number. */
export function idOf(kind: string, number: number | string): string {
  return `md5('${kind}' || ${String(number)})::uuid`;
}

const tool = `jsonb_build_object('name', 'tool_' || n, 'description', 'Does thing ' || n || ' of ' || n % 997,
  'routing_domain', 'domain' || n % ${String(domains)}, 'api_version_id', ${idOf('version', `n % ${String(versions)}`)},
  'api_id', 'api' || n % ${String(versions)}, 'endpoint_id', ${idOf('endpoint', 'n')},
  'tool_metadata', jsonb_build_object('safety', jsonb_build_object('destructive', n % 10 = 0, 'readOnly', n % 2 = 0)))`;

const endpoint = `jsonb_build_object('endpoint', '/e' || n || '@get', 'endpoint_name', 'e' || n,
  'endpoint_desc', 'Does thing ' || n, 'endpoint_path', '/e' || n)`;

/** Table to rows: how many, and what differs from row to row (`n`, from 0). */
function rowsOf(tools: number): readonly (readonly [table: string, count: number, row: string])[] {
  const count = String(tools);
  return [
    ['api_t', versions, `jsonb_build_object('api_id', 'api' || n, 'api_name', 'Api ' || n)`],
    [
      'api_version_t',
      versions,
      `jsonb_build_object('api_version_id', ${idOf('version', 'n')}, 'api_id', 'api' || n, 'api_version', '1')`,
    ],
    ['api_endpoint_t', tools, `${tool} || ${endpoint}`],
    ['tool_t', tools, `${tool} || jsonb_build_object('tool_id', ${idOf('tool', 'n')})`],
    [
      'tool_param_t',
      2 * tools,
      `jsonb_build_object('param_id', ${idOf('param', 'n')}, 'tool_id', ${idOf('tool', 'n / 2')}, 'name', 'p' || n % 2, 'order_index', n % 2)`,
    ],
    [
      'skill_t',
      skills,
      `jsonb_build_object('skill_id', ${idOf('skill', 'n')}, 'name', 'skill ' || n, 'description', 'Looks after ' || n)`,
    ],
    [
      'skill_tool_t',
      skills * 20,
      `jsonb_build_object('skill_id', ${idOf('skill', 'n / 20')}, 'tool_id', ${idOf('tool', `(n::bigint * 7919) % ${count}`)})`,
    ],
    [
      'agent_definition_t',
      agents,
      `jsonb_build_object('agent_def_id', ${idOf('version', `${String(versions)} + n`)})`,
    ],
    [
      'agent_skill_t',
      agents * 10,
      `jsonb_build_object('agent_def_id', ${idOf('version', `${String(versions)} + n / 10`)}, 'skill_id', ${idOf('skill', 'n')})`,
    ],
    [
      'gateway_t',
      gateways,
      `jsonb_build_object('gateway_id', ${idOf('gateway', 'n')}, 'service_id', 'gateway' || n)`,
    ],
    [
      'tool_exposure_t',
      tools,
      `jsonb_build_object('gateway_id', ${idOf('gateway', `n % ${String(gateways)}`)}, 'tool_id', ${idOf('tool', 'n')})`,
    ],
  ];
}

/** Agents are API versions as well. */
const agentVersions = `jsonb_build_object('api_version_id', ${idOf('version', `${String(versions)} + n`)}, 'api_id', 'api' || n,
  'api_version', '2', 'api_type', 'agent')`;

/** Writes rows of the tables that the graph's views read: a catalog of so many tools, without its log. */
export async function fillGraph(database: Database, tools: number): Promise<void> {
  const all = [...rowsOf(tools), ['api_version_t', agents, agentVersions] as const];
  for (const [table, count, row] of all) {
    await database.asOwner.query(
      `INSERT INTO ${table} SELECT r.* FROM generate_series(0, $2::int - 1) n
       CROSS JOIN LATERAL jsonb_populate_record(NULL::${table}, $1::jsonb || ${row}) r`,
      [JSON.stringify(shared), count],
    );
    await database.asOwner.query(`ANALYZE ${table}`);
  }
}
