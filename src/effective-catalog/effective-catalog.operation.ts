import type { OperationSpec } from '../platform/http/operation.js';
import type { DeclaredRoute } from '../platform/http/route-list.js';
import { catalogExample } from './effective-catalog.example.js';
import { catalogAnswer, catalogQuery } from './effective-catalog.schemas.js';

const getEffectiveAgentCatalog: OperationSpec = {
  id: 'getEffectiveAgentCatalog',
  summary: 'The skills and tools that an agent is given',
  description:
    'What this agent may see of what its skills offer, judged by the rules of the catalog and by the token. ' +
    'Send the ETag as If-None-Match: 304 says that nothing has changed. 404 where the agent is not registered ' +
    'for the service and the environment.',
  scope: ['catalog:agent', 'catalog:read'],
  query: catalogQuery,
  answer: catalogAnswer,
  example: {
    query: { serviceId: catalogExample.serviceId, envTag: catalogExample.envTag },
    answer: catalogExample,
  },
  tag: 'agents',
};

/** A bare Fastify route: no controller declares it. */
export const effectiveCatalogRoute: DeclaredRoute = {
  method: 'GET',
  url: '/v1/hosts/:hostId/agents/:agentDefId/effective-catalog',
  operation: getEffectiveAgentCatalog,
};
