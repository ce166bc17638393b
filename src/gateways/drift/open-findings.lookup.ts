import type { Sql } from '../../kernel/sql.js';
import type { Visibility } from '../../platform/auth/visibility.js';
import { visibleRows } from '../../platform/database/conditions.js';
import type { DriftRecord } from './drift.events.js';

/** What the last kept check of a gateway has found, and nobody has settled since. */
interface OpenFindings {
  readonly gatewayId: string;
  readonly serviceId: string;
  readonly envTag: string;
  /** Why the gateway could not be asked. */
  readonly failure: string | null;
  /** Names of the tools, each once, by name. */
  readonly toolNames: string[];
}

interface Row extends Omit<OpenFindings, 'failure' | 'toolNames'> {
  readonly failure: DriftRecord['failure'];
  readonly findings: DriftRecord['findings'];
  readonly settled: readonly string[];
}

/** Gateways that are looked through for one answer. */
const MAX_LOOKED = 200;

/** The active gateways that differ from the catalog or could not be asked, by service. Asks no gateway. */
export async function openFindings(sql: Sql, visibility: Visibility): Promise<OpenFindings[]> {
  const where = visibleRows(visibility, { alias: 'g' })
    .add('g.active')
    .add(`d.failure IS NOT NULL OR d.findings <> '[]'`);
  const rows = await sql.query<Row>(
    `SELECT g.gateway_id AS "gatewayId", g.service_id AS "serviceId", g.env_tag AS "envTag", d.failure, d.findings,
       ARRAY(SELECT f ->> 'toolName' FROM gateway_drift_t s CROSS JOIN jsonb_array_elements(s.findings) AS f
             WHERE s.host_id = g.host_id AND s.gateway_id = g.gateway_id AND s.kind <> 'recorded'
               AND s.position > d.position) AS settled
     FROM gateway_t g
     JOIN gateway_drift_read d ON d.host_id = g.host_id AND d.gateway_id = g.gateway_id
     ${where.sql()}
     ORDER BY g.service_id COLLATE "C", g.gateway_id LIMIT ${String(MAX_LOOKED)}`,
    [...where.values],
  );
  return rows.flatMap<OpenFindings>(({ failure, findings, settled, ...gateway }) => {
    if (failure !== null) return [{ ...gateway, failure: failure.detail, toolNames: [] }];
    const open = findings.filter(
      ({ finding, toolName }) => finding !== 'in_sync' && !settled.includes(toolName),
    );
    const toolNames = [...new Set(open.map(({ toolName }) => toolName))].sort();
    return toolNames.length === 0 ? [] : [{ ...gateway, failure: null, toolNames }];
  });
}
