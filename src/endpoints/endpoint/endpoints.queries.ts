import { NotFound } from '../../kernel/errors.js';
import type { Sql } from '../../kernel/sql.js';
import type { ScopeFacts } from '../../formats/shared.js';
import { isNarrowed, type Visibility } from '../../platform/auth/visibility.js';
import { listPage } from '../../platform/database/page.js';
import { pick } from '../../platform/records/fields.js';
import { withoutAddresses } from '../../platform/validation/untrusted-text.js';
import { taxonomyColumns } from '../../taxonomy/public.js';
import { cutReferences } from './endpoint-references.js';
import { referencesSeen } from './endpoint.lookup.js';
import {
  type EndpointAnswer,
  type EndpointListQuery,
  listedEndpoint,
  type ListedEndpoint,
} from './endpoint.schemas.js';
import { endpointOf, type EndpointRow } from './endpoints.row.js';
import { endpointConditions, visibleEndpoints } from './endpoints.filter.js';

/** Selects what lists show. @param narrowed whether the reader gets what agents get */
const listedColumns = (narrowed: boolean): string =>
  `endpoint_id AS "endpointId", api_id AS "apiId", api_version_id AS "apiVersionId", service_id AS "serviceId",
  env_tag AS "envTag", endpoint, http_method AS method, endpoint_path AS path, endpoint_name AS name,
  ${narrowed ? approved('description') : 'endpoint_desc'} AS description, source_protocol AS "sourceProtocol",
  lifecycle_status AS "lifecycleStatus", ${narrowed ? approved('routing_domain') : 'routing_domain'} AS domain,
  ${narrowed ? approved('semantic_namespace') : 'semantic_namespace'} AS "semanticNamespace",
  sensitivity_tier AS "sensitivityTier", semantic_weight AS "semanticWeight", target_personas AS "targetPersonas",
  ${taxonomyColumns('endpoint', 'api_endpoint_t', 'endpoint_id')}, ${narrowed ? approved('category') : 'category'} AS category, document_tags AS "documentTags",
  enrichment, gaps, changed, conflicts <> '[]' AS conflict, active, aggregate_version AS "aggregateVersion", position,
  update_ts AS "updateTs", update_user AS "updateUser"`;
/** What agents are given of the endpoint: as the approved version of its tool says it. */
export const approved = (column: string): string => `(SELECT r.${column} FROM endpoint_told r
    WHERE r.host_id = api_endpoint_t.host_id AND r.endpoint_id = api_endpoint_t.endpoint_id)`;

/** Whether a review of a tool has said what agents read of the endpoint. */
const hasTool = `${approved('has_tool')} AS "hasTool"`;

/** Takes the place of the endpoint's own columns, which come before. */
const approvedColumns = ` ${approved('input_schema')} AS tool_schema, ${approved('response_schema')} AS response_schema,
            ${approved('tool_metadata')} AS tool_metadata,`;

export async function listEndpoints(
  sql: Sql,
  visibility: Visibility,
  { limit, cursor, active, ...facts }: EndpointListQuery,
): Promise<{ items: ListedEndpoint[]; nextCursor?: string }> {
  const where = endpointConditions(visibility, {
    ...facts,
    ...(active !== 'all' && { active: active === 'true' }),
  });
  const narrowed = isNarrowed(visibility);
  const select = `${listedColumns(narrowed)}, ${hasTool}, endpoint_id`;
  const { rows, ...next } = await listPage<ListedEndpoint & Offered>(sql, {
    ...{ select, from: 'api_endpoint_t', where, text: 'endpoint', id: 'endpoint_id' },
    ...{ limit, cursor },
  });
  return { items: rows.map((row) => (narrowed ? vetted(listed(row), row) : listed(row))), ...next };
}

/** Throws NotFound. */
export async function getEndpoint(
  sql: Sql,
  visibility: Visibility,
  endpointId: string,
): Promise<EndpointAnswer> {
  const narrowed = isNarrowed(visibility);
  const where = visibleEndpoints(visibility).add('endpoint_id = ?', endpointId);
  const [row] = await sql.query<EndpointRow & ListedEndpoint & Offered & { scopes: ScopeFacts[][] }>(
    `SELECT *, ${hasTool}, ${listedColumns(narrowed)},${narrowed ? approvedColumns : ''}
            (SELECT r.scopes FROM endpoint_read r
              WHERE r.host_id = api_endpoint_t.host_id AND r.endpoint_id = api_endpoint_t.endpoint_id) AS scopes
     FROM api_endpoint_t ${where.sql()}`,
    where.values,
  );
  if (row === undefined) throw new NotFound('endpoint', endpointId);
  const { tool_metadata: metadata, api_version_id: apiVersionId } = row;
  const isSeen = await referencesSeen(sql, visibility, apiVersionId, [metadata]);
  const answer: EndpointAnswer = {
    ...listed(row),
    inputSchema: row.tool_schema,
    outputSchema: row.response_schema,
    toolMetadata: narrowed ? cutReferences(metadata, isSeen) : metadata,
    provenance: row.provenance,
    layers: narrowed ? {} : endpointOf(row).layers,
    operatorDescription: narrowed ? null : (row.layers.operator?.operatorDescription ?? null),
    conflicts: narrowed ? [] : [...row.conflicts],
    scopes: row.scopes,
    vanished: [...row.vanished],
    deactivated: row.deactivated,
  };
  return narrowed ? vetted(answer, row) : answer;
}

interface Offered {
  readonly hasTool: boolean;
}

/**
 * What agents are told of an endpoint: no text that addresses the model, unless it was approved with a tool. Tags, personas, scopes
 * and the name are the document’s own in any case.
 */
function vetted<Answer extends ListedEndpoint>(answer: Answer, { hasTool }: Offered): Answer {
  if (!hasTool) {
    const { endpoint, path, ...texts } = answer;
    return { ...answer, ...withoutAddresses(texts), endpoint, path };
  }
  const own = pick(answer as Answer & { scopes?: unknown }, {
    ...{ name: true, documentTags: true, targetPersonas: true },
    ...('scopes' in answer && { scopes: true }),
  });
  return { ...answer, ...withoutAddresses(own) };
}

function listed(row: ListedEndpoint): ListedEndpoint {
  return pick(row, listedEndpoint.properties);
}
