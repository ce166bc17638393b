import { v5 } from 'uuid';
import { skillSearchable } from '../packages/ranking/tool-texts.js';
import type { FollowerRunner } from '../src/kernel/follower-runner.js';
import type { Database } from '../src/kernel/sql.js';
import type { Caller } from '../src/platform/auth/caller.js';
import { SlowReads } from '../src/platform/work/slow-reads.js';
import { HostSearch } from '../src/search/host-search/host-search.service.js';
import { keepDocuments } from '../src/search/documents/search-documents.follower.js';
import { lexicalProvider } from '../src/search/embeddings/configured.provider.js';
import { PromptVectors } from '../src/search/embeddings/prompt-vectors.service.js';
import { wordColumns, type MadeDocument } from '../src/search/documents/search-document.js';

export const hostId = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e01';

const verbs =
  'get list create update delete search send cancel approve export import book pay convert verify'.split(' ');
const nouns =
  'account invoice order customer payment ticket flight hotel weather report document contract shipment refund budget ' +
  'employee calendar message policy claim loan transfer portfolio device sensor alert image song restaurant route';
const subjects = nouns.split(' ');

/** Words by their rank, the frequent ones far more often, as in any language. */
const rare = (seed: number): string => `term${Math.floor(40_000 ** (hashed(seed) ** 0.7))}`;
const hashed = (seed: number): number =>
  ((Math.imul(seed ^ (seed >>> 13), 0x5bd1e995) >>> 8) % 65_536) / 65_536;
const of = (list: readonly string[], seed: number): string =>
  list[Math.floor(hashed(seed) * list.length)] ?? '';

/** Name and description of the tool of this number. */
export function textsOf(index: number) {
  const [verb, subject, object] = [
    of(verbs, index * 3),
    of(subjects, index * 5 + 1),
    of(subjects, index * 7 + 2),
  ];
  const words = Array.from({ length: 12 }, (_, place) => rare(index * 131 + place));
  return {
    name: `${verb}_${subject}_${object}_${words[0] ?? ''}`,
    description: `Use this to ${verb} the ${subject} of a ${object}, by ${words.join(' ')}.`,
  };
}

/** What somebody might ask for the tool of this number. */
export function promptOf(index: number): string {
  const { name } = textsOf(index * 37);
  const [verb = '', subject = '', object = '', word = ''] = name.split('_');
  return `could you ${verb} the ${subject} for that ${object} with ${word} please`;
}

/** Made-up tools of one host, in a hundred domains, with vectors. */
export class SearchWorld {
  private size = 0;

  constructor(private readonly database: Database) {}

  async growTo(size: number): Promise<void> {
    await this.database.asOwner.query(
      `CREATE TABLE IF NOT EXISTS bench_plain_t (entity_id uuid PRIMARY KEY, text tsvector NOT NULL)`,
    );
    await this.database.asOwner.query(
      'CREATE INDEX IF NOT EXISTS bench_plain_ix ON bench_plain_t USING gin (text)',
    );
    while (this.size < size) {
      const documents = Array.from({ length: Math.min(1000, size - this.size) }, (_, at) =>
        documentAt(this.size + at),
      );
      await this.add(documents);
      this.size += documents.length;
    }
  }

  private async add(documents: readonly MadeDocument[]): Promise<void> {
    const { model, dimension } = lexicalProvider.profile;
    const ids = documents.map(({ entity_id: id }) => id);
    const embedded = { model, dimension, fields: ['name', 'description'] as const };
    const texts = documents.map(({ name, description }) => `${name}\n${description}`);
    const vectors = await lexicalProvider.embed(texts, 'document');
    await this.database.asOwner.transaction(async (tx) => {
      await keepDocuments(tx, { hostId, kind: 'tool', ids, embedded }, documents);
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

function documentAt(index: number): MadeDocument {
  const texts = textsOf(index);
  const id = v5(String(index), hostId);
  return {
    kind: 'tool',
    entity_id: id,
    ...texts,
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
    ...wordColumns(hostId, skillSearchable({ skillId: id, contentMarkdown: '', ...texts })),
  };
}

/** The search of the service, over what is there: nothing is behind that would have to catch up. */
export function searchOver(database: Database): (prompt: string) => Promise<unknown> {
  const followers = { reach: () => Promise.resolve(true) } as unknown as FollowerRunner;
  const search = new HostSearch(
    database,
    followers,
    new PromptVectors(database, lexicalProvider, () => undefined),
    new SlowReads(database.embedded ? 1 : 8),
  );
  const caller: Caller = {
    ...{ actor: { user: 'bench' }, issuer: 'bench', hostId, fingerprint: 'bench', expiresAt: Infinity },
    ...{ services: 'all', environments: ['dev'], scopes: new Set(['catalog:read']) },
  };
  return (prompt) => search.search(caller, { prompt, kinds: ['tool'], limit: 10, explain: false });
}
