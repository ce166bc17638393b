/** What other slices use of the rules, shapes and schemas of endpoints/. Pure. */
export {
  ActivateApiVersion,
  CreateApiVersion,
  DeactivateApiVersion,
  ReplaceApiVersionSpec,
  UpdateApiVersion,
  UpdateApiVersionSpec,
} from './api-version.commands.js';
export type { ApiVersionEvent } from './api-version.events.js';
export { apiId, line, versionProperties } from './api-version.schemas.js';
export { apiVersionExampleId, endpointExampleId, receiptExample } from './api.examples.js';
export {
  callGradeOf,
  type ChangeGrade,
  changeGrades,
  differences,
  type FieldGrades,
  gradingOf,
  quarantinedGrades,
  worstOf,
} from './change-grade.js';
export { cutReferences, cutRouting } from './endpoint-references.js';
export {
  AcceptEndpointChanges,
  ActivateEndpoint,
  type Brought,
  ImportEndpoint,
  type Overrides,
  type Said,
  VanishEndpoint,
} from './endpoint.commands.js';
export type { Conflict } from './endpoint.conflicts.js';
export type { Enrichment } from './endpoint.effective.js';
export { factsFrom, type Fields, fieldsOf, type Layer, merge } from './endpoint.layers.js';
export { override } from './endpoint.overrides.js';
export { review, type Review } from './endpoint.review.js';
export { endpointFilter, operatorProperties, scopes } from './endpoint.schemas.js';
export {
  awaitsAdministrator,
  type EndpointState,
  evolveEndpoint,
  type KnownEndpoint,
  unknownEndpoint,
} from './endpoint.state.js';
export {
  deactivationAnswer,
  type Impact,
  impactAnswer,
  impactExample,
  type Reach,
  reachAnswer,
} from './impact.schemas.js';
export { lightApiTexts } from './lightapi-texts.js';
export { loosened } from './safety-policy.js';
export { searchableText, searchKeys } from './searchable-texts.js';
