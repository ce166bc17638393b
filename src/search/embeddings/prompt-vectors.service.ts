import { Inject, Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Cosines, VectorTerms } from '../../../packages/ranking/rank.js';
import { DATABASE, type Database, type Sql } from '../../kernel/sql.js';
import { Pace } from '../../kernel/pace.js';
import { builtInDirection, builtInProvider, cosineOf } from './built-in.provider.js';
import { FORMER_EMBEDDINGS, type FormerProviders } from './configured.provider.js';
import { type EmbeddingProvider, EMBEDDINGS, ProviderFault } from './embedding.provider.js';
import type { Kind, Source, SourceField } from '../documents/search-document.js';
import { vectorText } from './embedding.worker.js';
import { cosinesOf, cosinesOfTexts, liveModel } from './embeddings.statement.js';
import { type CosineRow, cosinesIn } from '../found.js';

/** A prompt's vector, comparable with those of a host. */
export interface PromptVector {
  readonly prompt: string;
  readonly model: string;
  /** As pgvector reads it. */
  readonly vector: string;
  /** How likeness is weighed. */
  readonly terms: VectorTerms;
}

/** A record with all texts that may be compared. */
export interface Disclosed {
  readonly kind: Kind;
  readonly id: string;
  readonly sources: readonly Source[];
}

type NamedCosineRow = CosineRow & { readonly entity_id: string };

/** Milliseconds for which a host's model counts as the live one. */
const KEPT = 1_000;

/** Embeds prompts. */
@Injectable()
export class PromptVectors {
  private readonly log = new Logger('Embeddings');
  private readonly known = new LRUCache<string, string>({ max: 1_000 });
  private readonly directions = new WeakMap<Source, Float32Array>();
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
      return { prompt, model, vector: await this.vectorOf(provider, prompt), terms: provider.profile };
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
    const rows = await sql.query<NamedCosineRow>(
      cosinesOf,
      [hostId, prompt.model, prompt.vector, of.kinds, of.ids],
      'search_cosines',
    );
    return cosinesById(rows);
  }

  /**
   * Cosines of the prompt and records of which no other text is disclosed than these, by id. Built-in vectors are made of these
   * texts, since none of them may be stored; a stored one of another model counts only where it is of the same text.
   */
  async cosinesOfDisclosed(
    hostId: string,
    prompt: PromptVector | undefined,
    disclosed: readonly Disclosed[],
  ): Promise<ReadonlyMap<string, Cosines>> {
    if (prompt === undefined || disclosed.length === 0) return new Map();
    if (prompt.model === builtInProvider.profile.model) return this.builtInCosines(prompt, disclosed);
    const sources = disclosed.flatMap(({ kind, id, sources: own }) =>
      own.map(({ source_field: field, source_hash: hash }) => ({ kind, id, field, hash })),
    );
    const columns = (['kind', 'id', 'field', 'hash'] as const).map((name) =>
      sources.map((source) => source[name]),
    );
    const rows = await this.database
      .of(hostId)
      .query<NamedCosineRow>(cosinesOfTexts, [hostId, prompt.model, prompt.vector, ...columns]);
    return cosinesById(rows);
  }

  private async builtInCosines(
    { prompt }: PromptVector,
    disclosed: readonly Disclosed[],
  ): Promise<ReadonlyMap<string, Cosines>> {
    const asked = builtInDirection(prompt);
    const pace = new Pace();
    const found = new Map<string, Cosines>();
    for (const { id, sources } of disclosed) {
      const nearest = (field: SourceField): number | undefined => {
        const cosines = sources.flatMap((source) =>
          source.source_field === field ? (cosineOf(asked, this.directionOf(source)) ?? []) : [],
        );
        return cosines.length === 0 ? undefined : Math.max(...cosines);
      };
      found.set(id, { cosine: nearest('text'), exampleCosine: nearest('example') });
      await pace.step();
    }
    return found;
  }

  /** Kept as long as the text is. */
  private directionOf(source: Source): Float32Array {
    const known = this.directions.get(source);
    if (known !== undefined) return known;
    const made = builtInDirection(source.source_text);
    this.directions.set(source, made);
    return made;
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

function cosinesById(rows: readonly NamedCosineRow[]): ReadonlyMap<string, Cosines> {
  return new Map(rows.map((row) => [row.entity_id, cosinesIn(row)]));
}
