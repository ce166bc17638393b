import type { Sql } from '../kernel/sql.js';
import { columnOf } from '../platform/records/fields.js';
import { groupedBy } from './disclosure/offers.js';
import {
  skillMembers,
  type AgentRow,
  type ApprovalRow,
  type AssignmentRow,
  type CatalogRows,
  type DependencyRow,
  type EndpointRow,
  type ExposureRow,
  type KeptVersionRow,
  type LinkRow,
  type SkillRow,
  type TaxonomyRow,
  type ToolRow,
  type WorkflowRow,
} from './rows.js';

/** Whose catalog: the agent must be registered for one of these services and environments. */
export interface Registration {
  readonly hostId: string;
  readonly agentDefId: string;
  readonly services: readonly string[] | 'all';
  readonly environments: readonly string[];
}

/** What the database says of an agent's catalog, as of one snapshot. */
export interface Reading {
  /** End of the host's log in that snapshot. */
  readonly position: number;
  /** Version of the catalog; null where there is no such agent. */
  readonly version: number | null;
  /** Absent where there is no such agent, or where the version is the one that was known. */
  readonly rows?: CatalogRows;
}

/** A position of the log, and the statement over the rows of the past. */
export interface Past {
  readonly position: number;
  readonly statement: string;
}

/**
 * Reads the rows of one agent's catalog with one prepared statement: those of now unless said otherwise.
 *
 * @param known version at hand: where it still holds, no rows are sent
 */
export async function readRows(
  sql: Sql,
  { hostId, agentDefId, services, environments }: Registration,
  { known, past }: { readonly known?: number | undefined; readonly past?: Past | undefined } = {},
): Promise<Reading> {
  const parameters = [hostId, agentDefId, services === 'all' ? null : services, environments, known ?? null];
  return readingOf(
    hostId,
    past === undefined
      ? await sql.query(catalogStatement, parameters, 'effective_catalog')
      : await sql.query(past.statement, [...parameters, past.position], 'past_catalog'),
  );
}

/** What the statement sends, by the kind of row. */
interface Bodies {
  readonly state: { readonly position: number; readonly version: number | null };
  readonly agent: AgentRow;
  readonly assignment: AssignmentRow;
  readonly skill: SkillRow;
  readonly link: LinkRow;
  readonly tool: ToolRow;
  readonly kept: KeptVersionRow;
  readonly endpoint: EndpointRow;
  readonly dependency: DependencyRow;
  readonly taxonomy: TaxonomyRow;
  readonly workflow: WorkflowRow;
  readonly approval: ApprovalRow;
  readonly exposure: ExposureRow;
}

interface StatementRow {
  readonly kind: keyof Bodies;
  readonly body: Bodies[keyof Bodies];
}

function readingOf(hostId: string, answer: readonly StatementRow[]): Reading {
  const byKind = groupedBy(answer, ({ kind }) => kind);
  const bodies = <Kind extends keyof Bodies>(kind: Kind): Bodies[Kind][] =>
    (byKind.get(kind) ?? []).map(({ body }) => body as Bodies[Kind]);
  const [state] = bodies('state');
  if (state === undefined) throw new Error('The catalog statement gave no state.');
  const [agent] = bodies('agent');
  if (agent === undefined) return state;
  const rows = {
    hostId,
    agent,
    assignments: bodies('assignment'),
    skills: bodies('skill'),
    links: bodies('link'),
    tools: bodies('tool'),
    keptVersions: bodies('kept'),
    endpoints: bodies('endpoint'),
    dependencies: bodies('dependency'),
    taxonomies: bodies('taxonomy'),
    workflows: bodies('workflow'),
    approvals: bodies('approval'),
    exposures: bodies('exposure'),
  };
  return { ...state, rows };
}

/**
 * One snapshot of all that one agent's catalog is made of, in one statement.
 * Its rows are `(kind, body)`, in no order; {@link readRows} sorts them.
 *
 * $1 host · $2 agent · $3 services (null: all) · $4 environments · $5 version known already, or null
 *
 * The first row is `state {position, version}`: the end of the host's log as this snapshot sees it, and the
 * catalog's version, null where the agent is not registered for such a service and environment. Where the
 * version is the one known already, no other row is sent.
 *
 * The version is the greatest position over the rows that decide what this agent is given: its own (profile, API
 * version, API), all its assignments, inactive ones too; for active assignments the skill and all its links, inactive
 * ones too, its taxonomy, all its dependencies and its workflows; for active links the tool, the version that the link keeps to, its taxonomy, and its
 * endpoint and those that it calls (with API version and API); the workflows that are named to approve calls, once published, for a draft may
 * still change its name; and the gateways that stand before the agent, or may come to (those that its profile names,
 * else those of its environment), with all that they expose of these tools. It is monotone although rows leave that
 * set: a row leaves only because an assignment or a link above it turned inactive, or because the profile names other
 * gateways; that one stays in the set, and the event that turned it is younger than all before it. For the same reason
 * it never depends on when it is asked for, nor on the instance, nor on whether the tables were rebuilt.
 *
 * By which ids rows are found, and so which events can change what is read, event types say again (`touches`): events that
 * change rows found here by something else must touch everybody.
 *
 * It reads the views `<slice>_read` and the host's head, each by host and key, and each row once: version, keys of what
 * is below and answer are all made of the same rows. The keys travel as arrays: those the planner takes for ten, so
 * that it reaches for the primary keys although it plans once, and before the tables grow.
 */
