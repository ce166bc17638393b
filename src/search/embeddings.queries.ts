import type { Sql } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { listPage } from '../platform/database/page.js';
import type { EmbeddingProfile } from './embedding.provider.js';
import type { EmbeddingListQuery, EmbeddingProgress, ListedEmbedding } from './embeddings.schemas.js';
import { liveModel } from './embeddings.statement.js';
import { visibleDocuments } from './search-documents.filter.js';

const columns = `d.kind, d.entity_id AS id, d.name, e.source_field AS "sourceField", e.source_hash AS "sourceHash", e.model,
  e.dimension, e.status, e.attempts, e.error, e.embedded_at AS "embeddedAt"`;

/** By name, then id and text. */
export async function listEmbeddings(
  sql: Sql,
  visibility: Visibility,
  { limit, cursor, ...wanted }: EmbeddingListQuery,
): Promise<{ items: ListedEmbedding[]; nextCursor?: string }> {
  const where = visibleDocuments(visibility);
  // Only what is active is searched.
  if (wanted.active === 'false') where.add('false');
  if (wanted.status !== undefined) where.add('e.status = ?', wanted.status);
  if (wanted.kind !== undefined) where.add('e.kind = ?', wanted.kind);
  if (wanted.model !== undefined) where.add('e.model = ?', wanted.model);
  const place = `(e.entity_id::text || e.model || e.source_field || e.source_hash)`;
  const from = `(SELECT e.*, ${place} AS place FROM search_embedding_t e) e JOIN search_document_t d
    ON d.host_id = e.host_id AND d.kind = e.kind AND d.entity_id = e.entity_id`;
  const request = {
    select: `${columns}, e.place`,
    from,
    where,
    text: 'd.name',
    id: 'e.place',
    limit,
    cursor,
  };
  const { rows, ...next } = await listPage<ListedEmbedding & { place: string }>(sql, request);
  return { items: rows.map(({ place: _, ...item }) => item), ...next };
}

/** How far a host's vectors are. */
export async function embeddingProgressOf(
  sql: Sql,
  hostId: string,
  { model, dimension }: EmbeddingProfile,
): Promise<EmbeddingProgress> {
  const models = await sql.query<EmbeddingProgress['models'][number]>(
    `SELECT model, count(*) FILTER (WHERE status = 'pending')::int AS pending,
            count(*) FILTER (WHERE status = 'ready')::int AS ready,
            count(*) FILTER (WHERE status = 'failed')::int AS failed
       FROM search_embedding_t WHERE host_id = $1 GROUP BY model ORDER BY model COLLATE "C"`,
    [hostId],
  );
  const [live] = await sql.query<{ model: string }>(liveModel, [hostId]);
  return { model, dimension, live: live?.model ?? null, models };
}
