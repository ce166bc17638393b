import { analyse, statisticsOf } from '../../../packages/ranking/document.js';
import { rank } from '../../../packages/ranking/rank.js';
import { type CandidateRow, findable } from '../found.js';
import { carriedOut, PagedRanking, type RankedRow, rankedRow, type RankingStep } from './paged-ranking.js';
import { type Pages, pagesOf, Ranking, type Steps } from './ranking-portions.js';

const verbs = ['list', 'get', 'find', 'delete', 'pay', 'move', 'count'];
const nouns = ['account', 'invoice', 'payment', 'branch', 'customer', 'card', 'loan', 'depot', 'parcel'];

function rowOf(number: number, also = ''): CandidateRow {
  const verb = verbs[number % verbs.length] ?? '';
  const noun = nouns[(number * 5) % nouns.length] ?? '';
  const name = `${verb}_${noun}_${String(number)}`;
  const description = `${verb} every ${noun} of the ${nouns[(number * 7) % nouns.length] ?? ''} ${number % 3 ? 'now' : ''} ${also}`;
  const examples = number % 11 === 0 ? [`please ${verb} my ${noun}`] : [];
  return {
    ...{ kind: 'tool', entity_id: String(number).padStart(6, '0'), name, description, api_version_id: null },
    words: analyse({ id: name, texts: { name, description }, examples }),
    related: { dependencies: [], skills: [] },
    ...{ lifecycle_status: 'active', semantic_weight: 1, read_only: verb !== 'delete', destructive: null },
  } as unknown as CandidateRow;
}

const rows = Array.from({ length: 997 }, (_, number) => rowOf(number));
const own = rowOf(5_000, 'overdraft');
const prompts = [
  'list my accounts',
  'pay an invioce',
  'overdarft of an acount',
  'invioce',
  'branch',
  own.name,
  'nothing like it',
  '',
];
const inMemory = (all: readonly CandidateRow[]) => {
  const tools = all.map((row) => findable(row));
  const statistics = statisticsOf(tools.map(({ document }) => document));
  return prompts.map((prompt) =>
    rank(prompt, tools, statistics)
      .slice(0, 10)
      .map(({ candidate: { name } }) => name),
  );
};
const ranked = (row: CandidateRow): RankedRow => rankedRow(row as Parameters<typeof rankedRow>[0]);
const all = rows.map(ranked);

/** Without a process; notes what is done. */
function rankingHere(): { ranking: Ranking; taken: string[] } {
  const paged = new PagedRanking(() => 0);
  const taken: string[] = [];
  const steps = (work: string, ...given: readonly unknown[]) => {
    taken.push(work);
    return Promise.resolve(carriedOut(paged, { work, given } as RankingStep));
  };
  return { ranking: new Ranking(steps as Steps), taken };
}

function reading(size: number): { pages: Pages; reads: () => number } {
  let reads = 0;
  const pages = pagesOf(size, (after) => {
    reads += 1;
    const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
    return Promise.resolve(all.slice(from, from + size));
  });
  return { pages, reads: () => reads };
}

it.each([1, 100, 997, 5_000])('finds page by page of %i what is found with all in memory', async (size) => {
  const { pages } = reading(size);
  const { ranking } = rankingHere();
  expect(await ranking.count(pages, [undefined, ranked(own)])).toBe(997);
  const [before, now] = await ranking.ranked(pages, prompts);
  expect(before?.found).toEqual(inMemory(rows));
  expect(now?.found).toEqual(inMemory([...rows, own]));
  expect(now?.found.flat()).toContain(own.name);
});

it.each([100, 5_000])('asks what it is asked again, page by page of %i, by itself', async (size) => {
  const { pages } = reading(size);
  const { ranking } = rankingHere();
  await ranking.count(pages, [undefined]);
  const [first] = await ranking.ranked(pages, prompts);
  await ranking.ranked(pages, prompts.toReversed());
  const [again] = await ranking.ranked(pages, prompts);
  expect(again?.found).toEqual(first?.found);
});

it('hands documents over in portions of a million letters, and one that is longer by itself', async () => {
  const sizes: number[] = [];
  const steps = (work: string, rows: readonly RankedRow[]) => {
    if (work === 'take') sizes.push(rows.length);
    return Promise.resolve();
  };
  const long = [300_000, 300_000, 300_000, 300_000, 2_000_000, 10, 10].map((letters) => ({
    ...(all[0] as RankedRow),
    words: 'x'.repeat(letters),
  }));
  const ranking = new Ranking(steps as Steps);
  await ranking.count(
    pagesOf(100, () => Promise.resolve(long)),
    [],
  );
  expect(sizes).toEqual([4, 1, 2]);
});

it('holds a page that is the only one, and reads others again', async () => {
  const worked = async (size: number) => {
    const { pages, reads } = reading(size);
    const { ranking, taken } = rankingHere();
    await ranking.count(pages, [undefined]);
    await ranking.ranked(pages, prompts);
    return { reads: reads(), handedOver: taken.filter((work) => work === 'take').length };
  };
  expect(await worked(1_000)).toEqual({ reads: 1, handedOver: 2 });
  expect(await worked(500)).toEqual({ reads: 4, handedOver: 4 });
});

it('gives how well prompts find the document of its own that the last catalog has', async () => {
  const { ranking } = rankingHere();
  await ranking.count(reading(1_000).pages, [undefined, ranked(own)]);
  const scores = await ranking.scores([own.name, 'nothing like it']);
  expect(scores).toEqual([expect.any(Number), null]);
});
