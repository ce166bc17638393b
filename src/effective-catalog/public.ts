/** What other slices use of effective-catalog/ beside its pure rules: use cases, lookups, ports. */
export type { CatalogSkill } from './document.js';
export { effectiveCatalogRoute } from './effective-catalog.controller.js';
export {
  type AdministratorOptions,
  type CatalogOptions,
  type DisclosedCatalog,
  EffectiveCatalogs,
  type WithheldTool,
} from './effective-catalogs.lookup.js';
export { DisclosureExplanations } from './disclosure/explanation.routes.js';
export { momentOf, pastStatement, positionOf } from './past.lookup.js';
export { CatalogSignature } from './delivery/catalog-signature.service.js';
