/**
 * Ranks prompts over documents that are given a page at a time: the same finds in the same order as `rank` makes with all of them in
 * memory, where only the words of one page are. Pure; it computes for long, so that a process of its own carries it out.
 */
import { documentOf, type Statistics, type Words } from '../../../packages/ranking/document.js';
import { likelySpellings } from '../../../packages/ranking/prompt.js';
import { type Asked, askedOf, byScore, type Candidate, rank } from '../../../packages/ranking/rank.js';
import { product, type RankingSignals, weightOf } from '../../../packages/ranking/weight.js';
import { WordIndex } from '../../../packages/ranking/word-index.js';
import { searchWords } from '../../../packages/ranking/word-search.js';
import type { SearchDocument } from '../documents/search-document.js';
import { distinctWords, noWords, signalsOf } from '../found.js';

/** How many finds of a prompt are looked at. */
const MAX_FOUND = 10;

/** A document, as far as ranking needs it. */
export interface RankedRow extends Pick<
  SearchDocument,
  'name' | 'lifecycle_status' | 'semantic_weight' | 'read_only' | 'destructive'
> {
  readonly id: string;
  /** {@link Words} as JSON: a text goes to a process faster than what it says. */
  readonly words: string;
}

/** Columns of a {@link RankedRow}, of `search_document_t d`. */
export const rankedColumns = `d.entity_id AS id, d.name, d.lifecycle_status, d.semantic_weight, d.read_only, d.destructive,
       d.words::text AS words`;

export function rankedRow(document: Omit<SearchDocument, 'terms' | 'length'>): RankedRow {
  const { entity_id: id, name, words, lifecycle_status, semantic_weight, read_only, destructive } = document;
  return {
    ...{ id, name, lifecycle_status, semantic_weight, read_only, destructive },
    words: JSON.stringify(words),
  };
}

/** The names of the best of each prompt, best first, and the milliseconds that each took. */
export interface Finds {
  readonly found: readonly (readonly string[])[];
  readonly times: readonly number[];
}

/** What is done with documents as they are given: their words counted, and held as those of the page that is asked. */
interface Taking {
  readonly counted: boolean;
  readonly held: boolean;
}

/** Documents are counted first; then catalogs are named, and each page asked for the same prompts. */
export class PagedRanking {
  private readonly counted = { documents: 0, frequencies: new Map<string, number>() };
  private page = new Page();
  private catalogs: readonly Catalog[] = [];

  /** @param now milliseconds */
  constructor(private readonly now: () => number) {}

  take(rows: readonly RankedRow[], { counted, held }: Taking): void {
    const { frequencies } = this.counted;
    for (const row of rows) {
      const words = JSON.parse(row.words) as Words;
      if (held) this.page.hold(row, words);
      if (!counted) continue;
      for (const word of distinctWords(words)) frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
      this.counted.documents += 1;
    }
  }

  /** Lets go of the page that it holds. */
  turn(): void {
    this.page = new Page();
  }

  /** Names the catalogs that are asked: each has what was counted, and a document of its own where there is one. */
  between(own: readonly (RankedRow | undefined)[]): void {
    const counted = { ...this.counted, near: spellingsIn(this.counted.frequencies) };
    this.catalogs = own.map((row) => new Catalog(counted, row));
  }

  /** Forgets what was asked before. */
  begin(): void {
    for (const catalog of this.catalogs) catalog.begin();
  }

  /** How well each prompt finds the document of its own that the last catalog has; null where it does not. */
  scores(prompts: readonly string[]): (number | null)[] {
    const last = this.catalogs.at(-1);
    return prompts.map((prompt) => last?.scoreOf(prompt) ?? null);
  }

  /** Asks each catalog, and gives what it has found in this page and those before. `from` is the place of the first prompt among all. */
  ask(from: number, prompts: readonly string[]): Finds[] {
    return this.catalogs.map((catalog) => {
      const asked = prompts.map((prompt, at) => catalog.ask(this.page, from + at, { prompt, now: this.now }));
      return {
        found: asked.map(({ best }) => best.map(({ candidate: { name } }) => name)),
        times: asked.map(({ time }) => time),
      };
    });
  }
}