export const catalogStatement = `
WITH agent AS MATERIALIZED (
  SELECT agent_def_id, service_id, env_tag, name, api_version, model_provider, model_name, personas,
         max_sensitivity_tier, domains, semantic_namespaces, gateway_ids, inactive_part, position
  FROM agent_read
  WHERE host_id = $1::uuid AND agent_def_id = $2::uuid
    AND ($3::text[] IS NULL OR service_id = ANY ($3::text[])) AND env_tag = ANY ($4::text[])
), assigned AS MATERIALIZED (
  SELECT skill_id, config, priority, sequence_id, active, position
  FROM agent_skill_read
  WHERE host_id = $1::uuid AND agent_def_id = (SELECT agent_def_id FROM agent)
), linked AS MATERIALIZED (
  SELECT skill_id, tool_id, access_level, config, range, range_from, range_before, active, position
  FROM skill_tool_read
  WHERE host_id = $1::uuid AND skill_id = ANY (ARRAY(SELECT skill_id FROM assigned WHERE active))
), depended AS MATERIALIZED (
  SELECT skill_id, depends_on_skill_id, required, active, position
  FROM skill_dependency_read
  WHERE host_id = $1::uuid AND skill_id = ANY (ARRAY(SELECT skill_id FROM assigned WHERE active))
), keys AS MATERIALIZED (
  SELECT ARRAY(SELECT skill_id FROM assigned WHERE active) AS skills,
         ARRAY(SELECT DISTINCT tool_id FROM linked WHERE active) AS tools
), skills AS MATERIALIZED (
  SELECT skill_id, ${skillMembers.map(columnOf).join(', ')}, active, position
  FROM skill_read
  WHERE host_id = $1::uuid AND skill_id = ANY ((SELECT skills FROM keys)::uuid[])
), tools AS MATERIALIZED (
  SELECT tool_id, endpoint_id, name, description, version, implementation_type, capability_ref, source_protocol,
         routing_domain, semantic_namespace, sensitivity_tier, lifecycle_status, target_personas, tool_metadata,
         input_schema, own_response_schema AS response_schema, params, example_prompts, document_prompts, change_grade, quarantine, approved,
         deprecation, own_active AS active, call_endpoints, call_fault, position
  FROM tool_read
  WHERE host_id = $1::uuid AND tool_id = ANY ((SELECT tools FROM keys)::uuid[])
), kept AS MATERIALIZED (
  SELECT l.skill_id, l.tool_id, v.version, v.content, v.deprecation, v.call_fault, v.position
  FROM linked l
  JOIN tools t ON t.tool_id = l.tool_id
  LEFT JOIN LATERAL (
    SELECT version, content, deprecation, call_fault, position FROM tool_version_read
    WHERE host_id = $1::uuid AND tool_id = l.tool_id
      AND version_key(version) COLLATE "C" >= version_key(l.range_from)
      AND version_key(version) COLLATE "C" < version_key(l.range_before)
    ORDER BY version_key(version) COLLATE "C" DESC LIMIT 1) v ON true
  WHERE l.active AND l.range_from IS NOT NULL
    AND NOT (t.approved AND version_key(t.version) COLLATE "C" >= version_key(l.range_from)
      AND version_key(t.version) COLLATE "C" < version_key(l.range_before))
), endpoints AS MATERIALIZED (
  SELECT endpoint_id, api_version_id, api_id, api_version, api_type, env_tag, endpoint, http_method, endpoint_path,
         endpoint_name, response_schema, quarantine, inactive_part, tool_metadata, position
  FROM endpoint_read
  WHERE host_id = $1::uuid AND endpoint_id = ANY (ARRAY(
    SELECT endpoint_id FROM tools
    UNION SELECT unnest(call_endpoints) FROM tools
    UNION SELECT jsonb_array_elements_text(content #> '{call,endpointIds}')::uuid FROM kept))
), classified AS MATERIALIZED (
  SELECT entity_type, entity_id, categories, tags, position
  FROM taxonomy_read
  WHERE host_id = $1::uuid AND entity_type = 'skill' AND entity_id = ANY ((SELECT skills FROM keys)::uuid[])
  UNION ALL
  SELECT entity_type, entity_id, categories, tags, position
  FROM taxonomy_read
  WHERE host_id = $1::uuid AND entity_type = 'tool' AND entity_id = ANY ((SELECT tools FROM keys)::uuid[])
), flows AS MATERIALIZED (
  SELECT f.skill_id, f.wf_def_id, w.namespace, w.name, w.version, f.workflow_role, f.start_mode, f.config,
         f.active AND w.active AS active, greatest(f.position, w.position) AS position
  FROM skill_workflow_read f
  JOIN workflow_read w ON w.host_id = f.host_id AND w.wf_def_id = f.wf_def_id
  WHERE f.host_id = $1::uuid AND f.skill_id = ANY ((SELECT skills FROM keys)::uuid[])
), approval_keys AS MATERIALIZED (
  SELECT ARRAY(
    SELECT config ->> 'approvalWorkflow' FROM linked WHERE active AND config ? 'approvalWorkflow'
    UNION
    SELECT tool_metadata #>> '{safety,approvalWorkflow}' FROM tools
    WHERE tool_metadata #>> '{safety,approvalWorkflow}' IS NOT NULL
  ) AS named
), approvals AS MATERIALIZED (
  SELECT wf_def_id, namespace, name, status = 'PUBLISHED' AND active AS approves, position
  FROM workflow_read
  WHERE (SELECT cardinality(named) > 0 FROM approval_keys) AND host_id = $1::uuid AND status <> 'DRAFT'
    AND (wf_def_id::text = ANY ((SELECT named FROM approval_keys)::text[])
      OR namespace || '/' || name = ANY ((SELECT named FROM approval_keys)::text[]))
), gateways AS MATERIALIZED (
  SELECT g.gateway_id, g.active, g.position
  FROM gateway_read g
  JOIN agent a ON CASE WHEN cardinality(a.gateway_ids) > 0 THEN g.gateway_id::text = ANY (a.gateway_ids)
                       ELSE g.env_tag = a.env_tag END
  WHERE g.host_id = $1::uuid
), profile AS MATERIALIZED (
  SELECT agent.*, cardinality(gateway_ids) > 0 OR EXISTS (SELECT FROM gateways g WHERE g.active) AS gated
  FROM agent
), exposed AS MATERIALIZED (
  SELECT gateway_id, tool_id, active, position
  FROM tool_exposure_read
  WHERE host_id = $1::uuid AND tool_id = ANY ((SELECT tools FROM keys)::uuid[])
    AND gateway_id = ANY (ARRAY(SELECT gateway_id FROM gateways))
), state AS MATERIALIZED (
  SELECT coalesce((SELECT position FROM host_head_t WHERE host_id = $1::uuid), 0) AS position,
    (SELECT greatest(
      position,
      (SELECT max(position) FROM assigned),
      (SELECT max(position) FROM skills),
      (SELECT max(position) FROM linked),
      (SELECT max(position) FROM depended),
      (SELECT max(position) FROM classified),
      (SELECT max(position) FROM flows),
      (SELECT max(position) FROM approvals),
      (SELECT max(position) FROM gateways),
      (SELECT max(position) FROM exposed),
      (SELECT max(position) FROM tools),
      (SELECT max(position) FROM kept),
      (SELECT max(position) FROM endpoints)
    ) FROM agent) AS version
), changed AS MATERIALIZED (
  SELECT version IS NOT NULL AND version IS DISTINCT FROM $5::bigint AS wanted FROM state
)
SELECT 'state' AS kind, row_to_json(state) AS body FROM state
UNION ALL
SELECT 'agent', row_to_json(profile) FROM profile WHERE (SELECT wanted FROM changed)
UNION ALL
SELECT 'assignment', row_to_json(assigned) FROM assigned WHERE active AND (SELECT wanted FROM changed)
UNION ALL
SELECT 'skill', row_to_json(skills) FROM skills WHERE (SELECT wanted FROM changed)
UNION ALL
SELECT 'link', row_to_json(linked) FROM linked WHERE active AND (SELECT wanted FROM changed)
UNION ALL
SELECT 'dependency', row_to_json(depended) FROM depended WHERE active AND (SELECT wanted FROM changed)
UNION ALL
SELECT 'taxonomy', row_to_json(classified) FROM classified WHERE (SELECT wanted FROM changed)
UNION ALL
SELECT 'workflow', row_to_json(flows) FROM flows WHERE active AND (SELECT wanted FROM changed)
UNION ALL
SELECT 'approval', row_to_json(approvals) FROM approvals WHERE approves AND (SELECT wanted FROM changed)
UNION ALL
SELECT 'exposure', row_to_json(r) FROM (
  SELECT DISTINCT e.tool_id
  FROM exposed e
  JOIN gateways g ON g.gateway_id = e.gateway_id AND g.active
  WHERE e.active AND (SELECT wanted FROM changed)) r
UNION ALL
SELECT 'tool', row_to_json(tools) FROM tools WHERE (SELECT wanted FROM changed)
UNION ALL
SELECT 'kept', row_to_json(kept) FROM kept WHERE (SELECT wanted FROM changed)
UNION ALL
SELECT 'endpoint', row_to_json(r) FROM (
  SELECT endpoint_id, api_version_id, api_id, api_version, api_type, env_tag, endpoint, http_method, endpoint_path,
         endpoint_name, response_schema, quarantine, inactive_part,
         tool_metadata -> 'lightapi' AS lightapi
  FROM endpoints
  WHERE (SELECT wanted FROM changed)) r`;
