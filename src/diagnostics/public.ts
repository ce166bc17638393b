/** What other slices use of diagnostics/ beside its pure rules: use cases, lookups, ports. */
export { LiveDiagnostics } from './diagnostics.lookup.js';
