/** What other slices use of the rules, shapes and schemas of effective-catalog/. Pure. */
export { catalogExample } from './effective-catalog.example.js';
export {
  catalogAnswer,
  explanationAnswer,
  explanationQuery,
  type ExplanationQuery,
} from './effective-catalog.schemas.js';
export { type LooseJson, numberIn, objectIn, objectsIn, textIn, textsIn } from './loose-json.js';
