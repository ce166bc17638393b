import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { objectOf } from '../../platform/http/schemas.js';
import { apiVersionExampleId } from '../examples.js';
import { endpointFilter, endpointListQuery } from './endpoint.schemas.js';

export const MAX_FACET_VALUES = 50;

export const endpointFacetsQuery = {
  type: 'object',
  additionalProperties: false,
  properties: { ...endpointFilter, active: endpointListQuery.properties.active },
} as const satisfies JSONSchema;
export type EndpointFacetsQuery = FromSchema<typeof endpointFacetsQuery>;

const facet = {
  ...objectOf({
    values: {
      type: 'array',
      items: objectOf({ value: { type: 'string' }, count: { type: 'integer' } }),
      description: 'The most frequent first.',
    },
    more: {
      type: 'boolean',
      description: `Whether there are values beyond the first ${String(MAX_FACET_VALUES)}.`,
    },
  }),
  title: 'EndpointFacet',
} as const satisfies JSONSchema;

const facets = objectOf({
  ...{ apiId: facet, apiVersionId: facet, method: facet, sourceProtocol: facet, lifecycleStatus: facet },
  ...{ sensitivityTier: facet, domain: facet, active: facet, tag: facet },
});
export type EndpointFacet = keyof typeof facets.properties;

export const endpointFacetsAnswer = objectOf({
  total: { type: 'integer', description: 'Endpoints that all filters leave.' },
  facets,
});
export type EndpointFacets = FromSchema<typeof endpointFacetsAnswer>;

const counted = (value: string) => ({ values: [{ value, count: 12 }], more: false });
export const endpointFacetsExample = {
  total: 12,
  facets: {
    ...{ apiId: counted('accounts'), apiVersionId: counted(apiVersionExampleId), method: counted('get') },
    ...{ sourceProtocol: counted('openapi'), lifecycleStatus: counted('active') },
    ...{ sensitivityTier: counted('internal'), domain: counted('finance.accounts') },
    ...{ active: counted('true'), tag: counted('accounts') },
  },
};
