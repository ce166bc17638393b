import type { Sql } from '../eventsourcing/sql.js';
import { isNarrowed, type Visibility } from '../platform/auth/visibility.js';
import { cutReferences, type IsSeen, type Referring } from './endpoint-references.js';
import { visibleEndpoints } from './endpoints.filter.js';

/**
 * What a reader may see of the references of a tool or endpoint of this API version. A key means the endpoint of the
 * version that names it; where that has none, whatever has it. Who is confined to an agent's catalog sees those that the catalog names.
 */
export async function referencesSeen(
  sql: Sql,
  visibility: Visibility,
  apiVersionId: string | null,
  metadata: readonly Referring[],
): Promise<IsSeen> {
  const { within: agentScope } = visibility;
  if (agentScope !== undefined) return (key) => agentScope.references(key, apiVersionId ?? undefined);
  if (!isNarrowed(visibility)) return () => true;
  const keys = new Set<string>();
  for (const each of metadata) cutReferences(each, (key) => keys.add(key).has(key));
  if (keys.size === 0) return () => false;
  const where = visibleEndpoints(visibility)
    .add('endpoint = ANY(?::text[])', [...keys])
    .add(
      `api_version_id = ?::uuid OR NOT EXISTS (
         SELECT FROM api_endpoint_t own
         WHERE own.host_id = e.host_id AND own.api_version_id = ?::uuid AND own.endpoint = e.endpoint)`,
      apiVersionId,
      apiVersionId,
    );
  const rows = await sql.query<{ readonly key: string }>(
    `SELECT DISTINCT endpoint AS key FROM api_endpoint_t e ${where.sql()}`,
    where.values,
  );
  const seen = new Set(rows.map(({ key }) => key));
  return (key) => seen.has(key);
}
