/** The index of one host in memory: words of its documents, and the facts by which they are filtered. */
import { type Facets, passes } from '../../../packages/ranking/macro-filter.js';
import type { Statistics } from '../../../packages/ranking/document.js';
import { integers } from '../../../packages/ranking/growing.js';
import type { Asked } from '../../../packages/ranking/rank.js';
import { product, weightOf } from '../../../packages/ranking/weight.js';
import { WordIndex } from '../../../packages/ranking/word-index.js';
import { type Found, searchWords } from '../../../packages/ranking/word-search.js';
import { sees, type Visibility } from '../../platform/auth/visibility.js';
import type { Tier } from '../../platform/auth/sensitivity-tier.js';
import { type Kind, kinds, type SearchDocument } from '../documents/search-document.js';
import { contextOf } from '../documents/search-documents.filter.js';
import { signalsOf } from '../found.js';
import type { SearchBody } from '../search.schemas.js';

/** Columns of `search_document_t` that an index is made of. */
const facts = [
  ...['service_id', 'env_tag', 'sensitivity_tier', 'domain', 'semantic_namespace', 'source_protocol'],
  ...['implementation_type', 'lifecycle_status', 'api_id', 'target_personas', 'tags', 'categories'],
  'required_context',
] as const;
export const indexedColumns = `d.kind, d.entity_id, ${facts.map((fact) => `d.${fact}`).join(', ')},
       d.semantic_weight, d.read_only, d.destructive, d.words`;
export type IndexedRow = Omit<
  SearchDocument,
  'name' | 'description' | 'api_version_id' | 'endpoint' | 'related' | 'terms' | 'length'
>;

/** What filters compare, once for all documents that have the same. */
interface Compared {
  readonly serviceId: string | null;
  readonly envTag: string | null;
  readonly tier: Tier | null;
  readonly requiredContext: readonly string[];
  readonly facets: Facets;
}

/** Marks that are kept, of the questions asked last. */
const MAX_MARKS = 32;
/** Bytes of what filters compare. */
const OF_COMPARED = 700;

/** Which documents may be found, and what is known of those together. */
interface Marked {
  readonly version: number;
  readonly marks: Uint8Array;
  readonly statistics: Statistics;
}

/** The documents of one host. */
export class HostIndex {
  /** Position of the log up to which its documents are in. */
  position = 0;
  private readonly ofKinds: Readonly<Record<Kind, KindIndex>>;

  constructor() {
    this.ofKinds = {
      tool: new KindIndex('tool'),
      skill: new KindIndex('skill'),
      endpoint: new KindIndex('endpoint'),
    };
  }

  put(row: IndexedRow): void {
    this.ofKinds[row.kind].put(row);
  }

  remove(kind: Kind, id: string): void {
    this.ofKinds[kind].words.remove(id);
  }

  of(kind: Kind): KindIndex {
    return this.ofKinds[kind];
  }

  get bytes(): number {
    return kinds.reduce((sum, kind) => sum + this.ofKinds[kind].bytes, 0);
  }

  get size(): number {
    return kinds.reduce((sum, kind) => sum + this.ofKinds[kind].words.size, 0);
  }

  /** Documents that were changed or removed since: their numbers still take room. */
  get gone(): number {
    return kinds.reduce((sum, kind) => sum + this.ofKinds[kind].words.gone, 0);
  }
}

/** The documents of one kind. */
export class KindIndex {
  readonly words = new WordIndex();
  private readonly compared: Compared[] = [];
  private readonly numbers = new Map<string, number>();
  private readonly comparedAt = integers();
  private readonly marked = new Map<string, Marked>();

  constructor(private readonly kind: Kind) {}

  get bytes(): number {
    const marks = this.marked.size * this.words.ids.length * 2;
    return this.words.bytes + this.comparedAt.bytes + this.compared.length * OF_COMPARED + marks;
  }

