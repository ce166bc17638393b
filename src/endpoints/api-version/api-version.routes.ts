import type { JSONSchema } from 'json-schema-to-ts';
import { NotFound, RuleBroken } from '../../kernel/errors.js';
import type { Sql } from '../../kernel/sql.js';
import { isNarrowed, type Visibility } from '../../platform/auth/visibility.js';
import { type Conditions, visibleRows } from '../../platform/database/conditions.js';
import { unpackText } from '../../platform/database/packed-text.js';
import { Problem } from '../../platform/http/problem.js';
import { listAnswer, type ListQuery, recordMembers } from '../../platform/http/schemas.js';
import { RecordReads } from '../../platform/records/record-reads.js';
import { readRoute } from '../../platform/records/routes.js';
import { apiVersion, documentFields, documentText } from './api-version.record.js';
import { apiId, apiVersionQuery, exportQuery, versionProperties } from './api-version.schemas.js';
import { apiVersionExample, exportExample } from '../examples.js';
import { apiReads } from '../api/api.record.js';
import { effectiveOf } from '../endpoint/endpoint.effective.js';
import { endpointOf, stateColumns, type StateColumns } from '../endpoint/endpoints.row.js';
import { visibleEndpoints } from '../endpoint/endpoints.filter.js';
import { impactRoute } from '../impact/impact.lookup.js';
import { type ExportedVersion, lightApiOf } from '../lightapi/lightapi-export.js';

/** Reads of API versions. Their writes may bring a document, and so are in importers/. */
const view = {
  visible: visibleVersions,
  orderBy: 'apiVersion',
  filters: {
    apiId,
    apiType: versionProperties.apiType,
    serviceId: versionProperties.serviceId,
    envTag: versionProperties.envTag,
  },
} as const;
const spec = { ...apiVersion.spec, fields: { ...apiVersion.spec.fields, ...documentFields } };
const reads = new RecordReads(spec, view);
const readsWithText = new RecordReads({ ...spec, fields: { ...spec.fields, ...documentText } }, view);

/** The filters of the list of one API, without `apiId`, which is in its path. */
const { apiId: _, ...filtersBelowApi } = view.filters;
const belowApi = new RecordReads(spec, { ...view, filters: filtersBelowApi });

const listed = {
  ...(reads.listedAnswer as { readonly properties: Readonly<Record<string, JSONSchema>> }),
  required: [
    ...['apiVersionId', 'apiId', 'apiVersion', 'apiType', 'serviceId', 'envTag', 'quarantine'],
    ...recordMembers,
  ],
};
const answer = {
  ...listed,
  properties: { ...listed.properties, spec: documentText.spec.answered },
};

export const apiVersionReadRoutes = [
  readRoute<ListQuery>(
    'api-versions',
    {
      id: 'listApiVersions',
      summary: 'List API versions',
      scope: 'catalog:read',
      query: reads.query,
      answer: listAnswer(listed),
      example: { query: { apiType: 'openapi' }, answer: { items: [apiVersionExample] } },
    },
    (sql, { visibility, query }) => reads.list(sql, visibility, query),
  ),
  readRoute<ListQuery>(
    'apis/:apiId/versions',
    {
      id: 'listVersionsOfApi',
      summary: 'List the versions of an API',
      description: 'An API that is not there is 404, not an empty list.',
      scope: 'catalog:read',
      params: { apiId },
      query: belowApi.query,
      answer: listAnswer(listed),
      example: { answer: { items: [apiVersionExample] } },
    },
    async (sql, { visibility, params: { apiId: id = '' }, query }) => {
      await apiReads.get(sql, visibility, id);
      return reads.list(sql, visibility, { ...query, apiId: id });
    },
  ),
  readRoute<{ readonly spec: boolean }>(
    'api-versions/:apiVersionId',
    {
      id: 'getApiVersion',
      summary: 'Get an API version',
      scope: 'catalog:read',
      query: apiVersionQuery,
      answer,
      example: { answer: apiVersionExample },
    },
    (sql, { visibility, params: { apiVersionId = '' }, query }) =>
      getApiVersion(sql, visibility, apiVersionId, query),
  ),
  impactRoute(
    'api-versions/:apiVersionId',
    { kind: 'api_version', requireSeen: (...asked) => reads.get(...asked) },
    { id: 'getApiVersionImpact', noun: 'an API version' },
  ),
  readRoute(
    'api-versions/:apiVersionId/export',
    {
      id: 'exportApiVersion',
      summary: 'Export the endpoints of an API version',
      description:
        'Its active endpoints with their effective words, as a LightAPI 0.1.0 document. What comes back into the same ' +
        'version unaltered changes nothing: only operations that somebody has changed speak. Refused with ' +
        '`nothing_to_export` where there is no active endpoint, or where the version or its API is inactive.',
      scope: 'catalog:read',
      confined: 'refused',
      query: exportQuery,
      answer: { type: 'object', description: 'LightAPI Description 0.1.0.' },
      example: { query: { format: 'lightapi' }, answer: exportExample },
    },
    (sql, { visibility, params: { apiVersionId = '' } }) => exportApiVersion(sql, visibility, apiVersionId),
  ),
];

