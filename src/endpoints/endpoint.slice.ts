import { aggregate, type Slice } from '../kernel/slice.js';
import { api } from './api/api.record.js';
import {
  apiVersion,
  apiVersionDecider,
  apiVersionProjection,
  apiVersionSpecDecider,
  apiVersionSpecReplaced,
  apiVersionSpecUpdated,
  apiVersionUniqueRules,
  ReplaceApiVersionSpec,
  UpdateApiVersionSpec,
} from './api-version/api-version.record.js';
import {
  AcceptEndpointChanges,
  ActivateEndpoint,
  DeactivateEndpoint,
  endpointDecider,
  ImportEndpoint,
  OverrideEndpoint,
  SettleConflict,
  VanishEndpoint,
} from './endpoint/endpoint.decider.js';
import {
  apiEndpointActivated,
  apiEndpointChangesAccepted,
  apiEndpointConflictSettled,
  apiEndpointDeactivated,
  apiEndpointImported,
  apiEndpointOverridden,
  apiEndpointReturned,
  apiEndpointMissing,
} from './endpoint/endpoint.events.js';
import { endpointProjection } from './endpoint/endpoints.projection.js';

/** APIs, their versions, and their endpoints with layers and provenance. */
export const endpointSlice: Slice = {
  name: 'endpoints',
  events: [
    ...api.events,
    ...apiVersion.events,
    apiVersionSpecReplaced,
    apiVersionSpecUpdated,
    apiEndpointImported,
    apiEndpointMissing,
    apiEndpointReturned,
    apiEndpointOverridden,
    apiEndpointDeactivated,
    apiEndpointActivated,
    apiEndpointConflictSettled,
    apiEndpointChangesAccepted,
  ],
  aggregates: [
    aggregate(api.decider, []),
    aggregate(apiVersionDecider, [ReplaceApiVersionSpec]),
    aggregate(apiVersionSpecDecider, [UpdateApiVersionSpec]),
    aggregate(endpointDecider, [
      ImportEndpoint,
      VanishEndpoint,
      OverrideEndpoint,
      DeactivateEndpoint,
      ActivateEndpoint,
      SettleConflict,
      AcceptEndpointChanges,
    ]),
  ],
  projections: [api.projection, apiVersionProjection, endpointProjection],
  uniqueRules: apiVersionUniqueRules,
  views: ['api_version_read', 'endpoint_kept_read', 'endpoint_read', 'endpoint_redacted_read'],
};
