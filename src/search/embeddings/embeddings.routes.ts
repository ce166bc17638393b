import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { dateTime, listAnswer, listProperties, objectOf, uuid } from '../../platform/http/schemas.js';
import { kinds } from '../documents/search-document.js';
import { DATABASE, type Database, type Sql } from '../../kernel/sql.js';
import { type Visibility, visibilityOf } from '../../platform/auth/visibility.js';
import { listPage } from '../../platform/database/page.js';
import { type EmbeddingProfile, type EmbeddingProvider, EMBEDDINGS } from './embedding.provider.js';
import { liveModel } from './embeddings.statement.js';
import { visibleDocuments } from '../documents/search-documents.filter.js';
import { Controller, Get, Inject, Query } from '@nestjs/common';
import { FollowerRunner } from '../../kernel/follower-runner.js';
import type { Caller } from '../../platform/auth/caller.js';
import { Operation } from '../../platform/http/operation.js';
import { CallerOf } from '../../platform/http/parameters.js';
import { patience, searchDocuments } from '../documents/search-documents.follower.js';

const status = { type: 'string', enum: ['pending', 'ready', 'failed'] } as const;
const kind = { type: 'string', enum: kinds } as const;

const embeddingListQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...listProperties,
    status: { ...status, description: 'failed ones are tried again.' },
    kind,
    model: { type: 'string', minLength: 1, maxLength: 512 },
  },
} as const satisfies JSONSchema;
type EmbeddingListQuery = FromSchema<typeof embeddingListQuery>;

const textOrNull = { type: ['string', 'null'] } as const;

const listedEmbedding = objectOf({
  kind,
  id: { ...uuid, description: 'Of the tool, skill or endpoint.' },
  name: { type: 'string' },
  sourceField: { type: 'string', enum: ['text', 'example'] },
  sourceHash: {
    type: 'string',
    description: 'Hex SHA-256 of the text: unchanged, it is not embedded again.',
  },
  model: { type: 'string' },
  dimension: { type: 'integer' },
  status,
  attempts: { type: 'integer' },
  error: textOrNull,
  embeddedAt: { ...dateTime, type: ['string', 'null'] },
});
type ListedEmbedding = FromSchema<typeof listedEmbedding>;

const embeddingProgress = objectOf(
  {
    model: { type: 'string', description: 'What the environment names.' },
    dimension: { type: 'integer' },
    live: { type: ['string', 'null'], description: 'The model whose vectors are complete and in use.' },
    models: {
      type: 'array',
      items: objectOf({
        model: { type: 'string' },
        pending: { type: 'integer' },
        ready: { type: 'integer' },
        failed: { type: 'integer' },
      }),
    },
    degraded: {
      type: 'array',
      items: { type: 'string', enum: ['index'] },
      description: '`index`: the latest changes are not in yet.',
    },
  },
  ['degraded'],
);
type EmbeddingProgress = FromSchema<typeof embeddingProgress>;

const columns = `d.kind, d.entity_id AS id, d.name, e.source_field AS "sourceField", e.source_hash AS "sourceHash", e.model,
  e.dimension, e.status, e.attempts, e.error, e.embedded_at AS "embeddedAt"`;

/** By name, then id and text. */
async function listEmbeddings(
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

/** Counts the vectors of a host by model and state. */
async function embeddingProgressOf(
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

@Controller('v1/hosts/:hostId/embeddings')
export class EmbeddingsController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(EMBEDDINGS) private readonly provider: EmbeddingProvider,
    private readonly followers: FollowerRunner,
  ) {}

  @Get()
  @Operation({
    id: 'listEmbeddings',
    summary: 'List the vectors of what is searched',
    description: 'One for the text of each tool, skill and endpoint, and one for each example prompt.',
    scope: 'catalog:read',
    confined: 'refused',
    query: embeddingListQuery,
    answer: listAnswer(listedEmbedding),
    example: {
      query: { status: 'failed' },
      answer: {
        items: [
          {
            kind: 'tool',
            id: '0199a000-0000-7000-8000-000000000004',
            name: 'getAccounts',
            sourceField: 'text',
            sourceHash: 'ea0cb52faadc41f6f5436f1e7a98b2159b07d146486955a28fb081059407b839',
            model: 'text-embedding-3-small',
            dimension: 384,
            status: 'failed',
            attempts: 3,
            error: 'The embedding endpoint answered 503.',
            embeddedAt: null,
          },
        ],
      },
    },
  })
  list(
    @CallerOf() caller: Caller,
    @Query() query: EmbeddingListQuery,
  ): Promise<{ items: ListedEmbedding[]; nextCursor?: string }> {
    return listEmbeddings(this.database.of(caller.hostId), visibilityOf(caller), query);
  }

  @Get('progress')
  @Operation({
    id: 'getEmbeddingProgress',
    summary: 'How far the vectors of the host are',
    description:
      'Under a new model all vectors are made beside the old ones. When all of them are there they take their place at once; ' +
      'until then the old ones serve. What was written before the question is counted.',
    scope: 'catalog:read',
    confined: 'refused',
    answer: embeddingProgress,
    example: {
      answer: {
        model: 'text-embedding-3-small',
        dimension: 384,
        live: 'english-words-2',
        models: [
          { model: 'english-words-2', pending: 0, ready: 1200, failed: 0 },
          { model: 'text-embedding-3-small', pending: 400, ready: 800, failed: 0 },
        ],
      },
    },
  })
  async progress(@CallerOf() { hostId }: Caller): Promise<EmbeddingProgress> {
    const fresh = await this.followers.reach(searchDocuments, hostId, { patience });
    const progress = await embeddingProgressOf(this.database.of(hostId), hostId, this.provider.profile);
    return { ...progress, ...(!fresh && { degraded: ['index'] }) };
  }
}
