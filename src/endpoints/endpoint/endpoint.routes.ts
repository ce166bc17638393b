import { NotFound } from '../../kernel/errors.js';
import type { Sql } from '../../kernel/sql.js';
import type { Caller } from '../../platform/auth/caller.js';
import { refuseLessGuarded } from '../../platform/auth/claims.js';
import type { Visibility } from '../../platform/auth/visibility.js';
import { handle, type Receipt, receiptOf, UseCase } from '../../platform/use-cases/use-case.js';
import { redacted, type SecretWarning } from '../../platform/validation/secrets-in-texts.js';
import { type Classification, taxonomyOf } from '../../taxonomy/public.js';
import { endpointExample, endpointExampleId, listedEndpointExample, receiptExample } from '../examples.js';
import * as endpoint from './endpoint.decider.js';
import { effectiveOf } from './endpoint.effective.js';
import { type Choice, override, settle } from './endpoint.overrides.js';
import {
  endpointAnswer,
  endpointListQuery,
  type EndpointListQuery,
  type EndpointPatch,
  endpointPatch,
  endpointOverrideReceipt,
  listedEndpoint,
  settlement,
} from './endpoint.schemas.js';
import { awaitsAdministrator, type KnownEndpoint } from './endpoint.state.js';
import { endpointOf, stateColumns, type StateColumns } from './endpoints.row.js';
import { requireEndpoint, visibleEndpoints } from './endpoints.filter.js';
import { type Deactivated, deactivation, impactRoute } from '../impact/impact.lookup.js';
import type { EndpointFacts } from '../../formats/shared.js';
import type { Layers } from './endpoint.layers.js';
import { loosened } from './endpoint.guards.js';
import { Patch, Post } from '@nestjs/common';
import { listAnswer, receiptAnswer } from '../../platform/http/schemas.js';
import { readRoute, writeRoute } from '../../platform/records/routes.js';
import { endpointFacets } from './endpoint-facets.queries.js';
import {
  endpointFacetsAnswer,
  endpointFacetsExample,
  endpointFacetsQuery,
  type EndpointFacetsQuery,
} from './endpoint-facets.schemas.js';
import { getEndpoint, listEndpoints } from './endpoints.queries.js';
import { deactivationAnswer, impactExample } from '../impact/impact.schemas.js';

interface Id {
  readonly endpointId: string;
}

/** Overrides fields of an endpoint. */
export class UpdateEndpoint extends UseCase<
  Id & EndpointPatch,
  Receipt & { readonly warnings?: readonly SecretWarning[] }
> {}
/** Settles a conflict. Taking an offer that loosens a guard needs an administrator, as in {@link UpdateEndpoint}. */
export class SettleEndpoint extends UseCase<Id & Choice> {}
/** Accepts the changes of documents. Loosened guards and suspicious changes need an administrator. */
export class AcceptEndpoint extends UseCase<Id> {}
export class ActivateEndpoint extends UseCase<Id> {}
export class DeactivateEndpoint extends UseCase<Id, Deactivated> {}
export class PutEndpointTaxonomy extends UseCase<Classification<'endpointId'>> {}

export const endpointTaxonomy = taxonomyOf({
  ...{
    entityType: 'endpoint',
    path: 'endpoints/:endpointId',
    id: 'endpointId',
    exampleId: endpointExampleId,
  },
  ...{ useCase: PutEndpointTaxonomy, requireSeen: requireEndpoint },
});

export const endpointHandlers = [
  handle(UpdateEndpoint, {
    prepare: ({ endpointId: _id, ...sent }) => redacted(sent),
    async load(sql, { endpointId }, { caller, visibility }, { body, warnings }) {
      const { layers, baseline } = await visibleEndpoint(sql, visibility, endpointId);
      checkLoosening(caller, layers, override(layers, baseline, body).overrides);
      return { body, warnings };
    },
    decide: ({ body }, { endpointId }, { context }) => [
      new endpoint.OverrideEndpoint(context.hostId, endpointId, body),
    ],
    result: (outcomes, position, { warnings }) => ({
      ...receiptOf(outcomes, position),
      ...(warnings.length > 0 && { warnings }),
    }),
  }),
  handle(SettleEndpoint, {
    async load(sql, { endpointId, ...choice }, { caller, visibility }) {
      const known = await visibleEndpoint(sql, visibility, endpointId);
      checkLoosening(caller, known.layers, settle(known, choice).overrides);
    },
    decide: (_facts, { endpointId, ...choice }, { context }) => [
      new endpoint.SettleConflict(context.hostId, endpointId, choice),
    ],
  }),
  handle(AcceptEndpoint, {
    async load(sql, { endpointId }, { caller, visibility }) {
      const known = await visibleEndpoint(sql, visibility, endpointId);
      refuseLessGuarded(caller, awaitsAdministrator(known));
    },
    decide: (_facts, { endpointId }, { context }) => [
      new endpoint.AcceptEndpointChanges(context.hostId, endpointId, {}),
    ],
  }),
  handle(ActivateEndpoint, {
    load: (sql, { endpointId }, { visibility }) => requireEndpoint(sql, visibility, endpointId),
    decide: (_facts, { endpointId }, { context }) => [
      new endpoint.ActivateEndpoint(context.hostId, endpointId, {}),
    ],
  }),
  deactivation(DeactivateEndpoint, {
    ...{ kind: 'endpoint', id: 'endpointId', requireSeen: requireEndpoint },
    command: (hostId, endpointId) => new endpoint.DeactivateEndpoint(hostId, endpointId, {}),
  }),
  endpointTaxonomy.handler,
];

/** Refuses overrides that loosen a guard without `catalog:admin` (docs/contract.md, section 2). */
function checkLoosening(caller: Caller, layers: Layers, operator: EndpointFacts): void {
  const after = effectiveOf({ ...layers, operator });
  refuseLessGuarded(caller, loosened(effectiveOf(layers).facts, after.facts).length > 0);
}

/** Throws NotFound, also for what the token does not cover (docs/contract.md, section 2). */
async function visibleEndpoint(sql: Sql, visibility: Visibility, endpointId: string): Promise<KnownEndpoint> {
  const where = visibleEndpoints(visibility).add('endpoint_id = ?', endpointId);
  const [row] = await sql.query<StateColumns>(
    `SELECT ${stateColumns.join(', ')} FROM api_endpoint_t ${where.sql()}`,
    where.values,
  );
  if (row === undefined) throw new NotFound('endpoint', endpointId);
  return endpointOf(row);
}

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
  readRoute<EndpointFacetsQuery>(
    'endpoints/facets',
    {
      id: 'countEndpoints',
      summary: 'Count endpoints by what they can be filtered by',
      description:
        'Takes the filters of the list. For each facet: how many endpoints choosing a value would show, with all other filters as they are.',
      scope: 'catalog:read',
      query: endpointFacetsQuery,
      answer: endpointFacetsAnswer,
      example: { query: { apiId: 'accounts' }, answer: endpointFacetsExample },
    },
    (sql, { visibility, query }) => endpointFacets(sql, visibility, query),
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
      summary: "Write the operator's overrides of an endpoint",
      description:
        'They win over every document and survive re-import; null takes one back. Lowering the sensitivity tier, ' +
        'clearing a safety flag and setting an approval workflow also need catalog:admin. Secrets are replaced, with a ' +
        'warning.',
      scope: 'catalog:write',
      body: endpointPatch,
      answer: endpointOverrideReceipt,
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
        'With `operator` your override stays, and the value that it covers is accepted; with the layer that makes the offer ' +
        'your override goes. How an endpoint is called (method, path, inputSchema, routing.parameters) is never taken from ' +
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
