import { Invalid } from '../../kernel/errors.js';
import { BoundedThread, type ThreadLimits } from '../../platform/work/bounded-thread.js';
import type { Finds, PagedRanking, RankedRow, RankingStep } from './paged-ranking.js';

/** Documents and prompts that a thread is given at once: more of them would hold the main thread while they are cloned. */
const [ROWS, PROMPTS] = [500, 250];

/** Some five times what 10,000 prompts over 20,000 tools take, and what a page of such tools takes. */
const rankingLimits: ThreadLimits = { timeMs: 300_000, memoryMib: 512 };

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
  scores(prompts: readonly string[]): Promise<(number | null)[]> {
    return this.steps('scores', prompts);
  }

  /** Asks each catalog each prompt, in one pass over the pages that were counted. */
  async ranked(pages: Pages, prompts: readonly string[]): Promise<readonly Finds[]> {
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
    for (let at = 0; at < page.length; at += ROWS) await this.steps('take', page.slice(at, at + ROWS), how);
  }

  private async ask(prompts: readonly string[]): Promise<readonly Finds[]> {
    const portions: Finds[][] = [];
    for (let at = 0; at === 0 || at < prompts.length; at += PROMPTS)
      portions.push(await this.steps('ask', at, prompts.slice(at, at + PROMPTS)));
    return (portions[0] ?? []).map((_, catalog) => ({
      found: portions.flatMap((portion) => portion[catalog]?.found ?? []),
      times: portions.flatMap((portion) => portion[catalog]?.times ?? []),
    }));
  }
}

/**
 * Ranks in a thread of its own, which ends with the work.
 *
 * @throws Invalid `evaluation_too_expensive` where it takes more time or memory than it may
 */
export async function rankingApart<Result>(
  work: (ranking: Ranking) => Promise<Result>,
  limits = rankingLimits,
): Promise<Result> {
  const file = new URL('./paged-ranking.worker.ts', import.meta.url);
  const thread = new BoundedThread<RankingStep, unknown>(file, limits, tooExpensive);
  const steps = (work: string, ...given: readonly unknown[]) => thread.do({ work, given } as RankingStep);
  try {
    return await work(new Ranking(steps as Steps));
  } finally {
    await thread.end();
  }
}

function tooExpensive(limit: string): Invalid {
  return new Invalid(
    'evaluation_too_expensive',
    `Ranking the tools for all prompts takes more than ${limit}, which is the limit of an evaluation. Ask fewer or shorter prompts: ` +
      'name fewer data sets, or split the rows.',
  );
}
