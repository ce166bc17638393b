import { listAnswer } from '../platform/http/schemas.js';
import { readRoute } from '../platform/records/routes.js';
import { apiVersionExample, exportExample } from './api.examples.js';
import { apiReads } from './api.record.js';
import { apiId } from './api.schemas.js';
import { exportApiVersion } from './api-version-export.queries.js';
import {
  apiVersionAnswer,
  apiVersionListQuery,
  apiVersionQuery,
  exportQuery,
  listedApiVersion,
  versionsOfApiQuery,
  type ApiVersionListQuery,
} from './api-version.schemas.js';
import { getApiVersion, listApiVersions } from './api-versions.queries.js';
import { impactRoute } from './impact.lookup.js';

/** Reads of API versions. What writes them may bring a document, and stands with the imports. */
export const apiVersionReadRoutes = [
  readRoute<ApiVersionListQuery>(
    'api-versions',
    {
      id: 'listApiVersions',
      summary: 'List API versions',
      scope: 'catalog:read',
      query: apiVersionListQuery,
      answer: listAnswer(listedApiVersion),
      example: { query: { apiType: 'openapi' }, answer: { items: [apiVersionExample] } },
    },
    (sql, { visibility, query }) => listApiVersions(sql, visibility, query),
  ),
  readRoute<ApiVersionListQuery>(
    'apis/:apiId/versions',
    {
      id: 'listVersionsOfApi',
      summary: 'List the versions of an API',
      description: 'An API that is not there is 404, not an empty list.',
      scope: 'catalog:read',
      params: { apiId },
      query: versionsOfApiQuery,
      answer: listAnswer(listedApiVersion),
      example: { answer: { items: [apiVersionExample] } },
    },
    async (sql, { visibility, params: { apiId: id = '' }, query }) => {
      await apiReads.get(sql, visibility, id);
      return listApiVersions(sql, visibility, { ...query, apiId: id });
    },
  ),
  readRoute<{ readonly spec: boolean }>(
    'api-versions/:apiVersionId',
    {
      id: 'getApiVersion',
      summary: 'Get an API version',
      scope: 'catalog:read',
      query: apiVersionQuery,
      answer: apiVersionAnswer,
      example: { answer: apiVersionExample },
    },
    (sql, { visibility, params: { apiVersionId = '' }, query }) =>
      getApiVersion(sql, visibility, apiVersionId, query),
  ),
  impactRoute(
    'api-versions/:apiVersionId',
    { kind: 'api_version', requireSeen: getApiVersion },
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
