import { aggregate, type Slice } from '../eventsourcing/slice.js';
import { ActivateApi, CreateApi, DeactivateApi, EnsureApi, UpdateApi } from './api.commands.js';
import { apiDecider } from './api.decider.js';
import { apiActivated, apiCreated, apiDeactivated, apiUpdated } from './api.events.js';
import {
  ActivateApiVersion,
  CreateApiVersion,
  DeactivateApiVersion,
  ReplaceApiVersionSpec,
  UpdateApiVersion,
  UpdateApiVersionSpec,
} from './api-version.commands.js';
import { apiVersionDecider, apiVersionSpecDecider } from './api-version.decider.js';
import {
  apiVersionActivated,
  apiVersionCreated,
  apiVersionDeactivated,
  apiVersionSpecReplaced,
  apiVersionSpecUpdated,
  apiVersionUpdated,
} from './api-version.events.js';
import { apiVersionProjection, apiVersionUniqueRules } from './api-versions.projection.js';
import { apiProjection } from './apis.projection.js';
import {
  AcceptEndpointChanges,
  ActivateEndpoint,
  DeactivateEndpoint,
  ImportEndpoint,
  OverrideEndpoint,
  SettleConflict,
  VanishEndpoint,
} from './endpoint.commands.js';
import { endpointDecider } from './endpoint.decider.js';
import {
  apiEndpointActivated,
  apiEndpointChangesAccepted,
  apiEndpointConflictSettled,
  apiEndpointDeactivated,
  apiEndpointImported,
  apiEndpointOverridden,
  apiEndpointReturned,
  apiEndpointVanished,
} from './endpoint.events.js';
import { endpointProjection } from './endpoints.projection.js';

/** APIs, their versions, and their endpoints with layers and provenance. */
export const endpointSlice: Slice = {
  name: 'endpoints',
  events: [
    apiCreated,
    apiUpdated,
    apiDeactivated,
    apiActivated,
    apiVersionCreated,
    apiVersionUpdated,
    apiVersionSpecReplaced,
    apiVersionDeactivated,
    apiVersionActivated,
    apiVersionSpecUpdated,
    apiEndpointImported,
    apiEndpointVanished,
    apiEndpointReturned,
    apiEndpointOverridden,
    apiEndpointDeactivated,
    apiEndpointActivated,
    apiEndpointConflictSettled,
    apiEndpointChangesAccepted,
  ],
  aggregates: [
    aggregate(apiDecider, [CreateApi, EnsureApi, UpdateApi, DeactivateApi, ActivateApi]),
    aggregate(apiVersionDecider, [
      CreateApiVersion,
      UpdateApiVersion,
      ReplaceApiVersionSpec,
      DeactivateApiVersion,
      ActivateApiVersion,
    ]),
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
  projections: [apiProjection, apiVersionProjection, endpointProjection],
  uniqueRules: apiVersionUniqueRules,
};
