import { Patch, Post } from '@nestjs/common';
import { listAnswer, receiptAnswer } from '../platform/http/schemas.js';
import { readRoute, writeRoute } from '../platform/records/routes.js';
import { endpointExample, endpointExampleId, listedEndpointExample, receiptExample } from './api.examples.js';
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
  endpointListQuery,
  endpointPatch,
  endpointWordsReceipt,
  listedEndpoint,
  settlement,
  type EndpointListQuery,
} from './endpoint.schemas.js';
import { getEndpoint, listEndpoints } from './endpoints.queries.js';
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
