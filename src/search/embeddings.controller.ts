import { Controller, Get, Inject, Query } from '@nestjs/common';
import { FollowerRunner } from '../eventsourcing/follower-runner.js';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import type { Caller } from '../platform/auth/caller.js';
import { visibilityOf } from '../platform/auth/visibility.js';
import { Operation } from '../platform/http/operation.js';
import { CallerOf } from '../platform/http/parameters.js';
import { listAnswer } from '../platform/http/schemas.js';
import { EMBEDDINGS, type EmbeddingProvider } from './embedding.provider.js';
import { embeddingProgressOf, listEmbeddings } from './embeddings.queries.js';
import { embeddingListQuery, embeddingProgress, listedEmbedding } from './embeddings.schemas.js';
import type { EmbeddingListQuery, EmbeddingProgress, ListedEmbedding } from './embeddings.schemas.js';
import { patience, searchDocuments } from './search-documents.follower.js';

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
        live: 'lexical-hash-2',
        models: [
          { model: 'lexical-hash-2', pending: 0, ready: 1200, failed: 0 },
          { model: 'text-embedding-3-small', pending: 400, ready: 800, failed: 0 },
        ],
      },
    },
  })
  async progress(@CallerOf() { hostId }: Caller): Promise<EmbeddingProgress> {
    const fresh = await this.followers.reach(searchDocuments, hostId, patience);
    const progress = await embeddingProgressOf(this.database.of(hostId), hostId, this.provider.profile);
    return { ...progress, ...(!fresh && { degraded: ['index'] }) };
  }
}
