import { type EndpointRecord, endpointsById } from '../endpoints/public.js';
import { quarantinedGrades } from '../endpoints/shared.js';
import type { ScopeFacts } from '../formats/shared.js';
import type { Sql } from '../kernel/sql.js';
import type { Tier } from '../platform/auth/sensitivity-tier.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { visibleRows } from '../platform/database/conditions.js';
import type { KeptCall, KeptComposite } from '../registry/shared.js';
import type { VersionLinks } from '../tools/public.js';
import type { Exposure } from './exposure.rules.js';
import { asServed, isOn, type LiveVersion, liveVersionsOf } from './live-versions.lookup.js';

/** The part of a tool's metadata that a gateway needs. It comes from documents of any age, so every member may be missing. */
export interface RuntimeMetadata {
  readonly routing?: {
    readonly sensitivityTier?: string;
    readonly parameters?: Readonly<Record<string, object>>;
  };
  readonly safety?: {
    readonly readOnly?: boolean;
    readonly idempotent?: boolean;
    readonly destructive?: boolean;
    readonly humanApprovalRequired?: boolean;
    readonly approvalWorkflow?: string;
  };
}

type JsonSchema = Readonly<Record<string, unknown>>;

/** A tool that a gateway exposes, with the endpoint behind it; null where it has none. */
export interface ExposedTool extends Omit<Exposure, 'gatewayId'> {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly lifecycleStatus: string;
  readonly tier: Tier;
  readonly metadata: RuntimeMetadata;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema | null;
  /** Versions beside this newest one that skills keep to, newest first. */
  readonly versions: readonly LiveVersion[];
  /** Whether it is offered: tool and endpoint are active, and it is not retired. */
  readonly active: boolean;
  /** Whether the tool itself is on, whatever becomes of what its newest version calls. */
  readonly isOn: boolean;
  /** Whether no version of it is approved, or a change waits in quarantine: agents are not given it, so no gateway lists it to them. */
  readonly waits: boolean;
  readonly serviceId: string | null;
  readonly envTag: string | null;
  readonly endpointId: string | null;
  readonly endpointName: string | null;
  readonly endpoint: string | null;
  readonly method: string | null;
  readonly path: string | null;
  readonly apiType: string | null;
  /** The text of a GraphQL operation. */
  readonly graphql: { readonly operationName: string; readonly document: string } | null;
  /** What a spec says that a call carries out. */
  readonly call: KeptCall | KeptComposite | null;
  /** Endpoints that steps of its versions call, by id. */
  readonly reached: ReadonlyMap<string, EndpointRecord>;
  /** Any-of sets of what a caller needs; the gateway enforces them. */
  readonly scopes: readonly (readonly ScopeFacts[])[];
}

/** Lists the tools that are exposed on the gateway and that the token covers, active or not, by name. */
export async function exposedTools(
  sql: Sql,
  visibility: Visibility,
  gatewayId: string,
  links: VersionLinks,
): Promise<ExposedTool[]> {
  const where = visibleRows(visibility).add('gateway_id = ?', gatewayId);
  const tools = await sql.query<Omit<ExposedTool, 'versions' | 'reached'>>(
    `SELECT "toolId", "targetHost", protocol, runtime, name, version, description, "lifecycleStatus", tier, metadata,
            "inputSchema", "outputSchema", active, "isOn", waits, service_id AS "serviceId", env_tag AS "envTag", "endpointId",
            "endpointName", endpoint, method, path, "apiType", graphql, call, scopes
     FROM (
       SELECT x.host_id, x.gateway_id, x.tool_id AS "toolId", x.target_host AS "targetHost", x.protocol, x.runtime,
              t.name, t.version, t.description, t.lifecycle_status AS "lifecycleStatus", t.sensitivity_tier AS tier,
              ${approvedMetadata} AS metadata, t.input_schema AS "inputSchema", t.response_schema AS "outputSchema",
              t.active AND coalesce(e.active, true) AND t.lifecycle_status <> 'retired' AS active,
              ${isOn} AS "isOn",
              NOT t.approved OR coalesce((coalesce(e.quarantine, false) OR t.quarantine)
                AND t.change_grade = ANY('{${quarantinedGrades.join(',')}}'::text[]), false) AS waits,
              t.service_id, t.env_tag,
              e.endpoint_id AS "endpointId", e.endpoint_name AS "endpointName", e.endpoint,
              e.http_method AS method, e.endpoint_path AS path, e.api_type AS "apiType",
              e.tool_metadata #> '{extras,graphql}' AS graphql, t.call, coalesce(e.scopes, '[]') AS scopes
       FROM tool_exposure_t x
       JOIN tool_read t ON t.host_id = x.host_id AND t.tool_id = x.tool_id
       LEFT JOIN endpoint_read e ON e.host_id = t.host_id AND e.endpoint_id = t.endpoint_id
       WHERE x.active) AS exposed
     ${where.sql()} ORDER BY name COLLATE "C", "toolId"`,
    where.values,
  );
  const ids = tools.map(({ toolId }) => toolId);
  const versions = await liveVersionsOf(sql, visibility.hostId, ids, links);
  const all = tools.map((tool) => asServed({ ...tool, versions: versions.get(tool.toolId) ?? [] }));
  const reached = await endpointsOfSteps(sql, visibility.hostId, all);
  return all.map((tool) => ({ ...tool, reached }));
}

/** What steps call over HTTP, in whichever version. */
async function endpointsOfSteps(
  sql: Sql,
  hostId: string,
  tools: readonly Pick<ExposedTool, 'call' | 'versions'>[],
): Promise<ReadonlyMap<string, EndpointRecord>> {
  const ids = tools
    .flatMap(({ call, versions }) => [call, ...versions.map((version) => version.call)])
    .flatMap((call) => (call !== null && 'alternatives' in call ? call.alternatives : []))
    .flatMap(({ steps }) => steps.flatMap(({ endpoint }) => endpoint?.endpointId ?? []));
  const known = await endpointsById(sql, hostId, [...new Set(ids)]);
  return new Map(known.map((endpoint) => [endpoint.endpointId, endpoint]));
}

/**
 * Column of `tool_read t`: its metadata, with an approval workflow only where that is a published, active one of the host
 * (docs/contract.md, section 7, Approval). Gateways take any name for an approval.
 */
export const approvedMetadata = `
  CASE WHEN t.tool_metadata #>> '{safety,approvalWorkflow}' IS NULL OR EXISTS (
    SELECT FROM workflow_approval_read w WHERE w.host_id = t.host_id AND w.approves
      AND w.reference = t.tool_metadata #>> '{safety,approvalWorkflow}')
  THEN t.tool_metadata ELSE t.tool_metadata #- '{safety,approvalWorkflow}' END`;
