import { v5 } from 'uuid';
import { toolSearchable } from '../packages/ranking/tool-texts.js';
import type { FollowerRunner } from '../src/kernel/follower-runner.js';
import type { Database } from '../src/kernel/sql.js';
import type { Caller } from '../src/platform/auth/caller.js';
import { SlowReads } from '../src/platform/work/slow-reads.js';
import type { Heads } from '../src/kernel/heads.js';
import { HostIndexes } from '../src/search/host-search/host-indexes.service.js';
import { HostSearch } from '../src/search/host-search/host-search.service.js';
import { keepDocuments } from '../src/search/documents/search-documents.follower.js';
import { builtInProvider } from '../src/search/embeddings/built-in.provider.js';
import { PromptVectors } from '../src/search/embeddings/prompt-vectors.service.js';
import { wordColumns, type MadeDocument } from '../src/search/documents/search-document.js';
import type { SearchTexts } from './search-texts.js';

export const hostId = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e01';

/** Tools of one host, in a hundred domains, with vectors. */
export class SearchWorld {
  private size = 0;

  constructor(
    private readonly database: Database,
    private readonly texts: SearchTexts,
  ) {}

  async growTo(size: number): Promise<void> {
    await this.database.asOwner.query(
      `CREATE TABLE IF NOT EXISTS bench_plain_t (entity_id uuid PRIMARY KEY, text tsvector NOT NULL)`,
    );
    await this.database.asOwner.query(
      'CREATE INDEX IF NOT EXISTS bench_plain_ix ON bench_plain_t USING gin (text)',
    );
    while (this.size < size) {
      const documents = Array.from({ length: Math.min(1000, size - this.size) }, (_, at) =>
        documentAt(this.size + at, this.texts),
      );
      await this.add(documents);
      this.size += documents.length;
    }
  }

  private async add(documents: readonly MadeDocument[]): Promise<void> {
    const { model, dimension } = builtInProvider.profile;
    const ids = documents.map(({ entity_id: id }) => id);
    const embedded = { model, dimension, fields: ['name', 'description'] as const };
    const texts = documents.map(({ searchable }) => Object.values(searchable.texts).join('\n'));
    const vectors = await builtInProvider.embed(texts, 'document');
    await this.database.asOwner.transaction(async (tx) => {
      await keepDocuments(tx, { hostId, kind: 'tool', ids, position: 1, embedded }, documents);
      await tx.query(
        `UPDATE search_embedding_t e SET status = 'ready', walked = true, embedding = r.vector::vector
         FROM unnest($2::uuid[], $3::text[]) r(id, vector) WHERE e.host_id = $1 AND e.entity_id = r.id`,
        [hostId, ids, vectors.map((vector) => `[${vector.join()}]`)],
      );
      await tx.query(
        `INSERT INTO bench_plain_t SELECT id, to_tsvector('english', replace(text, '_', ' '))
         FROM unnest($1::uuid[], $2::text[]) r(id, text)`,
        [ids, texts],
      );
    });
  }
}

function documentAt(index: number, texts: SearchTexts): MadeDocument {
  const { name, description, schema: inputSchema } = texts.toolAt(index);
  const id = v5(String(index), hostId);
  return {
    kind: 'tool',
    entity_id: id,
    ...{ name, description },
    service_id: 'bench',
    api_version_id: null,
    env_tag: 'dev',
    sensitivity_tier: 'internal',
    domain: `domain${index % 100}`,
    semantic_namespace: null,
    source_protocol: 'openapi',
    implementation_type: 'lightapi_endpoint',
    lifecycle_status: 'active',
    api_id: 'bench',
    target_personas: [],
    tags: [],
    categories: [],
    required_context: [],
    semantic_weight: 1,
    read_only: true,
    destructive: false,
    endpoint: null,
    related: { dependencies: [], skills: [] },
    ...wordColumns(
      hostId,
      toolSearchable({ toolId: id, name, description, inputSchema, routingMetadata: {} }),
    ),
  };
}

/** Indexes over what is there: nothing is behind that would have to catch up. */
export function indexesOver(database: Database, searchIndexBytes = 1024 ** 3): HostIndexes {
  return new HostIndexes(database, { position: () => Promise.resolve(0) } as unknown as Heads, {
    searchIndexBytes,
  });
}

/** The search of the service, over what is there. */
export function searchOver(
  database: Database,
  indexes = indexesOver(database),
): (prompt: string) => Promise<unknown> {
  const followers = { reach: () => Promise.resolve(true) } as unknown as FollowerRunner;
  const search = new HostSearch(
    database,
    followers,
    new PromptVectors(database, builtInProvider, () => undefined),
    new SlowReads(database.embedded ? 1 : 8),
    indexes,
  );
  const caller: Caller = {
    ...{ actor: { user: 'bench' }, issuer: 'bench', hostId, fingerprint: 'bench', expiresAt: Infinity },
    ...{ services: 'all', environments: ['dev'], scopes: new Set(['catalog:read']) },
  };
  return (prompt) => search.search(caller, { prompt, kinds: ['tool'], limit: 10, explain: false });
}
