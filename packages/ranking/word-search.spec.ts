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

  it.each([6, 7, 8])(
    'finds the same where frequent words hide rare ones, and in prompts of many words (%s)',
    (draw) => {
      const { number } = world(seed + draw);
      const many = 'b d f g k l m n p r'
        .split(' ')
        .flatMap((first) => 'a e i o u'.split(' ').map((vowel) => `${first}${vowel}x`));
      const some = (most: number, of: number) =>
        Array.from({ length: 1 + number(most) }, () => many[number(of)] ?? '').join(' ');
      const index = new WordIndex();
      const searchables = Array.from({ length: 600 }, (_, at): Searchable => {
        const rare = at % 20 === 0 ? some(3, many.length) : '';
        return {
          id: `id-${String(at).padStart(3, '0')}`,
          texts: { name: `${rare} ${some(2, 6)}`, description: `${rare} ${some(5, 6)} ${rare}` },
          examples: at % 50 === 7 ? [`${some(2, 6)} ${some(2, many.length)}`] : [],
        };
      });
      for (const one of searchables) index.put(one.id, analyse(one), { informational: 1, other: 1 });
      const candidates = searchables.map((one) => ({ document: documentOf(one.id, analyse(one)) }));
      const statistics = statisticsOf(candidates.map(({ document }) => document));
      const { values: marked } = index.live;
      for (let turn = 0; turn < 40; turn += 1) {
        const prompt = `${some(turn, many.length)} ${some(4, 6)}`;
        const found = searchWords(index, {
          asked: askedOf(prompt, statistics),
          statistics,
          marked,
          limit: 10,
        });
        const best = rank(prompt, candidates, statistics).slice(0, 10);
        expect(found.map(({ id, counted: { score, example } }) => [id, score, example])).toEqual(
          best.map(({ candidate, keywordScore, parts }) => [
            candidate.document.id,
            keywordScore,
            parts.example,
          ]),
        );
      }
      const all = searchWords(index, {
        asked: askedOf(many.join(' '), statistics),
        statistics,
        marked,
        limit: 600,
      });
      expect(all.map(({ id }) => id)).toEqual(
        rank(many.join(' '), candidates, statistics).map(({ candidate }) => candidate.document.id),
      );
    },
  );

  it('finds what a misspelt word stands for, however many words like it other documents hold', () => {
    const letters = ['b', 'a', 'l', 'n', 'c', 'x'];
    const crowd = Array.from({ length: 6 ** 6 }, (_, at) =>
      Array.from({ length: 6 }, (_each, place) => letters[Math.floor(at / 6 ** place) % 6]).join(''),
    );
    const index = new WordIndex();
    const put = (id: string, words: readonly string[]) =>
      index.put(id, { fields: { details: words }, examples: [] }, { informational: 1, other: 1 });
    put('hidden', crowd);
    put('seen', ['balanc']);
    expect(index.statisticsOf(Uint8Array.of(0, 1)).near?.('bbbalanc')).toEqual(['balanc']);
  });

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
