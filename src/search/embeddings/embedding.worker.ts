import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { CommandEngine } from '../../kernel/command-engine.js';
import { DATABASE, type Database } from '../../kernel/sql.js';
import { type EmbeddingProvider, EMBEDDINGS, ProviderFault, TextFault } from './embedding.provider.js';
import * as statements from './embeddings.statement.js';
import { searchDocuments } from '../documents/search-documents.follower.js';

/** Milliseconds between two searches for work. */
const period = 500;
/** Milliseconds between two searches for work of other instances, and for hosts that are complete. */
const modelPeriod = 60_000;
/** Vectors that are added to the index of walks in one statement. */
const MAX_ADDED = 1_000;
/** Longest pause that a provider may ask for, in milliseconds. */
const MAX_REST = 3_600_000;
/** Waits for writes before each batch. */
const idlePolicy = { quietMs: 500, maxDelayMs: 2_000 } as const;

interface Due {
  readonly host_id: string;
  readonly kind: string;
  readonly entity_id: string;
  readonly source_field: string;
  readonly source_hash: string;
  readonly source_text: string;
}

/**
 * Embeds texts without a vector. Claims them in a short transaction, embeds them outside of any, and stores the
 * vector where the text is still the same; instances share the work. Makes no event and no version: a catalog never
 * depends on it.
 */
@Injectable()
export class EmbeddingWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger('Embeddings');
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> | undefined;
  private readonly stopping = new AbortController();
  /** When this instance started, by the clock of the database. */
  private started: string | undefined;
  private nextModelLook = 0;
  /** The provider asks to wait until then. */
  private rest = 0;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(EMBEDDINGS) private readonly provider: EmbeddingProvider,
    @Inject(CommandEngine) private readonly writers: Pick<CommandEngine, 'whenIdle'>,
  ) {}

  /** Throws ProviderFault where the provider gives what can't be used; one that does not answer is tried again. */
  async onApplicationBootstrap(): Promise<void> {
    await this.provider.embed(['ready?'], 'query').catch((error: unknown) => {
      if (!(error instanceof ProviderFault) || !error.passing) throw error;
      this.log.warn(`${error.message} Search goes without vectors until then.`);
    });
    this.timer = setInterval(() => {
      this.round ??= this.work().finally(() => (this.round = undefined));
    }, period).unref();
  }

  /** Finishes the batch under way. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    clearInterval(this.timer);
    await this.round;
  }

  /** Embeds all that is due now. */
  async work(): Promise<void> {
    try {
      const now = this.started ?? (await this.now());
      this.started ??= now;
      // An instance may have died between the last vector and the switch of models.
      let changed = performance.now() >= this.nextModelLook && (await this.lookAround());
      while (!this.stopping.signal.aborted && (await this.batch()) > 0) changed = true;
      if (changed) await this.goLive();
    } catch (error) {
      this.log.error(`Vectors could not be made: ${String(error)}`);
    }
  }

  private async now(): Promise<string | undefined> {
    const [row] = await this.database.acrossHosts.query<{ now: string }>('SELECT now()::text AS now');
    return row?.now;
  }

  /** Finds work that other instances have left; seldom, since it reads all vectors. */
  private async lookAround(): Promise<true> {
    await this.lookForOtherModels();
    await this.addToWalks();
    this.nextModelLook = performance.now() + modelPeriod;
    return true;
  }

  /** Adds texts that only other models have, and drops vectors of a model that a newer one has replaced. */
  async lookForOtherModels(): Promise<void> {
    const { model, dimension } = this.provider.profile;
    const hosts = await this.database.acrossHosts.query<{ host_id: string; successor: string | null }>(
      statements.otherModels,
      [model, this.started],
    );
    for (const { host_id: hostId, successor } of hosts) {
      await this.database.of(hostId).transaction(async (tx) => {
        await tx.query(statements.holdFollower, [hostId, searchDocuments]);
        await tx.query(statements.addModel, [hostId, successor ?? model, dimension]);
        if (successor !== null) await tx.query(statements.dropVectors, [hostId, model]);
      });
    }
  }

  /** Adds vectors to the index where searches walk it. */
  private async addToWalks(): Promise<void> {
    const { model, alone } = this.provider.profile;
    if (!alone) return;
    let added: readonly object[];
    do {
      await this.writers.whenIdle(idlePolicy, this.stopping.signal);
      added = await this.database.acrossHosts.query(statements.addToWalks, [model, MAX_ADDED]);
    } while (!this.stopping.signal.aborted && added.length === MAX_ADDED);
  }

  /** Embeds one batch, and returns its size. */
  private async batch(): Promise<number> {
    if (performance.now() < this.rest) return 0;
    await this.writers.whenIdle(idlePolicy, this.stopping.signal);
    if (this.stopping.signal.aborted) return 0;
    const { model, batch, lease } = this.provider.profile;
    const due = await this.database.acrossHosts.query<Due>(statements.claimDue, [model, batch, lease]);
    if (due.length > 0) await this.embed(due);
    return due.length;
  }

  /** Halves a refused batch until the texts at fault are known; the others get their vectors. */
  private async embed(due: readonly Due[]): Promise<void> {
    const { model, alone } = this.provider.profile;
    const keys = due.map(({ source_text: _, ...key }) => key);
    try {
      const vectors = await this.provider.embed(
        due.map(({ source_text: text }) => text),
        'document',
      );
      const rows = keys.map((key, index) => ({ ...key, embedding: vectorText(vectors[index]) }));
      await this.database.acrossHosts.query(statements.storeVectors, [model, JSON.stringify(rows), alone]);
    } catch (error) {
      if (!(error instanceof ProviderFault)) throw error;
      const isRefused = error instanceof TextFault;
      if (isRefused && due.length > 1) {
        const half = Math.ceil(due.length / 2);
        await this.embed(due.slice(0, half));
        return this.embed(due.slice(half));
      }
      this.log.warn(`${due.length} texts could not be embedded: ${error.message}`);
      const wait = error.wait ?? 0;
      this.rest = performance.now() + Math.min(wait, MAX_REST);
      const failure = [model, JSON.stringify(keys), error.message, isRefused, wait / 1000];
      await this.database.acrossHosts.query(statements.storeFailure, failure);
    }
  }

  /** Switches hosts whose vectors are complete to the new model. */
  private async goLive(): Promise<void> {
    const { model } = this.provider.profile;
    await this.database.acrossHosts.transaction(async (tx) => {
      const live = await tx.query<{ host_id: string }>(statements.goLive, [model, this.started]);
      const hosts = live.map(({ host_id: host }) => host);
      if (hosts.length === 0) return;
      await tx.query(statements.dropOldModels, [hosts, model]);
      await tx.query(statements.dropOldVectors, [hosts, model]);
    });
  }
}

/** As pgvector reads it. */
export function vectorText(vector: Float32Array | undefined): string {
  if (vector === undefined) throw new Error('A provider gave fewer vectors than texts.');
  return `[${vector.join()}]`;
}
