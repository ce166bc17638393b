/** What other slices use of the rules, shapes and schemas of taxonomy/. Pure. */
export {
  selectionProperties,
  taxonomyFilter,
  taxonomyMembers,
  taxonomyProperties,
} from './entity-taxonomy.schemas.js';
export { namesExample } from './taxonomy.examples.js';
export { globalHostId } from './term.fields.js';
