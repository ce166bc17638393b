/**
 * Ranks prompts over documents that are read a page at a time: the same finds in the same order as with all of them in
 * memory, where only one page is. Pure.
 */
import { allWordsOf, type Statistics } from '../../../packages/ranking/document.js';
import { askedOf, rank, type Ranked } from '../../../packages/ranking/rank.js';
import { Pace } from '../../kernel/pace.js';
import type { Findable } from '../found.js';

/** Reads all documents once more, from the first page on. */
export type Pages = () => AsyncIterable<readonly Findable[]>;

/** How many finds of a prompt are looked at. */
const MAX_FOUND = 10;

/** A page that is held where it is the only one: then no other pass reads it again. */
export function pagesOf(
  size: number,
  read: (after: string | undefined) => Promise<readonly Findable[]>,
): Pages {
  let only: readonly Findable[] | undefined;
  return async function* () {
    let page = only ?? (await read(undefined));
    if (page.length < size) only = page;
    for (;;) {
      yield page;
      if (page.length < size) return;
      page = await read(page.at(-1)?.id);
    }
  };
}

/** Words of documents, and in how many of these each occurs. */
export interface Counted {
  readonly documents: number;
  readonly frequencies: ReadonlyMap<string, number>;
}

export async function counted(pages: Pages): Promise<Counted> {
  const frequencies = new Map<string, number>();
  const pace = new Pace();
  let documents = 0;
  for await (const page of pages()) {
    for (const { document } of page) {
      for (const word of allWordsOf(document)) frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
      await pace.step();
    }
    documents += page.length;
  }
  return { documents, frequencies };
}

/** The paged documents, and one more where there is one. */
export interface PagedCatalog {
  readonly own: Findable | undefined;
  readonly statistics: Statistics;
}

export function catalogWith({ documents, frequencies }: Counted, own?: Findable): PagedCatalog {
  const words = own === undefined ? new Set<string>() : allWordsOf(own.document);
  return {
    own,
    statistics: {
      documents: documents + (own === undefined ? 0 : 1),
      frequency: (word) => (frequencies.get(word) ?? 0) + Number(words.has(word)),
      vocabulary: [...frequencies.keys(), ...[...words].filter((word) => !frequencies.has(word))],
    },
  };
}

/** The best of each prompt, and the milliseconds that each took. */
export interface Finds {
  readonly found: readonly (readonly Findable[])[];
  readonly times: readonly number[];
}

/** Asks each catalog each prompt, in one pass over the pages; `now` gives milliseconds. */
export async function rankedIn(
  pages: Pages,
  catalogs: readonly PagedCatalog[],
  prompts: readonly string[],
  now: () => number,
): Promise<readonly Finds[]> {
  const pace = new Pace();
  const running = catalogs.map(({ statistics }) => ({
    statistics,
    asked: prompts.map((prompt) => () => askedOf(prompt, statistics)).map(remembered),
    best: prompts.map((): readonly Ranked<Findable>[] => []),
    times: prompts.map(() => 0),
  }));
  const take = async (page: readonly Findable[], only?: number): Promise<void> => {
    for (const [place, { statistics, asked, best, times }] of running.entries()) {
      if (only !== undefined && only !== place) continue;
      for (const [index, ask] of asked.entries()) {
        const started = now();
        best[index] = bestOf([...(best[index] ?? []), ...rank(ask(), page, statistics).slice(0, MAX_FOUND)]);
        times[index] = (times[index] ?? 0) + now() - started;
        await pace.step();
      }
    }
  };
  for await (const page of pages()) {
    // Small steps: one prompt over a whole page would hold the event loop.
    for (let start = 0; start < page.length; start += STEP) await take(page.slice(start, start + STEP));
  }
  for (const [place, { own }] of catalogs.entries()) if (own !== undefined) await take([own], place);
  return running.map(({ best, times }) => ({
    found: best.map((ranked) => ranked.map(({ candidate }) => candidate)),
    times,
  }));
}

const STEP = 5_000;

/** As {@link rank} orders them. */
function bestOf(ranked: readonly Ranked<Findable>[]): readonly Ranked<Findable>[] {
  return ranked
    .toSorted((a, b) => b.score - a.score || (a.candidate.document.id < b.candidate.document.id ? -1 : 1))
    .slice(0, MAX_FOUND);
}

/** Makes it once, when it is first asked for: a long list of prompts is taken apart in the steps of the pass. */
function remembered<Made>(make: () => Made): () => Made {
  let made: { readonly value: Made } | undefined;
  return () => (made ??= { value: make() }).value;
}
