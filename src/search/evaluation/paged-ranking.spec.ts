import { analyse } from '../../../packages/ranking/document.js';
import { findable, type CandidateRow, type Findable } from '../found.js';
import { searchInMemory } from './evaluated-catalogs.service.js';
import { catalogWith, counted, type Pages, pagesOf, rankedIn } from './paged-ranking.js';

const verbs = ['list', 'get', 'find', 'delete', 'pay', 'move', 'count'];
const nouns = ['account', 'invoice', 'payment', 'branch', 'customer', 'card', 'loan', 'depot', 'parcel'];

function rowOf(number: number): CandidateRow {
  const verb = verbs[number % verbs.length] ?? '';
  const noun = nouns[(number * 5) % nouns.length] ?? '';
  const name = `${verb}_${noun}_${String(number)}`;
  const description = `${verb} every ${noun} of the ${nouns[(number * 7) % nouns.length] ?? ''} ${number % 3 ? 'now' : ''}`;
  const examples = number % 11 === 0 ? [`please ${verb} my ${noun}`] : [];
  return {
    ...{ kind: 'tool', entity_id: String(number).padStart(6, '0'), name, description, api_version_id: null },
    words: analyse({ id: name, texts: { name, description }, examples }),
    related: { dependencies: [], skills: [] },
    ...{ lifecycle_status: 'active', semantic_weight: 1, read_only: verb !== 'delete', destructive: null },
  } as unknown as CandidateRow;
}

const rows = Array.from({ length: 997 }, (_, number) => rowOf(number));
const own = rowOf(5_000);
const prompts = ['list my accounts', 'pay an invioce', 'branch', own.name, 'nothing like it', ''];
const inMemory = (all: readonly CandidateRow[]) => {
  const search = searchInMemory(all);
  return prompts.map((prompt) =>
    search({ prompt, kinds: ['tool'], limit: 10, explain: false }).items.map(({ id }) => id),
  );
};
const all = rows.map((row) => findable(row, undefined));

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
  const words = await counted(pages);
  const catalogs = [catalogWith(words), catalogWith(words, findable(own, undefined))];
  const [before, now] = await rankedIn(pages, catalogs, prompts, () => 0);
  const ids = (found: readonly (readonly Findable[])[] = []) => found.map((each) => each.map(({ id }) => id));
  expect(ids(before?.found)).toEqual(inMemory(rows));
  expect(ids(now?.found)).toEqual(inMemory([...rows, own]));
  expect(ids(now?.found).flat()).toContain(own.entity_id);
});

it('holds a page that is the only one, and reads others again', async () => {
  const few = reading(1_000);
  await counted(few.pages);
  await counted(few.pages);
  expect(few.reads()).toBe(1);
  const many = reading(500);
  await counted(many.pages);
  await counted(many.pages);
  expect(many.reads()).toBe(4);
});
