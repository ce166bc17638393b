import type { Finds, PagedRanking, RankedRow, RankingStep } from './paged-ranking.js';

/** Documents or prompts that a process is given at once, and letters of them: more would hold the service while they are copied. */
const [MAX_ITEMS, MAX_SIZE] = [500, 2 ** 20];

/** Reads all documents once more, from the first page on. */
export type Pages = () => AsyncIterable<readonly RankedRow[]>;

/** A page that is held where it is the only one: then no other pass reads it again. */
export function pagesOf(
  size: number,
  read: (after: string | undefined) => Promise<readonly RankedRow[]>,
): Pages {
  let only: readonly RankedRow[] | undefined;
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

/** Carries out steps of one {@link PagedRanking}. */
export type Steps = <Work extends RankingStep['work']>(
  work: Work,
  ...given: Parameters<PagedRanking[Work]>
) => Promise<ReturnType<PagedRanking[Work]>>;

/** Counts and ranks documents page by page, handing them over in small portions. */
export class Ranking {
  /** Whether what was counted is one page, which is held since. */
  private isHeld = true;

  constructor(private readonly steps: Steps) {}

  /**
   * Counts the words of all documents, and gives how many documents there are. Each of the catalogs that are asked has these, and one
   * of its own where there is one.
   */
  async count(pages: Pages, own: readonly (RankedRow | undefined)[]): Promise<number> {
    let documents = 0;
    for await (const page of pages()) {
      if (documents > 0 && page.length > 0) this.isHeld = false;
      await this.hand(page, { counted: true, held: documents === 0 });
      documents += page.length;
    }
    await this.steps('between', own);
    return documents;
  }

  /** How well each prompt finds the document of its own that the last catalog has; null where it does not. */
  async scores(prompts: readonly string[]): Promise<(number | null)[]> {
    const scores: (number | null)[] = [];
    for (const portion of portionsOf(prompts, lengthOf))
      scores.push(...(await this.steps('scores', portion)));
    return scores;
  }

  /** Asks each catalog each prompt, in one pass over the pages that were counted. */
  async ranked(pages: Pages, prompts: readonly string[]): Promise<readonly Finds[]> {
    await this.steps('begin');
    if (this.isHeld) return this.ask(prompts);
    let finds: readonly Finds[] = [];
    for await (const page of pages()) {
      await this.steps('turn');
      await this.hand(page, { counted: false, held: true });
      finds = await this.ask(prompts);
    }
    return finds;
  }

  private async hand(page: readonly RankedRow[], how: Parameters<PagedRanking['take']>[1]): Promise<void> {
    for (const rows of portionsOf(page, ({ words }) => words.length)) await this.steps('take', rows, how);
  }

  private async ask(prompts: readonly string[]): Promise<readonly Finds[]> {
    const portions: Finds[][] = [];
    let from = 0;
    for (const some of portionsOf(prompts, lengthOf)) {
      portions.push(await this.steps('ask', from, some));
      from += some.length;
    }
    return (portions[0] ?? []).map((_, catalog) => ({
      found: portions.flatMap((portion) => portion[catalog]?.found ?? []),
      times: portions.flatMap((portion) => portion[catalog]?.times ?? []),
    }));
  }
}

const lengthOf = ({ length }: string): number => length;

/** Cuts what is handed over at once; of nothing one empty portion. */
function* portionsOf<Item>(all: readonly Item[], sizeOf: (item: Item) => number): Generator<readonly Item[]> {
  let [from, size] = [0, 0];
  for (const [at, item] of all.entries()) {
    size += sizeOf(item);
    if (size < MAX_SIZE && at + 1 - from < MAX_ITEMS) continue;
    yield all.slice(from, at + 1);
    [from, size] = [at + 1, 0];
  }
  if (from < all.length || all.length === 0) yield all.slice(from);
}
