/** What other slices use of settings/ beside its pure rules: use cases, lookups, ports. */
export { settingsOf } from './host-settings.lookup.js';
