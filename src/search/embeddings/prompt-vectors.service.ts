import { Inject, Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Cosines, VectorTerms } from '../../../packages/ranking/rank.js';
import { DATABASE, type Database, type Sql } from '../../kernel/sql.js';
import { FORMER_EMBEDDINGS, type FormerProviders } from './configured.provider.js';
import { type EmbeddingProvider, EMBEDDINGS, ProviderFault } from './embedding.provider.js';
import type { Kind } from '../documents/search-document.js';
import { vectorText } from './embedding.worker.js';
import { cosinesOf, liveModel } from './embeddings.statement.js';
import { type CosineRow, cosinesIn } from '../found.js';

/** A prompt's vector, comparable with those of a host. */
export interface PromptVector {
  readonly model: string;
  /** As pgvector reads it. */
  readonly vector: string;
  /** How likeness is weighed. */
  readonly terms: VectorTerms;
}

/** Milliseconds for which a host's model counts as the live one. */
const KEPT = 1_000;

/** Embeds prompts. */
@Injectable()
export class PromptVectors {
  private readonly log = new Logger('Embeddings');
  private readonly known = new LRUCache<string, string>({ max: 1_000 });
  private readonly live = new LRUCache<string, string>({ max: 1_000, ttl: KEPT });

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(EMBEDDINGS) private readonly provider: EmbeddingProvider,
    @Inject(FORMER_EMBEDDINGS) private readonly former: FormerProviders,
  ) {}

  /**
   * Uses the former model while the vectors of a new one are being made. Undefined where the provider fails, or
   * nobody here has that model.
   */
  async of(hostId: string, prompt: string): Promise<PromptVector | undefined> {
    const provider = await this.providerFor(hostId);
    if (provider === undefined) return undefined;
    const { model } = provider.profile;
    try {
      return { model, vector: await this.vectorOf(provider, prompt), terms: provider.profile };
    } catch (error) {
      if (!(error instanceof ProviderFault)) throw error;
      this.log.warn(error.message);
      return undefined;
    }
  }

  /** Cosines of the prompt and records that have a vector, by id. */
  async cosines(
    hostId: string,
    prompt: PromptVector | undefined,
    of: { readonly kinds: readonly Kind[]; readonly ids: readonly string[] },
    sql: Sql = this.database.of(hostId),
  ): Promise<ReadonlyMap<string, Cosines>> {
    if (prompt === undefined || of.ids.length === 0) return new Map();
    const rows = await sql.query<CosineRow & { readonly entity_id: string }>(
      cosinesOf,
      [hostId, prompt.model, prompt.vector, of.kinds, of.ids],
      'search_cosines',
    );
    return new Map(rows.map((row) => [row.entity_id, cosinesIn(row)]));
  }

  private async providerFor(hostId: string): Promise<EmbeddingProvider | undefined> {
    const model = this.live.get(hostId) ?? (await this.liveModel(hostId));
    return model === this.provider.profile.model ? this.provider : this.former(model);
  }

  private async liveModel(hostId: string): Promise<string> {
    const [live] = await this.database
      .of(hostId)
      .query<{ model: string }>(liveModel, [hostId], 'search_live_model');
    const model = live?.model ?? this.provider.profile.model;
    // Only built-in vectors, which refine and find nothing: a model that finds is asked for each time.
    if (model === this.provider.profile.model && !this.provider.profile.alone) this.live.set(hostId, model);
    return model;
  }

  private async vectorOf(provider: EmbeddingProvider, prompt: string): Promise<string> {
    const key = `${provider.profile.model}\n${prompt}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const [vector] = await provider.embed([prompt], 'query');
    const text = vectorText(vector);
    this.known.set(key, text);
    return text;
  }
}
