import type { OpenDatabase } from '../../../src/platform/database/open-database.js';

export const hostId = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e01';
export const otherHostId = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e02';

/** A node as the evaluator knows it: its id and properties by the names of the ontology. */
export interface WorldNode {
  readonly type: string;
  readonly id: string;
  readonly [property: string]: unknown;
}

export interface WorldEdge {
  readonly type: string;
  readonly from: string;
  readonly to: string;
  readonly [property: string]: unknown;
}

/** The version before the present one, which some tools have. */
export const formerVersion = '0.9.0';

/** What a tool says at {@link formerVersion}: in the order of its params the first is none of the present ones. */
export const formerContent = {
  ...{ description: 'delete account as before', sourceProtocol: 'mcp', capabilityRef: 'before' },
  routing: { semanticWeight: 0.25, costTier: 'low' },
  params: [
    { name: 'before', type: 'integer', required: true, order: 0 },
    { name: 'p1', type: 'boolean', required: false, description: 'account', order: 1 },
  ],
};

/** Tools of the world, by their place, that have that version. */
export const formerPlaces = [2, 5] as const;

export interface World {
  readonly nodes: readonly WorldNode[];
  readonly edges: readonly WorldEdge[];
}

const id = (kind: number, n: number): string =>
  `00000000-0000-4000-8000-${String(kind).padStart(4, '0')}${String(n).padStart(8, '0')}`;
const pick = <T>(list: readonly T[], n: number): T => list[n % list.length] as T;
const words = [
  'account',
  'Accounts',
  'loan offer',
  'loan-offer',
  'ünicode Ärger',
  'a_b%c',
  "o'clock",
  'delete account',
  '',
];
const tiers = ['public', 'internal', 'confidential', 'restricted'];
const time = (n: number): string => `2026-0${String(1 + (n % 9))}-15T0${String(n % 10)}:30:00.000Z`;

/** Of an API version and all beneath it. */
const serviceOf = (n: number): string => (n % 3 === 2 ? 's2' : 's1');

