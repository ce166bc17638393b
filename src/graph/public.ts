/** What other slices use of graph/ beside its pure rules: use cases, lookups, ports. */
export { GraphQueries } from './graph.lookup.js';