  put(row: IndexedRow): void {
    const signals = signalsOf(row);
    // What may fail comes first, so that the facts of later documents stay in step with their words.
    const number = this.numberOf(row);
    this.words.put(row.entity_id, row.words, {
      informational: product(weightOf(signals, true)),
      other: product(weightOf(signals, false)),
    });
    this.comparedAt.push(number);
  }

  /** Statistics of all that the token may see of this kind. */
  statistics(visibility: Visibility): Statistics {
    return this.markedBy(JSON.stringify(seenBy(visibility)), (compared) => isSeen(visibility, compared))
      .statistics;
  }

  /** The best that the token may see and that pass the filters of the question, best first. */
  best(visibility: Visibility, question: SearchBody, asked: Asked, limit: number): Found[] {
    const { filters, serviceId, envTag, context } = question;
    const statistics = this.statistics(visibility);
    const { marks } = this.markedBy(
      JSON.stringify([seenBy(visibility), filters, serviceId, envTag, context]),
      (compared) => isSeen(visibility, compared) && isAsked(question, compared),
    );
    return searchWords(this.words, { asked, statistics, marked: marks, limit });
  }

  private markedBy(key: string, holds: (compared: Compared) => boolean): Marked {
    const known = this.marked.get(key);
    this.marked.delete(key);
    const made = known?.version === this.words.version ? known : this.mark(holds);
    this.marked.set(key, made);
    const [oldest] = this.marked.keys();
    if (this.marked.size > MAX_MARKS && oldest !== undefined) this.marked.delete(oldest);
    return made;
  }

  private mark(holds: (compared: Compared) => boolean): Marked {
    const held = Uint8Array.from(this.compared, (compared) => Number(holds(compared)));
    const { live, version } = this.words;
    const marks = live.values.slice(0, live.length);
    for (let place = 0; place < marks.length; place += 1) {
      if (held[this.comparedAt.at(place)] !== 1) marks[place] = 0;
    }
    return { version, marks, statistics: this.words.statisticsOf(marks) };
  }

  private numberOf(row: IndexedRow): number {
    const key = JSON.stringify(facts.map((fact) => row[fact]));
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    this.numbers.set(key, this.compared.length);
    this.compared.push(this.comparedOf(row));
    return this.compared.length - 1;
  }

  private comparedOf(row: IndexedRow): Compared {
    const facets = {
      domain: row.domain ?? undefined,
      semanticNamespace: row.semantic_namespace ?? undefined,
      targetPersonas: this.kind === 'skill' ? undefined : row.target_personas,
      sensitivityTier: row.sensitivity_tier ?? undefined,
      sourceProtocol: row.source_protocol ?? undefined,
      implementationType: row.implementation_type ?? undefined,
      lifecycleStatus: row.lifecycle_status ?? undefined,
      apiId: row.api_id ?? undefined,
      ...{ tags: row.tags, categories: row.categories },
    };
    const { service_id: serviceId, env_tag: envTag, required_context: requiredContext } = row;
    // The follower writes no other words than those of tiers.
    return { serviceId, envTag, tier: row.sensitivity_tier as Tier | null, requiredContext, facets };
  }
}

/** What tells visibilities apart here: with a scope of an agent nothing is seen, since no catalog is known here. */
function seenBy({ services, environments, tiers, within }: Visibility): unknown {
  return [services, environments, tiers, within !== undefined];
}

function isSeen(visibility: Visibility, { serviceId, envTag, tier }: Compared): boolean {
  return sees(visibility, { serviceId, envTag, ...(tier !== null && { tier }) });
}

/** As `askedDocuments` puts it into SQL. */
function isAsked(question: SearchBody, { serviceId, envTag, requiredContext, facets }: Compared): boolean {
  const context = contextOf(question);
  return (
    (question.serviceId === undefined || serviceId === null || serviceId === question.serviceId.trim()) &&
    (question.envTag === undefined || envTag === null || envTag === question.envTag.trim()) &&
    (context === undefined || requiredContext.every((name) => context.includes(name))) &&
    passes(facets, question.filters ?? {})
  );
}
