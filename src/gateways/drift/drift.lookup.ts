import { knownEndpoints } from '../../endpoints/public.js';
import type { Sql } from '../../kernel/sql.js';
import type { ListedTool } from '../../importers/public.js';
import { sees, type Visibility } from '../../platform/auth/visibility.js';
import { toolFactsOf, type VersionLinks } from '../../tools/public.js';
import { approvedMetadata } from '../exposed-tools.lookup.js';
import { asServed, isOn, liveVersionsOf } from '../live-versions.lookup.js';
import { unfitVersionsOf } from '../unfit-versions.lookup.js';
import type { GatewayFacts } from '../gateway.record.js';
import { type CatalogTool, compareWithGateway, type DriftItem, type LiveTool } from './drift.js';
import { listedBy, marked } from './dismissals.js';
import type { DriftRecord } from './drift.events.js';
import { callKey, nameOf, routeOf, ToolMatch } from './tool-match.js';

/** The rows of a host, and the links that keep to its tools' versions. */
export interface CatalogReader {
  readonly sql: Sql;
  readonly hostId: string;
  readonly links: VersionLinks;
}

type Row = Omit<CatalogTool, 'accepted' | 'known' | 'exposed' | 'versions' | 'unfit'>;

/**
 * Loads the tools of the gateway's environment that it exposes, whose name it lists, or whose endpoint has one of these keys.
 * Of several with one name those come first that are or were exposed here, then active ones.
 */
async function catalogToolsOf(
  { sql, hostId, links }: CatalogReader,
  { gatewayId, envTag }: GatewayFacts,
  listed: { readonly names: readonly string[]; readonly endpoints: readonly string[] },
): Promise<CatalogTool[]> {
  const selected = await selectedFor(sql, hostId, gatewayId);
  const places = await endpointsAt(sql, hostId, listed.endpoints);
  const rows = await sql.query<Row>(
    `SELECT t.tool_id AS "toolId", t.name, t.version, t.description, t.input_schema AS "inputSchema",
            t.response_schema AS "outputSchema", t.sensitivity_tier AS tier, ${approvedMetadata} AS metadata,
            t.service_id AS "serviceId", t.env_tag AS "envTag", t.endpoint_id AS "endpointId", e.endpoint,
            t.active AND t.approved AND coalesce(e.active, true) AND t.lifecycle_status <> 'retired' AS active,
            ${isOn} AS "isOn",
            t.lifecycle_status = 'retired' AS retired, t.active AS "ownActive"
     FROM tool_read t
     LEFT JOIN endpoint_read e ON e.host_id = t.host_id AND e.endpoint_id = t.endpoint_id
     WHERE t.host_id = $1 AND (t.env_tag IS NULL OR t.env_tag = $2)
       AND (t.tool_id = ANY($3::uuid[]) OR t.name = ANY($4::text[]) OR t.endpoint_id = ANY($5::uuid[]))
     ORDER BY t.active DESC, t.position DESC, t.tool_id`,
    [hostId, envTag, [...selected.keys()].filter((toolId) => selected.get(toolId)), listed.names, places],
  );
  const endpointIds = rows.flatMap(({ endpointId }) => endpointId ?? []);
  const endpoints = await knownEndpoints(sql, hostId, [...new Set(endpointIds)]);
  const shown = rows.filter(({ toolId }) => selected.get(toolId)).map(({ toolId }) => toolId);
  const versions = await liveVersionsOf(sql, hostId, shown, links);
  const unfit = await unfitVersionsOf(sql, hostId, shown, links);
  const rank = ({ toolId }: Row): number => Number(selected.get(toolId) ?? -1);
  return rows
    .sort((one, other) => rank(other) - rank(one))
    .map((row) => {
      const known = row.endpointId === null ? undefined : endpoints.get(row.endpointId);
      return asServed({
        ...{ ...row, known, accepted: known?.layers.gateway },
        exposed: selected.get(row.toolId) ?? false,
        versions: versions.get(row.toolId) ?? [],
        unfit: unfit.get(row.toolId) ?? [],
      });
    });
}

/**
 * Loads, for each tool that is or was exposed on the gateway, whether it is now. Joined here, since the database would scan all
 * for each tool.
 */
