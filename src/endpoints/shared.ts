/** What other slices use of the rules, shapes and schemas of endpoints/. Pure. */
export { apiId, line, versionProperties } from './api-version/api-version.schemas.js';
export { apiVersionExampleId, endpointExampleId, receiptExample } from './examples.js';
export {
  callGradeOf,
  type ChangeGrade,
  changeGrades,
  differences,
  type FieldGrades,
  gradingOf,
  isSuspicious,
  quarantinedGrades,
  worstOf,
} from './endpoint/change-grade.js';
export { cutReferences, cutRouting } from './endpoint/endpoint-references.js';
export {
  AcceptEndpointChanges,
  ActivateEndpoint,
  ImportEndpoint,
  VanishEndpoint,
} from './endpoint/endpoint.decider.js';
export { type Conflict, override, type Overrides } from './endpoint/endpoint.overrides.js';
export { type Enrichment, searchableText, searchKeys } from './endpoint/endpoint.effective.js';
export { factsFrom, type Fields, fieldsOf, type Layer, merge } from './endpoint/endpoint.layers.js';
export { review, type Review } from './endpoint/endpoint.review.js';
export { endpointFilter, operatorProperties, scopes } from './endpoint/endpoint.schemas.js';
export {
  awaitsAdministrator,
  type Brought,
  type EndpointState,
  evolveEndpoint,
  type KnownEndpoint,
  type Said,
  unknownEndpoint,
} from './endpoint/endpoint.state.js';
export {
  deactivationAnswer,
  type Impact,
  impactAnswer,
  impactExample,
  type Reach,
  reachAnswer,
} from './impact/impact.schemas.js';
export { lightApiTexts } from './lightapi/lightapi-texts.js';
export { loosened } from './endpoint/endpoint.guards.js';
