import { analyse, documentOf, type Searchable, statisticsOf } from './document.js';
import { askedOf, rank } from './rank.js';
import { product, weightOf } from './weight.js';
import { WordIndex } from './word-index.js';
import { searchWords } from './word-search.js';
import { seed } from '../../test/soak.js';

/** Numbers that look random, the same each time. */
function numbersFrom(start: number): (below: number) => number {
  let state = start;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const vocabulary =
  'get list send account balance transfer invoice weather forecast 天气 预报 счета money report customer 2024 pay';
const words = vocabulary.split(' ');

function world(start: number) {
  const number = numbersFrom(start);
  const text = (most: number) =>
    Array.from({ length: 1 + number(most) }, () => words[number(words.length)]).join(' ');
  const searchable = (): Searchable => ({
    id: `id-${String(number(60)).padStart(2, '0')}`,
    texts: { name: text(3), description: text(12), parameters: text(4), details: text(20) },
    examples: Array.from({ length: number(4) }, () => text(6)),
  });
  const signals = () => ({
    ...{ semanticWeight: 0.5 + number(3), readOnly: number(2) === 0, destructive: number(3) === 0 },
    lifecycleStatus: ['active', 'draft', 'deprecated'][number(3)] ?? '',
  });
  return { number, text, searchable, signals };
}

const hostile = [
  'a'.repeat(20_000),
  'a '.repeat(10_000),
  '😀 weather 😀',
  '.*(weather|[a-z]+)$',
  'погода счета',
  '',
];

describe('the index of words', () => {
  it.each([1, 2, 3, 4, 5])(
    'finds what the ranking of all gives, in that order, after any writes (%s)',
    (draw) => {
      const { number, text, searchable, signals } = world(seed + draw);
      const index = new WordIndex();
      const kept = new Map<string, Searchable & { readonly signals: ReturnType<typeof signals> }>();
      for (let round = 0; round < 12; round += 1) {
        for (let write = 0; write < 15; write += 1) {
          const one = { ...searchable(), signals: signals() };
          if (number(4) === 0) {
            kept.delete(one.id);
            index.remove(one.id);
            continue;
          }
          kept.set(one.id, one);
          const weight = (informational: boolean) => product(weightOf(one.signals, informational));
          index.put(one.id, analyse(one), { informational: weight(true), other: weight(false) });
        }
        const hidden = number(3);
        const seen = (id: string): boolean => hidden === 0 || Number(id.slice(3)) % 3 !== hidden;
        const candidates = [...kept.values()]
          .filter(({ id }) => seen(id))
          .map((one) => ({ document: documentOf(one.id, analyse(one)), ...one.signals }));
        const statistics = statisticsOf(candidates.map(({ document }) => document));
        const marked = Uint8Array.from(index.ids, (id, place) => Number(seen(id)) * index.live.at(place));
        const own = index.statisticsOf(marked);
        for (const prompt of [text(8), text(30), 'show the balnace of my acount', ...hostile]) {
          const best = rank(prompt, candidates, statistics).slice(0, 10);
          const asked = askedOf(prompt, own);
          const found = searchWords(index, { asked, statistics: own, marked, limit: 10 });
          expect(
            found.map(({ id, counted }) => [id, counted.score, counted.words, counted.name, counted.example]),
          ).toEqual(
            best.map(({ candidate, keywordScore: score, parts }) => [
              ...[candidate.document.id, score, parts.words, parts.name, parts.example],
            ]),
          );
        }
      }
    },
  );

  it('counts about the bytes that it takes', () => {
    const { searchable } = world(seed);
    const index = new WordIndex();
    const empty = index.bytes;
    index.put('a', analyse(searchable()), { informational: 1, other: 1 });
    const one = index.bytes;
    index.put('b', analyse(searchable()), { informational: 1, other: 1 });
    expect(one).toBeGreaterThan(empty);
    expect(index.bytes).toBeGreaterThan(one);
    expect([index.size, index.gone]).toEqual([2, 0]);
    index.remove('a');
    expect([index.size, index.gone]).toEqual([1, 1]);
  });
});
