/**
 * How a transaction says which rows it may touch (docs/decisions/0025-tenant-walls.md). Every table is walled off by row
 * level security; the roles are made by `migrations/ground/0010_tenant_walls.sql`. What is set lasts until the end of
 * the transaction, or until it says something else.
 */

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The rows of one host. Throws where `hostId` is no UUID in lower case: it becomes part of the statement, and of what is hashed. */
export function asHost(hostId: string): string {
  if (!uuid.test(hostId)) throw new Error('The id of a host is a UUID in lower case.');
  return `SET LOCAL ROLE portal_catalog_host; SET LOCAL app.host TO '${hostId}'`;
}

/** The few columns by which many hosts are looked after; what they are is granted in the migrations. */
export const asAllHosts = 'SET LOCAL ROLE portal_catalog_all_hosts';

/** Tables themselves, not their rows: as the user that the connection was opened with. */
export const asOwner = 'SET LOCAL ROLE NONE';

/** How long each statement may take. */
export function atMost(milliseconds: number): string {
  return `SET LOCAL statement_timeout TO ${String(Math.ceil(milliseconds))}`;
}
