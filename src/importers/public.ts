/** What other slices use of importers/ beside its pure rules: use cases, lookups, ports. */
export { addressOf, DocumentFetch, fetchedAddress } from './document-fetch.service.js';
export { importedVersion, type Importer, type Target, versionFor } from './import-target.planner.js';
export { ImportApi } from './import.handlers.js';
export { ImportDryRun, type ListedTool, ToolsListReading } from './import.port.js';
