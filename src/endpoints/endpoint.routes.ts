import { Patch, Post } from '@nestjs/common';
import { NotFound } from '../eventsourcing/errors.js';
import type { Sql } from '../eventsourcing/sql.js';
import type { ScopeFacts } from '../formats/shared.js';
import { isNarrowed, type Visibility } from '../platform/auth/visibility.js';
import { listPage } from '../platform/database/page.js';
import { listAnswer, receiptAnswer } from '../platform/http/schemas.js';
import { readRoute, writeRoute } from '../platform/records/routes.js';
import { taxonomyColumns, type TaxonomyNames } from '../taxonomy/public.js';
import { endpointExample, endpointExampleId, listedEndpointExample, receiptExample } from './api.examples.js';
import { cutReferences } from './endpoint-references.js';
import { referencesSeen } from './endpoint.lookup.js';
import {
  AcceptEndpoint,
  ActivateEndpoint,
  DeactivateEndpoint,
  endpointTaxonomy,
  SettleEndpoint,
  UpdateEndpoint,
} from './endpoint.planner.js';
import {
  endpointAnswer,
  type EndpointAnswer,
  endpointListQuery,
  type EndpointListQuery,
  endpointPatch,
  endpointWordsReceipt,
  listedEndpoint,
  type ListedEndpoint,
  settlement,
} from './endpoint.schemas.js';
import { endpointOf } from './endpoints.columns.js';
import { endpointConditions, visibleEndpoints } from './endpoints.filter.js';
import type { EndpointRow } from './endpoints.row.js';
import { impactRoute } from './impact.lookup.js';
import { deactivationAnswer, impactExample } from './impact.schemas.js';

const written = { ...receiptExample, id: endpointExampleId, version: 2, position: 9 };

export const endpointRoutes = [
  readRoute<EndpointListQuery>(
    'endpoints',
    {
      id: 'listEndpoints',
      summary: 'List endpoints',
      scope: 'catalog:read',
      query: endpointListQuery,
      answer: listAnswer(listedEndpoint),
      example: { query: { domain: 'finance.accounts' }, answer: { items: [listedEndpointExample] } },
    },
    (sql, { visibility, query }) => listEndpoints(sql, visibility, query),
  ),
  readRoute(
    'endpoints/:endpointId',
    {
      id: 'getEndpoint',
      summary: 'Get an endpoint',
      description: 'Its effective value, the layer that each field came from, and what every layer says.',
      scope: 'catalog:read',
      answer: endpointAnswer,
      example: { answer: endpointExample },
    },
    (sql, { visibility, params: { endpointId = '' } }) => getEndpoint(sql, visibility, endpointId),
  ),
  writeRoute(
    [Patch, 'endpoints/:endpointId'],
    {
      id: 'updateEndpoint',
      summary: "Write the operator's words on an endpoint",
      description:
        'They win over every document and survive re-import; null takes one back. Lowering the sensitivity tier, ' +
        'clearing a safety flag and setting an approval workflow also need catalog:admin. Secrets are replaced, with a ' +
        'warning.',
      scope: 'catalog:write',
      body: endpointPatch,
      answer: endpointWordsReceipt,
      example: { body: { routing: { domain: 'finance.accounts' } }, answer: written },
    },
    UpdateEndpoint,
  ),
  impactRoute(
    'endpoints/:endpointId',
    { kind: 'endpoint', requireSeen: getEndpoint },
    { id: 'getEndpointImpact', noun: 'an endpoint' },
  ),
  writeRoute(
    [Post, 'endpoints/:endpointId/deactivate'],
    {
      id: 'deactivateEndpoint',
      summary: 'Switch an endpoint off',
      description:
        'Its tool is no longer offered. Survives re-import, until the endpoint is activated again. The answer says whom ' +
        'it hits.',
      scope: 'catalog:write',
      answer: deactivationAnswer,
      example: { answer: { ...written, impact: impactExample } },
    },
    DeactivateEndpoint,
  ),
  writeRoute(
    [Post, 'endpoints/:endpointId/activate'],
    {
      id: 'activateEndpoint',
      summary: 'Take back the deactivation of an endpoint',
      description: 'An endpoint that has vanished from its source stays inactive until it returns there.',
      scope: 'catalog:write',
      answer: receiptAnswer,
      example: { answer: written },
    },
    ActivateEndpoint,
  ),
  writeRoute(
    [Post, 'endpoints/:endpointId/conflicts/settle'],
    {
      id: 'settleEndpointConflict',
      summary: 'Settle a conflict about a field',
      description:
        'With `operator` your word stays, and what stands beneath it is accepted; with the layer that makes the offer ' +
        'your word goes. How an endpoint is called (method, path, inputSchema, routing.parameters) is never taken from ' +
        'an enrichment: naming the layer in force turns the offers down until they change. Refused with `no_conflict`, ' +
        '`not_offered`, `invocation_not_taken`. What loosens a guard needs catalog:admin.',
      scope: 'catalog:write',
      body: settlement,
      answer: receiptAnswer,
      example: { body: { field: 'description', take: 'source' }, answer: written },
    },
    SettleEndpoint,
  ),
  writeRoute(
    [Post, 'endpoints/:endpointId/changes/accept'],
    {
      id: 'acceptEndpointChanges',
      summary: 'Accept what the documents say now',
      description:
        'For an endpoint without a tool; accepting the changes of a tool does the same for its endpoint. A guard that a ' +
        'document loosens and that is held needs catalog:admin, and so does a suspicious change.',
      scope: 'catalog:write',
      answer: receiptAnswer,
      example: { answer: written },
    },
    AcceptEndpoint,
  ),
  ...endpointTaxonomy.routes,
];