/** The same small catalog on every database: every kind of node and edge, nulls, equal values, odd characters. */
export function makeWorld(): World {
  const nodes: WorldNode[] = [];
  const edges: WorldEdge[] = [];
  const several = (count: number, make: (n: number) => void): void => {
    for (let n = 0; n < count; n += 1) make(n);
  };
  several(2, (n) => {
    nodes.push({
      type: 'Api',
      id: `api-${String(n)}`,
      name: pick(words, n),
      description: n === 0 ? null : pick(words, n + 2),
    });
  });
  several(3, (n) => {
    const apiId = `api-${String(n % 2)}`;
    nodes.push({
      ...{
        type: 'ApiVersion',
        id: id(2, n),
        apiId,
        version: `${String(n)}.0`,
        apiType: 'openapi',
        serviceId: serviceOf(n),
      },
      ...{ envTag: n === 0 ? null : 'dev', quarantine: n === 1 },
    });
    edges.push({ type: 'HAS_VERSION', from: apiId, to: id(2, n) });
  });
  several(8, (n) => {
    const safety = {
      readOnly: n % 2 === 0,
      idempotent: n % 3 === 0,
      destructive: n % 4 === 3,
      humanApprovalRequired: n === 7,
    };
    const routing = {
      ...{ domain: n % 3 === 0 ? null : pick(['finance', 'finance.loan', 'hr'], n), semanticNamespace: null },
      ...{ sensitivityTier: pick(tiers, n), semanticWeight: pick([1, 0.5, 2, 1], n) },
      ...{ targetPersonas: n % 2 === 0 ? [] : ['clerk', pick(words, n)], lifecycleStatus: 'active' },
    };
    const apiVersionId = id(2, n % 3);
    const shared = { ...safety, ...routing, serviceId: serviceOf(n), envTag: 'dev', updatedAt: time(n) };
    nodes.push({
      // What its tool says, where it has one: what the document says by now may wait.
      ...{
        type: 'Endpoint',
        id: id(3, n),
        name: pick(words, n),
        description: pick(words, n === 7 ? 8 : n + 3),
      },
      ...{
        endpoint: `/e${String(n)}@get`,
        method: 'get',
        path: `/e${String(n)}`,
        apiId: `api-${String((n % 3) % 2)}`,
        apiVersionId,
      },
      ...{ ...shared, costTier: null, enrichment: 'none', sourceProtocol: 'http' },
    });
    edges.push({ type: 'HAS_ENDPOINT', from: apiVersionId, to: id(3, n) });
    if (n === 7) return;
    nodes.push({
      ...{
        type: 'Tool',
        id: id(4, n),
        name: `tool-${pick(words, n)}`,
        description: pick(words, n + 3),
        version: '1.0.0',
      },
      ...{
        implementationType: 'endpoint',
        endpointId: id(3, n),
        apiVersionId,
        capabilityRef: null,
        ...shared,
        // One is open to more than its endpoint is.
        ...(n === 3 && { sensitivityTier: 'public' }),
      },
      ...{ changed: n === 2, changeGrade: n === 2 ? 'MAJOR' : null, sourceProtocol: 'http' },
    });
    edges.push({ type: 'PROJECTED_AS', from: id(3, n), to: id(4, n) });
    several(n % 3, (p) => {
      const param = id(5, n * 10 + p);
      nodes.push({
        ...{
          type: 'ToolParam',
          id: param,
          name: `p${String(p)}`,
          toolId: id(4, n),
          paramType: 'string',
          orderIndex: p,
        },
        ...{
          description: p === 0 ? null : pick(words, n),
          required: p === 0,
        },
      });
      edges.push({ type: 'HAS_PARAM', from: id(4, n), to: param });
    });
  });
  several(5, (n) => {
    const parentSkillId = n < 2 ? null : id(6, n - 2);
    nodes.push({
      ...{
        type: 'Skill',
        id: id(6, n),
        name: `skill ${pick(words, n)}`,
        description: pick(words, n),
        version: '1.0.0',
      },
      ...{ contentMarkdown: '# Do', parentSkillId, updatedAt: time(n + 3) },
    });
    if (parentSkillId !== null) edges.push({ type: 'PARENT_OF', from: parentSkillId, to: id(6, n) });
    several(3, (t) => {
      const to = id(4, (n * 2 + t * 3) % 7);
      if (edges.some((edge) => edge.type === 'USES_TOOL' && edge.from === id(6, n) && edge.to === to)) return;
      if (n < 4)
        edges.push({
          type: 'USES_TOOL',
          from: id(6, n),
          to,
          accessLevel: pick(['read', 'write', 'execute'], t),
          version: formerPlaces.some((place) => to === id(4, place)) && n % 2 === 0 ? formerVersion : '1.0.0',
        });
    });
    if (n > 0) edges.push({ type: 'DEPENDS_ON', from: id(6, n), to: id(6, n - 1), required: n % 2 === 0 });
  });
  several(3, (n) => {
    nodes.push({
      ...{
        type: 'Agent',
        id: id(7, n),
        name: `agent ${pick(words, n)}`,
        version: '1',
        serviceId: n === 2 ? 's2' : 's1',
      },
      ...{
        envTag: 'dev',
        modelProvider: n === 0 ? null : 'openai',
        maxSensitivityTier: pick(tiers, n + 1),
        personas: ['clerk'],
        domains: [],
      },
    });
    // An agent is an API version with a profile.
    nodes.push({ type: 'Api', id: `agent-${String(n)}`, name: `agent ${pick(words, n)}`, description: null });
    nodes.push({
      ...{ type: 'ApiVersion', id: id(7, n), apiId: `agent-${String(n)}`, version: '1', apiType: 'agent' },
      ...{ serviceId: n === 2 ? 's2' : 's1', envTag: 'dev', quarantine: false },
    });
    edges.push({ type: 'HAS_VERSION', from: `agent-${String(n)}`, to: id(7, n) });
    several(3, (s) => {
      edges.push({ type: 'ASSIGNED', from: id(7, n), to: id(6, (n + s) % 5), priority: s, sequenceId: n });
    });
  });
  several(2, (n) => {
    nodes.push({
      type: 'Category',
      id: id(8, n),
      name: pick(words, n + 4),
      description: null,
      entityType: 'tool',
      parentCategoryId: n === 0 ? null : id(8, 0),
    });
    nodes.push({ type: 'Tag', id: id(9, n), name: pick(words, n), description: null, entityType: 'skill' });
    several(3, (t) => {
      edges.push({ type: 'IN_CATEGORY', from: id(4, (n + t * 2) % 7), to: id(8, n) });
      edges.push({ type: 'HAS_TAG', from: id(6, (n + t) % 5), to: id(9, n) });
    });
  });
  edges.push({ type: 'PARENT_OF', from: id(8, 0), to: id(8, 1) });
  several(2, (n) => {
    nodes.push({
      ...{ type: 'Workflow', id: id(10, n), name: pick(words, n + 5), namespace: 'finance', version: '1.0' },
      ...{ status: n === 0 ? 'PUBLISHED' : 'DRAFT', updatedAt: time(n + 1) },
    });
    nodes.push({
      ...{ type: 'Gateway', id: id(11, n), serviceId: serviceOf(n + 1), envTag: 'dev' },
      ...{ maxSensitivityTier: pick(tiers, n + 1), updatedAt: time(n + 2) },
    });
    several(3, (t) => {
      edges.push({ type: 'EXPOSES', from: id(11, n), to: id(4, (n * 3 + t) % 7) });
    });
    edges.push({
      ...{ type: 'USES_WORKFLOW', from: id(6, n * 2), to: id(10, n) },
      ...{ workflowRoles: n === 0 ? ['primary'] : ['test'], startModes: ['agent'] },
    });
    edges.push({ type: 'IN_CATEGORY', from: id(10, n), to: id(8, n) });
    edges.push({ type: 'IN_CATEGORY', from: id(6, n), to: id(8, 0) });
    edges.push({ type: 'IN_CATEGORY', from: id(3, n + 2), to: id(8, 1) });
    edges.push({ type: 'HAS_TAG', from: id(10, n), to: id(9, 1) });
    edges.push({ type: 'HAS_TAG', from: id(4, n + 1), to: id(9, n) });
    edges.push({ type: 'HAS_TAG', from: id(3, n), to: id(9, 0) });
  });
  const timed = ['Api', 'ApiVersion', 'Endpoint', 'Tool', 'Skill'];
  const complete = nodes.map((node) => ({
    ...(timed.includes(node.type) && { updatedAt: '2026-01-01T00:00:00.000Z' }),
    ...(node.type === 'ApiVersion' && { name: nodes.find(({ id: key }) => key === node['apiId'])?.['name'] }),
    ...node,
  }));
  return {
    nodes: complete,
    edges: edges.filter((edge, index) => edges.findIndex((e) => same(e, edge)) === index),
  };
}

