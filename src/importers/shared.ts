/** What other slices use of the rules, shapes and schemas of importers/. Pure. */
export { valueChanges } from './field-changes.js';
export { importBody } from './import.schemas.js';
