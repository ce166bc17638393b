/** What other slices use of the rules, shapes and schemas of registry/. Pure. */
export {
  type CompositeCall,
  endpointsReached,
  type KeptComposite,
  type KeptStep,
  writtenComposite,
} from './calls/composite-call.js';
export {
  type CheckedComposite,
  checkComposite,
  endpointName,
  type EndpointShape,
} from './calls/composite-check.js';
export {
  checkGraphqlCall,
  type GraphqlCall,
  type KeptCall,
  keptCall,
  writtenCall,
  scopeOf,
  variablesOf,
} from './calls/graphql-call.js';
export { UnionSchema } from './calls/narrowed-schema.js';
export { partAt, type Scope } from './calls/template.js';
export { graphqlSpecs } from './calls/graphql-specs.js';
export { consolidate } from './consolidation/consolidation.js';
export { lintFolder } from './folder/folder-lint.js';
export {
  acceptedFile,
  evalFolder,
  newestOf,
  readRegistry,
  type RegistryFolder,
  specFolder,
} from './folder/registry-folder.js';
export { changedSince, pairsOf, type VersionPair } from './folder/version-pairs.js';
export { publishedSchemas, schemaFiles } from './specs/published-schemas.js';
export { neighborsAmong } from './specs/neighbors.js';
export type { FileFault, FileText } from './specs/spec-file.js';
export { type AcceptedOfTool, counting } from './specs/accepted-findings.js';
export { checkToolSchemas, lateRefusal, refuseUnlessKept } from './specs/tool-schema-check.js';
export { textChanges } from './specs/text-changes.js';
export { lintRules, OVERLAPPING, overlapsOf, stopsReview } from './specs/tool-lint.js';
export { evalConfigDigest, evalConfigOf } from './specs/eval-config.js';
export {
  type EvalConfig,
  fileOf,
  namedBy,
  readToolSpec,
  specDigest,
  specFrom,
  type ToolSpec,
  type VersionFields,
} from './specs/tool-spec.js';
export { acceptedOfTool, evalConfigSchema, specVersion } from './specs/tool-spec.schema.js';
export { writeToolSpec } from './specs/write-tool-spec.js';
export { rangeOf, rangePattern, rangeTakes } from './specs/version-range.js';
export { compareVersions, isVersionNumber, numberAfter, partsOf } from './specs/version-number.js';
export { gradeOf, specGrades, versionFault } from './specs/version-rules.js';
