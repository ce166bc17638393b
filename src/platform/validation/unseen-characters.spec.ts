import unsafeIn from './unsafe-text.js';
import { control, ignorable, unseen, varying } from './unseen-characters.js';
import { vettedCharacters } from './untrusted-text.js';

const all = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .join('');
const within = (characters: string): string[] => all.match(new RegExp(`[${characters}]`, 'gu')) ?? [];
const each = (table: Readonly<Record<string, string>>) =>
  Object.entries(table).map(([kind, characters]) => [kind, within(characters)] as const);
const kinds = each({ ...unseen, control });
const isRefused = (text: string): boolean => unsafeIn([{ text, isMarkdown: false }])[0]?.length !== 0;

describe('characters that are not seen', () => {
  it('are each of one kind', () => {
    const found = [...kinds, ...each(varying)].flatMap(([, characters]) => characters);
    expect(new Set(found).size).toBe(found.length);
  });

  it('are all that Unicode lets a program leave out, but for what varies a character that is seen', () => {
    const known = new Set([...kinds, ...each(varying)].flatMap(([, characters]) => characters));
    expect(within(ignorable).filter((character) => !known.has(character))).toEqual([]);
  });

  it.each(each(varying))('are told of and refused where they spell a text: %s', (_, characters) => {
    const texts = characters.map((character) => `\u1820${character}${character}`);
    expect(texts.filter((text) => vettedCharacters(text).findings.length === 0)).toEqual([]);
    expect(texts.filter((text) => !isRefused(text))).toEqual([]);
  });

  it('are told of in time that grows with the length alone', () => {
    for (const character of [...kinds, ...each(varying)].flatMap(([, [first = '']]) => [first])) {
      const long = `a${character}`.repeat(100_000) + character.repeat(100_000);
      expect(vettedCharacters(long).text.length).toBeGreaterThan(100_000);
    }
  });

  it.each(kinds)('are told of in a word, those of each kind: %s', (_, characters) => {
    expect(characters.filter((one) => vettedCharacters(`a${one}b`).findings.length === 0)).toEqual([]);
  });
});