/** With `spec` also the document itself. Throws NotFound, and Problem 403 `confined_token`. */
async function getApiVersion(
  sql: Sql,
  visibility: Visibility,
  apiVersionId: string,
  { spec: withText }: { readonly spec: boolean },
): Promise<object> {
  if (!withText) return reads.get(sql, visibility, apiVersionId);
  const version = await readsWithText.get(sql, visibility, apiVersionId);
  if (version.spec === null) return version;
  if (isNarrowed(visibility)) {
    const detail =
      'A token with agent_def_id or maxSensitivityTier does not read documents: they hold every endpoint.';
    throw new Problem(403, 'confined_token', detail);
  }
  return { ...version, spec: await unpackText(version.spec) };
}

/** Limits `api_version_t` to what a reader may see (docs/contract.md, section 2). */
function visibleVersions(visibility: Visibility): Conditions {
  return visibleRows(visibility, { confined: ['api_version_id', ({ apiVersionIds }) => apiVersionIds] });
}

/** A LightAPI document. Throws NotFound, RuleBroken `nothing_to_export`. */
async function exportApiVersion(sql: Sql, visibility: Visibility, apiVersionId: string): Promise<object> {
  const version = await exportedVersion(sql, visibility, apiVersionId);
  if (!version.active) {
    const detail = 'The version or its API is inactive: nothing of it is offered. Activate it first.';
    throw new RuleBroken('nothing_to_export', detail);
  }
  const where = visibleEndpoints(visibility).add('api_version_id = ?', apiVersionId).add('active');
  const rows = await sql.query<StateColumns>(
    `SELECT ${stateColumns.join(', ')} FROM api_endpoint_t ${where.sql()} ORDER BY endpoint, endpoint_id`,
    where.values,
  );
  if (rows.length === 0) {
    const detail = 'The version has no active endpoint. Import its document first.';
    throw new RuleBroken('nothing_to_export', detail);
  }
  const endpoints = rows.map((row) => ({
    endpoint: row.endpoint,
    facts: effectiveOf(endpointOf(row).layers).facts,
  }));
  return lightApiOf(version, endpoints);
}

async function exportedVersion(
  sql: Sql,
  visibility: Visibility,
  apiVersionId: string,
): Promise<ExportedVersion & { readonly active: boolean }> {
  const where = visibleVersions(visibility).add('api_version_id = ?', apiVersionId);
  const [row] = await sql.query<ExportedVersion & { readonly active: boolean }>(
    `SELECT v.api_version_id AS "apiVersionId", v.api_id AS "apiId", v.api_version AS "apiVersion",
            v.api_type AS "apiType", v.spec_format_version AS "formatVersion", a.api_name AS "apiName",
            a.api_desc AS "apiDesc", v.active AND a.active AS active
     FROM (SELECT * FROM api_version_t ${where.sql()}) v
     JOIN api_t a ON a.host_id = v.host_id AND a.api_id = v.api_id`,
    where.values,
  );
  if (row === undefined) throw new NotFound('API version', apiVersionId);
  return row;
}
