import { foldedText } from './folded-text.js';

describe('a folded text', () => {
  it('is its own fold, whatever the character', () => {
    const odd: string[] = [];
    for (let code = 0; code <= 0x10ffff; code += 1) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const folded = foldedText(String.fromCodePoint(code));
      if (foldedText(folded) !== folded) odd.push(code.toString(16));
    }
    expect(odd).toEqual([]);
  });

  it.each([
    ['\u1e9eA', 'ss\u0061'],
    ['Stra\u00dfe', 'STRASSE'],
    ['\u212aelvin', 'kelvin'],
    ['\u017fkill', 'Skill'],
    ['\ufb01le', 'FILE'],
    ['\u03a3\u03a3', '\u03c3\u03c2'],
  ])('takes %j and %j for one', (one, other) => {
    expect(foldedText(one)).toBe(foldedText(other));
  });
});
