/** What other slices use of tools/ beside its pure rules: use cases, lookups, ports. */
export { planActivation, UpdateTool } from './tool-writes.planner.js';
export {
  type NamedTool,
  type ToolFacts,
  toolFactsOf,
  toolsOfEndpoints,
  toolsSeen,
  unpublishedEndpoints,
} from './tool.lookup.js';
export {
  explainedConflicts,
  type OnConflict,
  planPublication,
  planReturns,
  type PublicationConflict,
  type Unpublished,
} from './tool.planner.js';
export { planWithheld, type WithheldTool } from './withheld-tools.planner.js';