const listedColumns = [
  ...([
    'endpoint_id',
    'api_id',
    'api_version_id',
    'service_id',
    'env_tag',
    'endpoint',
    'http_method',
  ] as const),
  ...(['endpoint_path', 'endpoint_name', 'endpoint_desc', 'source_protocol', 'lifecycle_status'] as const),
  ...([
    'routing_domain',
    'semantic_namespace',
    'sensitivity_tier',
    'semantic_weight',
    'target_personas',
    'category',
    'document_tags',
  ] as const),
  ...(['enrichment', 'gaps', 'changed'] as const),
  ...(['active', 'aggregate_version', 'position', 'update_ts', 'update_user'] as const),
] as const satisfies readonly (keyof EndpointRow)[];
type ListedRow = Pick<EndpointRow, (typeof listedColumns)[number]> &
  TaxonomyNames & { readonly conflict: boolean; readonly shown_desc: string };
const derivedColumns = `conflicts <> '[]' AS conflict,
  (SELECT r.description FROM endpoint_told r
    WHERE r.host_id = api_endpoint_t.host_id AND r.endpoint_id = api_endpoint_t.endpoint_id) AS shown_desc, ${taxonomyColumns('endpoint', 'api_endpoint_t', 'endpoint_id')}`;

async function listEndpoints(
  sql: Sql,
  visibility: Visibility,
  { limit, cursor, active, ...facts }: EndpointListQuery,
): Promise<{ items: ListedEndpoint[]; nextCursor?: string }> {
  const where = endpointConditions(visibility, {
    ...facts,
    ...(active !== 'all' && { active: active === 'true' }),
  });
  const select = `${listedColumns.join(', ')}, ${derivedColumns}`;
  const { rows, ...next } = await listPage<ListedRow>(sql, {
    ...{ select, from: 'api_endpoint_t', where, text: 'endpoint', id: 'endpoint_id' },
    ...{ limit, cursor },
  });
  const narrowed = isNarrowed(visibility);
  return { items: rows.map((row) => listed(row, narrowed)), ...next };
}

/** Throws NotFound. */
async function getEndpoint(sql: Sql, visibility: Visibility, endpointId: string): Promise<EndpointAnswer> {
  const where = visibleEndpoints(visibility).add('endpoint_id = ?', endpointId);
  const [row] = await sql.query<EndpointRow & ListedRow & { scopes: ScopeFacts[][] }>(
    `SELECT *, ${derivedColumns},
            (SELECT r.scopes FROM endpoint_read r
              WHERE r.host_id = api_endpoint_t.host_id AND r.endpoint_id = api_endpoint_t.endpoint_id) AS scopes
     FROM api_endpoint_t ${where.sql()}`,
    where.values,
  );
  if (row === undefined) throw new NotFound('endpoint', endpointId);
  const { tool_metadata: metadata, api_version_id: apiVersionId } = row;
  const isSeen = await referencesSeen(sql, visibility, apiVersionId, [metadata]);
  const narrowed = isNarrowed(visibility);
  return {
    ...listed(row, narrowed),
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
}

/** @param narrowed whether the reader gets what agents get */
function listed(row: ListedRow, narrowed: boolean): ListedEndpoint {
  return {
    endpointId: row.endpoint_id,
    apiId: row.api_id,
    apiVersionId: row.api_version_id,
    serviceId: row.service_id,
    envTag: row.env_tag,
    endpoint: row.endpoint,
    method: row.http_method,
    path: row.endpoint_path,
    name: row.endpoint_name,
    description: narrowed ? row.shown_desc : row.endpoint_desc,
    sourceProtocol: row.source_protocol,
    lifecycleStatus: row.lifecycle_status,
    domain: row.routing_domain,
    semanticNamespace: row.semantic_namespace,
    sensitivityTier: row.sensitivity_tier,
    semanticWeight: row.semantic_weight,
    targetPersonas: [...row.target_personas],
    categories: row.categories,
    tags: row.tags,
    category: row.category,
    documentTags: [...row.document_tags],
    enrichment: row.enrichment,
    gaps: [...row.gaps],
    changed: row.changed,
    conflict: row.conflict,
    active: row.active,
    aggregateVersion: row.aggregate_version,
    position: row.position,
    updateTs: row.update_ts,
    updateUser: row.update_user,
  };
}