async function selectedFor(
  sql: Sql,
  hostId: string,
  gatewayId: string,
): Promise<ReadonlyMap<string, boolean>> {
  const rows = await sql.query<{ readonly toolId: string; readonly active: boolean }>(
    `SELECT tool_id AS "toolId", active FROM tool_exposure_t WHERE host_id = $1 AND gateway_id = $2`,
    [hostId, gatewayId],
  );
  return new Map(rows.map(({ toolId, active }) => [toolId, active]));
}

async function endpointsAt(sql: Sql, hostId: string, keys: readonly string[]): Promise<readonly string[]> {
  const rows = await sql.query<{ readonly id: string }>(
    'SELECT endpoint_id AS id FROM endpoint_read WHERE host_id = $1 AND endpoint = ANY($2::text[])',
    [hostId, keys],
  );
  return rows.map(({ id }) => id);
}

/** A gateway compared with the catalog at one moment. */
export interface Drift {
  readonly live: readonly LiveTool[];
  readonly exposed: readonly CatalogTool[];
  readonly items: readonly DriftItem[];
}

/** Compares what a gateway listed with the catalog as it is now. */
export async function compare(
  reader: CatalogReader,
  gateway: GatewayFacts,
  offers: readonly ListedTool[],
): Promise<Drift> {
  const names = offers.map(({ facts }) => nameOf(facts));
  const routes = offers.flatMap(({ facts }) => routeOf(facts) ?? []);
  const endpoints = [...routes, ...names.map(callKey)];
  const tools = await catalogToolsOf(reader, gateway, { names, endpoints });
  const match = new ToolMatch(tools);
  const live = offers.map(({ facts, digest }) => ({
    ...{ name: nameOf(facts), facts, digest },
    known: match.of(facts),
  }));
  const exposed = tools.filter(({ exposed: selected }) => selected);
  const items = await compareWithGateway(live, exposed, gateway.maxSensitivityTier);
  const recorded = await lastFindings(reader, gateway.gatewayId);
  return { live, exposed, items: await marked(items, recorded, listedBy(live)) };
}

/** The findings of the last check that is on record and did not fail. */
async function lastFindings(
  { sql, hostId }: CatalogReader,
  gatewayId: string,
): Promise<DriftRecord['findings']> {
  const [row] = await sql.query<Pick<DriftRecord, 'findings'>>(
    `SELECT findings FROM gateway_drift_t
     WHERE host_id = $1 AND gateway_id = $2 AND kind = 'recorded' AND failure IS NULL ORDER BY position DESC LIMIT 1`,
    [hostId, gatewayId],
  );
  return row?.findings ?? [];
}

interface OfTool {
  readonly toolId?: string | null;
}

/**
 * Keeps findings about tools that the token covers and about what is no tool of the catalog (docs/contract.md, section 2).
 *
 * @param disclosed tools that the caller has seen already, whatever service they are of
 */
export async function coveredFindings<Finding extends OfTool>(
  sql: Sql,
  visibility: Visibility,
  findings: readonly Finding[],
  disclosed: ReadonlySet<string> = new Set(),
): Promise<Finding[]> {
  const ids = findings.flatMap(({ toolId }) => toolId ?? []);
  const tools = await toolFactsOf(sql, visibility.hostId, [...new Set(ids)]);
  return findings.filter(({ toolId }) => {
    if (toolId === undefined || toolId === null || disclosed.has(toolId)) return true;
    const tool = tools.get(toolId);
    return tool !== undefined && sees(visibility, tool, (within) => within.toolIds.includes(toolId));
  });
}

/** The last record of a check, failed or not. */
export async function lastRecord(
  sql: Sql,
  hostId: string,
  gatewayId: string,
): Promise<DriftRecord | undefined> {
  const [row] = await sql.query<DriftRecord>(
    `SELECT checked_ts AS "checkedAt", protocol_version AS "protocolVersion", failure, findings FROM gateway_drift_t
     WHERE host_id = $1 AND gateway_id = $2 AND kind = 'recorded' ORDER BY position DESC LIMIT 1`,
    [hostId, gatewayId],
  );
  return row;
}

/** Position of the last entry in the history of a gateway: of what was found or settled last. */
export async function lastEntry(sql: Sql, hostId: string, gatewayId: string): Promise<number | undefined> {
  const [row] = await sql.query<{ position: number }>(
    `SELECT position FROM gateway_drift_t WHERE host_id = $1 AND gateway_id = $2 ORDER BY position DESC LIMIT 1`,
    [hostId, gatewayId],
  );
  return row?.position;
}
