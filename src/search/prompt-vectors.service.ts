import { Inject, Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { VectorTerms } from '../../packages/ranking/rank.js';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import { EMBEDDINGS, type EmbeddingProvider } from './embedding.provider.js';
import { ProviderFault } from './provider-fault.js';
import { vectorText } from './embedding.worker.js';
import { cosinesOf, liveModel } from './embeddings.statement.js';

/** A prompt as the vectors of a host can be compared with it. */
export interface PromptVector {
  readonly model: string;
  /** As pgvector reads it. */
  readonly vector: string;
}

/** Embeds prompts. */
@Injectable()
export class PromptVectors {
  private readonly log = new Logger('Embeddings');
  private readonly known = new LRUCache<string, string>({ max: 1_000 });

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(EMBEDDINGS) private readonly provider: EmbeddingProvider,
  ) {}

  get terms(): VectorTerms {
    return this.provider.profile;
  }

  /** Undefined where the provider fails, or while the host's vectors of its model are still being made. */
  async of(hostId: string, prompt: string): Promise<PromptVector | undefined> {
    const { model } = this.provider.profile;
    const live = await this.database.query<{ model: string }>(liveModel, [hostId], 'search_live_model');
    if (live.length > 0 && !live.some((one) => one.model === model)) return undefined;
    try {
      return { model, vector: await this.vectorOf(prompt) };
    } catch (error) {
      if (!(error instanceof ProviderFault)) throw error;
      this.log.warn(error.message);
      return undefined;
    }
  }

  /** Likeness of each of these to the prompt, by id, where they have a vector. */
  async cosines(
    hostId: string,
    prompt: PromptVector | undefined,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    if (prompt === undefined || ids.length === 0) return new Map();
    const rows = await this.database.query<{ entity_id: string; cosine: number }>(
      cosinesOf,
      [hostId, prompt.model, prompt.vector, ids],
      'search_cosines',
    );
    return new Map(rows.map((row) => [row.entity_id, row.cosine]));
  }

  private async vectorOf(prompt: string): Promise<string> {
    const known = this.known.get(prompt);
    if (known !== undefined) return known;
    const [vector] = await this.provider.embed([prompt], 'query');
    const text = vectorText(vector);
    this.known.set(prompt, text);
    return text;
  }
}
