/** What other slices use of tool-clients/ beside its pure rules. */
export { specOf } from './published-specs.lookup.js';
