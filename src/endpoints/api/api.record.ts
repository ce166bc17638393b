import { NotFound } from '../../kernel/errors.js';
import { sees } from '../../platform/auth/visibility.js';
import { visibleRows } from '../../platform/database/conditions.js';
import { field } from '../../platform/records/fields.js';
import { record } from '../../platform/records/record.js';
import { recordHandlers } from '../../platform/records/record-handlers.js';
import { RecordReads } from '../../platform/records/record-reads.js';
import { recordRoutes } from '../../platform/records/record-routes.js';
import type { ChangesOf, NewOf } from '../../platform/records/record-spec.js';
import { refuseSecretsIn } from '../../platform/validation/secrets-in-texts.js';
import { UseCase } from '../../platform/use-cases/use-case.js';
import { apiExample, receiptExample } from '../examples.js';
import { apiId, line } from '../api-version/api-version.schemas.js';
import { impactRoute } from '../impact/impact.lookup.js';

/** An optional text of at most so many characters. */
function note(maxLength: number, more: { readonly description?: string } = {}) {
  const stored = { type: ['string', 'null'] } as const;
  return field({ sql: 'text', shown: { ...stored, maxLength, default: null, ...more }, stored });
}

/** An API of a company. While it is inactive, none of its versions is offered. */
export const api = record({
  name: 'Api',
  noun: 'API',
  table: 'api_t',
  id: { apiId: field({ sql: 'text', shown: apiId }) },
  idTaken: {
    code: 'api_exists',
    detail: (id) => `There is an API ${id} already. Change it with PATCH, or take another apiId.`,
  },
  fixed: {},
  fields: {
    apiName: field({ sql: 'text', shown: line(128), stored: { type: 'string' } }),
    apiDesc: note(4000),
    businessGroup: note(64),
    lob: note(64, { description: 'Line of business.' }),
    platform: note(64),
    capability: note(64),
    region: note(64),
    gitRepo: note(1024),
  },
  lifecycle: 'switched',
  touches: 'everybody',
  updates: 'whole',
});

interface Id {
  readonly apiId: string;
}

export class CreateApi extends UseCase<Id & NewOf<typeof api.spec>> {}
export class UpdateApi extends UseCase<Id & ChangesOf<typeof api.spec>> {}

export const apiHandlers = recordHandlers(
  api,
  { create: CreateApi, update: UpdateApi },
  {
    check: refuseSecretsIn,
    requireSeen(_sql, { visibility }, id) {
      if (!sees(visibility, {}, (within) => within.apiIds.includes(id))) throw new NotFound('API', id);
      return Promise.resolve();
    },
  },
);

export const apiReads = new RecordReads(api.spec, {
  // An API belongs to no service; its versions do.
  visible: (visibility) =>
    visibleRows(visibility, { limits: [], confined: ['api_id', ({ apiIds }) => apiIds] }),
  orderBy: 'apiName',
  search: { in: ['apiId', 'apiName', 'apiDesc'], description: 'Part of the id, name or description.' },
});

export const apiRoutes = [
  ...recordRoutes(apiReads, {
    path: 'apis',
    list: { summary: 'List APIs', example: { q: 'account' } },
    create: {
      useCase: CreateApi,
      summary: 'Register an API',
      description: 'Refused with `api_exists` where the apiId is taken.',
    },
    update: {
      useCase: UpdateApi,
      summary: 'Change an API',
      description: 'What is left out stays; null takes a field back.',
      example: { body: { apiDesc: 'Accounts, statements and transfers.' } },
    },
    example: {
      body: { apiId: 'accounts', apiName: 'Account API' },
      answer: apiExample,
      receipt: { ...receiptExample, id: 'accounts' },
    },
  }),
  impactRoute(
    'apis/:apiId',
    { kind: 'api', requireSeen: (...asked) => apiReads.get(...asked) },
    {
      id: 'getApiImpact',
      noun: 'an API',
      summary: 'What would change if an API went inactive, with all its versions',
      params: { apiId },
    },
  ),
];