function same(a: WorldEdge, b: WorldEdge): boolean {
  return a.type === b.type && a.from === b.from && a.to === b.to;
}

/** Writes the world as rows of the tables that the views of the graph read. */
export async function writeWorld(database: OpenDatabase, world: World, host = hostId): Promise<void> {
  const audit = { position: 1, aggregate_version: 1, update_user: 'u' };
  const insert = async (table: string, row: Readonly<Record<string, unknown>>): Promise<void> => {
    const full = { host_id: host, active: true, update_ts: '2026-01-01T00:00:00Z', ...audit, ...row };
    // What the world does not say has the default of its column.
    const known = await database.asOwner.query<{ name: string }>(
      `SELECT attname::text AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
      [table],
    );
    const columns = known
      .map(({ name }) => name)
      .filter((name) => name in full)
      .join(', ');
    await database.asOwner.query(
      `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM jsonb_populate_record(NULL::${table}, $1::jsonb)`,
      [JSON.stringify(full)],
    );
  };
  for (const node of world.nodes) await insert(...rowOf(node));
  for (const place of formerPlaces)
    await insert('tool_version_t', {
      ...{
        tool_id: id(4, place),
        version: formerVersion,
        state: 'approved',
        content: formerContent,
        author: 'u',
      },
    });
  for (const edge of world.edges) {
    const [table, row] = linkOf(edge);
    if (table !== undefined) await insert(table, row);
  }
}

function rowOf(node: WorldNode): [string, Record<string, unknown>] {
  const { type, id: key, name, description, updatedAt = '2026-01-01T00:00:00Z' } = node;
  const snake = Object.fromEntries(
    Object.entries(node).map(([member, value]) => [
      member.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`),
      value,
    ]),
  );
  const { readOnly, idempotent, destructive, humanApprovalRequired } = node;
  const tool_metadata = { safety: { readOnly, idempotent, destructive, humanApprovalRequired } };
  const json = {
    words: {},
    overrides: {},
    layers: {},
    provenance: {},
    digests: {},
    beneath: [],
    conflicts: [],
  };
  const stamped = { ...snake, update_ts: updatedAt };
  switch (type) {
    case 'Api':
      return ['api_t', { api_id: key, api_name: name, api_desc: description }];
    case 'ApiVersion':
      return ['api_version_t', { ...stamped, api_version_id: key, api_version: node['version'] }];
    case 'Endpoint':
      return [
        'api_endpoint_t',
        {
          ...{
            ...json,
            ...stamped,
            endpoint_id: key,
            endpoint_name: name,
            endpoint_desc: key === id(3, 7) ? description : 'Said by the document since.',
            http_method: 'get',
          },
          ...{ endpoint_path: node['path'], routing_domain: node['domain'], tool_schema: {}, tool_metadata },
          ...{
            gaps: [],
            vanished: [],
            deactivated: false,
            settled: {},
            accepted: {},
            suspicious: false,
            changed: false,
            document_tags: [],
            persona_keys: [],
            redacted: null,
          },
        },
      ];
    case 'Tool':
      return [
        'tool_t',
        {
          ...{
            ...json,
            ...stamped,
            tool_id: key,
            routing_domain: node['domain'],
            tool_metadata,
            endpoint_active: true,
            approved: true,
          },
          ...{
            input_schema: {},
            params: [],
            example_prompts: [],
            change: node['changed'] === true ? { grade: 'MAJOR' } : null,
          },
          ...{ api_id: 'api-0', document_tags: [], persona_keys: [], security: [] },
        },
      ];
    case 'ToolParam':
      return ['tool_param_t', { ...stamped, param_id: key, param_type: 'string', validation_schema: {} }];
    case 'Skill':
      return ['skill_t', { ...stamped, skill_id: key }];
    case 'Agent':
      return [
        'agent_definition_t',
        {
          ...{ ...stamped, agent_def_id: key, gateway_ids: [], domains: [], semantic_namespaces: [] },
        },
      ];
    case 'Workflow':
      return [
        'wf_definition_t',
        {
          ...{ ...stamped, wf_def_id: key, lifecycle_status: node['status'] },
          ...{ definition: '', tool_calls: [], warnings: [], runs: [] },
        },
      ];
    case 'Gateway':
      return [
        'gateway_t',
        { ...stamped, gateway_id: key, url: 'https://gateway.test/', protocol_version: '2025-11-25' },
      ];
    case 'Category':
      return [
        'category_t',
        { ...stamped, category_id: key, category_name: name, category_desc: description },
      ];
    case 'Tag':
      return ['tag_t', { ...stamped, tag_id: key, tag_name: name, tag_desc: description }];
    default:
      throw new Error(`${type} is written otherwise.`);
  }
}

