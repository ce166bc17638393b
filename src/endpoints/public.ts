/** What other slices use of endpoints/ beside its pure rules: use cases, lookups, ports. */
export {
  apiExists,
  type ApiVersionFacts,
  findApiVersion,
  findApiVersionOf,
  inactiveAmong,
  requireApiVersion,
  specOf,
  versionsBeside,
  versionsOfApi,
  versionSnapshot,
  type VersionSnapshot,
} from './api-version/api-version.lookup.js';
export { apiVersion, ReplaceApiVersionSpec, UpdateApiVersionSpec } from './api-version/api-version.record.js';
export { api } from './api/api.record.js';
export { listEndpoints } from './endpoint/endpoints.queries.js';
export {
  asOffered,
  endpointChange,
  endpointNames,
  type EndpointNames,
  endpointRecord,
  type EndpointRecord,
  endpointsById,
  endpointsByKey,
  endpointsWhere,
  inheritedFacts,
  isStream,
  knownEndpoints,
  referencesSeen,
  requireWholeVersion,
  type StoredEndpoint,
  storedEndpoints,
} from './endpoint/endpoint.lookup.js';
export {
  type Deactivated,
  deactivation,
  ImpactLookup,
  impactRoute,
  type ImpactSubject,
} from './impact/impact.lookup.js';
