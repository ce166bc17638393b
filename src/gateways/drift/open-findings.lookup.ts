import type { Sql } from '../../kernel/sql.js';
import type { Visibility } from '../../platform/auth/visibility.js';
import { visibleRows } from '../../platform/database/conditions.js';
import type { DriftRecord } from './drift.events.js';
import { coveredFindings } from './drift.lookup.js';

/** What the last kept check of a gateway has found, and nobody has dismissed. */
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
}

/** The condition that a recorded check has found what nobody has dismissed. */
export const hasOpenFindings = (drift: string): string =>
  `EXISTS (SELECT FROM jsonb_array_elements(${drift}.findings) AS f WHERE f -> 'dismissed' IS NULL)`;

/** Gateways that are looked through for one answer. */
const MAX_LOOKED = 200;

/**
 * The active gateways that differ from the catalog or could not be asked, by service; of the findings those about tools that
 * the token covers. Asks no gateway.
 */
export async function openFindings(sql: Sql, visibility: Visibility): Promise<OpenFindings[]> {
  const where = visibleRows(visibility, { alias: 'g' })
    .add('g.active')
    .add(`d.failure IS NOT NULL OR ${hasOpenFindings('d')}`);
  const rows = await sql.query<Row>(
    `SELECT g.gateway_id AS "gatewayId", g.service_id AS "serviceId", g.env_tag AS "envTag", d.failure, d.findings
     FROM gateway_t g
     JOIN gateway_drift_read d ON d.host_id = g.host_id AND d.gateway_id = g.gateway_id
     ${where.sql()}
     ORDER BY g.service_id COLLATE "C", g.gateway_id LIMIT ${String(MAX_LOOKED)}`,
    [...where.values],
  );
  const open = rows.flatMap(({ findings }) => findings.filter(({ dismissed }) => dismissed === undefined));
  const covered = new Set(await coveredFindings(sql, visibility, open));
  return rows.flatMap<OpenFindings>(({ failure, findings, ...gateway }) => {
    if (failure !== null) return [{ ...gateway, failure: failure.detail, toolNames: [] }];
    const names = findings.filter((each) => covered.has(each)).map(({ toolName }) => toolName);
    return names.length === 0 ? [] : [{ ...gateway, failure: null, toolNames: [...new Set(names)].sort() }];
  });
}