function linkOf({ type, from, to, ...more }: WorldEdge): [string | undefined, Record<string, unknown>] {
  switch (type) {
    case 'USES_TOOL':
      return [
        'skill_tool_t',
        {
          ...{ skill_id: from, tool_id: to, access_level: more['accessLevel'], config: {} },
          ...(more['version'] === formerVersion && {
            ...{ range: formerVersion, range_from: formerVersion, range_before: '0.9.1' },
          }),
        },
      ];
    case 'DEPENDS_ON':
      return ['skill_dependency_t', { skill_id: from, depends_on_skill_id: to, required: more['required'] }];
    case 'ASSIGNED':
      return [
        'agent_skill_t',
        {
          agent_def_id: from,
          skill_id: to,
          priority: more['priority'],
          sequence_id: more['sequenceId'],
          config: {},
        },
      ];
    case 'IN_CATEGORY':
      return ['entity_category_t', { entity_type: headed(from), entity_id: from, category_id: to }];
    case 'HAS_TAG':
      return ['entity_tag_t', { entity_type: headed(from), entity_id: from, tag_id: to }];
    case 'EXPOSES':
      return ['tool_exposure_t', { gateway_id: from, tool_id: to, runtime: {} }];
    case 'USES_WORKFLOW':
      return [
        'skill_workflow_t',
        {
          ...{ skill_id: from, wf_def_id: to, config: {} },
          ...{ workflow_role: one(more['workflowRoles']), start_mode: one(more['startModes']) },
        },
      ];
    default:
      return [undefined, {}];
  }
}

const one = (list: unknown): unknown => (list as unknown[])[0];

/** Kind of thing that has a heading, by how its id was made. */
function headed(key: string): string | undefined {
  const kinds: Readonly<Record<string, string>> = {
    ...{ '0003': 'endpoint', '0004': 'tool', '0006': 'skill', '0010': 'workflow' },
  };
  return kinds[key.slice(24, 28)];
}