/** A method of {@link PagedRanking}, and what it is given. */
export type RankingStep = {
  [Work in keyof PagedRanking]: { readonly work: Work; readonly given: Parameters<PagedRanking[Work]> };
}[keyof PagedRanking];

export function carriedOut(ranking: PagedRanking, { work, given }: RankingStep): unknown {
  return (ranking[work] as (...given: RankingStep['given']) => unknown).apply(ranking, given);
}

/** A document that may be found, with its words or what they are worth. */
interface Named extends Candidate {
  readonly name: string;
}

interface Best {
  readonly candidate: Named;
  readonly score: number;
}

/** The words of some documents, ready to be searched. */
class Page {
  private readonly index = new WordIndex();
  private readonly named = new Map<string, RankingSignals & { readonly name: string }>();

  hold(row: RankedRow, words: Words): void {
    const signals = signalsOf(row);
    this.named.set(row.id, { name: row.name, ...signals });
    const [informational, other] = [product(weightOf(signals, true)), product(weightOf(signals, false))];
    this.index.put(row.id, words, { informational, other });
  }

  /** At least the best, with what their words are worth. */
  search(asked: Asked, statistics: Statistics): Named[] {
    const { values: marked } = this.index.live;
    return searchWords(this.index, { asked, statistics, marked, limit: MAX_FOUND }).flatMap(
      ({ id, counted }) => {
        const named = this.named.get(id);
        return named === undefined ? [] : [{ ...named, document: { ...noWords, id }, counted }];
      },
    );
  }
}

/** A prompt of one catalog: taken apart, and what it has found so far. */
interface Asking {
  readonly asked: Asked;
  readonly best: readonly Best[];
  readonly time: number;
}

/** What was counted of all documents. */
interface Counted {
  readonly documents: number;
  readonly frequencies: ReadonlyMap<string, number>;
  /** The words that an unknown one may have meant. */
  readonly near: (written: string) => readonly string[];
}

/** Looks through all words once for each unknown one, however many prompts and catalogs ask for it. */
function spellingsIn(frequencies: ReadonlyMap<string, number>): Counted['near'] {
  const known = new Map<string, readonly string[]>();
  return (written) => {
    const near = known.get(written) ?? likelySpellings(written, frequencies.keys()).map(({ word }) => word);
    known.set(written, near);
    return near;
  };
}

/** The documents that were counted, and one more where there is one. */
class Catalog {
  private readonly own: readonly Named[];
  private readonly statistics: Statistics;
  private asking: Asking[] = [];

  constructor({ documents, frequencies, near }: Counted, own: RankedRow | undefined) {
    const ownWords: Words =
      own === undefined ? { fields: {}, examples: [] } : (JSON.parse(own.words) as Words);
    const words = distinctWords(ownWords);
    const ofOwn = [...words].filter((word) => !frequencies.has(word));
    this.own =
      own === undefined
        ? []
        : [{ ...signalsOf(own), name: own.name, document: documentOf(own.id, ownWords) }];
    this.statistics = {
      documents: documents + this.own.length,
      frequency: (word) => (frequencies.get(word) ?? 0) + Number(words.has(word)),
      vocabulary: [],
      near: (written) => [...near(written), ...ofOwn],
    };
  }

  begin(): void {
    this.asking = [];
  }

  scoreOf(prompt: string): number | undefined {
    return rank(prompt, this.own, this.statistics)[0]?.score;
  }

  ask(
    page: Page,
    place: number,
    { prompt, now }: { readonly prompt: string; readonly now: () => number },
  ): Asking {
    const started = now();
    const { asked, best, time } = this.asking[place] ?? this.begun(prompt);
    const found = rank(asked, page.search(asked, this.statistics), this.statistics);
    const next = { asked, best: bestOf([...best, ...found]), time: time + now() - started };
    this.asking[place] = next;
    return next;
  }

  /** Taken apart once, however many pages there are. */
  private begun(prompt: string): Asking {
    const asked = askedOf(prompt, this.statistics);
    return { asked, best: rank(asked, this.own, this.statistics), time: 0 };
  }
}

/** As `rank` orders them; nothing else of them is kept. */
function bestOf(ranked: readonly Best[]): readonly Best[] {
  return ranked
    .toSorted(byScore(({ candidate }) => candidate.document.id))
    .slice(0, MAX_FOUND)
    .map(({ candidate, score }) => ({ candidate, score }));
}
