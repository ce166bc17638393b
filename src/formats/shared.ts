/** What other slices use of the rules, shapes and schemas of formats/. Pure. */
export {
  endpointFacts,
  type EndpointFacts,
  endpointOffer,
  type EndpointOffer,
  offeredFacts,
  routingFacts,
  type RoutingFacts,
  safetyFacts,
  type SafetyFacts,
  safetyOfHints,
  safetyOfVerb,
  scopeFacts,
  type ScopeFacts,
} from './endpoint-facts.js';
export type { EnrichingOperation, Enrichment } from './format.js';
export { type ApiType, apiTypes, type DescribedApiType, formatNames, type WantedFormat } from './formats.js';
export { definitionLength, largeDefinition } from './schema/definition-size.js';
export { type Provider, providers, refusalsOf, refusedBy } from './schema/provider-rules.js';
export { splitQuery } from './openapi/path-template.js';
export { isReservedHeader } from './reserved-headers.js';
export { sealed } from './lightapi/export-seal.js';
export { resultSchema } from './graphql/result-schemas.js';
export { readGraphqlSchema } from './graphql/read-graphql.js';
export { readDescription, type ReadDescription } from './read-description.js';
export {
  readOperation,
  writtenOperation,
  type ApiSchema,
  type WrittenOperation,
} from './graphql/operations.js';
