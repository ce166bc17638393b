import { includes, rangeOf, rangePattern } from './version-range.js';

describe('a range of versions', () => {
  it.each<[range: string, from: string, before: string]>([
    ['1.2.3', '1.2.3', '1.2.4'],
    ['~1.2', '1.2.0', '1.3.0'],
    ['~1', '1.0.0', '2.0.0'],
    ['^1.2', '1.2.0', '2.0.0'],
    ['^0.2', '0.2.0', '0.3.0'],
    ['^0.0.3', '0.0.3', '0.0.4'],
  ])('%s takes from %s to before %s', (text, from, before) => {
    expect(text).toMatch(new RegExp(rangePattern));
    expect(rangeOf(text)).toEqual({ text, from, before });
  });

  it('of what is approved keeps the major that was the newest', () => {
    expect(rangeOf('approved', '2.3.1')).toEqual({ text: 'approved', from: '2.0.0', before: '3.0.0' });
  });

  it.each(['', '1.2', 'latest', '>1', '1.x', '^^1', '~1.2.3.4', '01.2.3-x'])('is not %j', (text) => {
    expect(rangeOf(text)).toBeUndefined();
  });

  /** Signs, numbers and how many of them, as they are and as they are not. */
  const texts = ['', '~', '^', '=', '>', '^^', ' '].flatMap((sign) =>
    [
      ...['', '0', '1', '01', '10', '999999999', '1.2', '1.02', '0.0', '1.2.3', '0.0.0', '1.2.03', '1.2.3.4'],
      ...[
        '1.',
        '.1',
        '1..2',
        '1.x',
        '1.2.3-beta',
        '1.2.3+build',
        'approved',
        'latest',
        'v1',
        '-1',
        '1e3',
        '１',
      ],
    ].flatMap((numbers) => [sign + numbers, `${sign}${numbers}\n`]),
  );
  const isRange = new RegExp(rangePattern, 'u');

  it('is to the schema what it is to the parser', () => {
    expect(texts.filter((text) => isRange.test(text) !== (rangeOf(text) !== undefined))).toEqual([]);
    expect(texts.filter((text) => isRange.test(text))).toEqual([
      ...['1.2.3', '0.0.0', 'approved'],
      ...['~', '^'].flatMap((sign) =>
        ['0', '1', '10', '999999999', '1.2', '0.0', '1.2.3', '0.0.0'].map((numbers) => sign + numbers),
      ),
    ]);
  });

  it('of more than nine digits is read where it is kept, and taken at no door', () => {
    expect(rangeOf('^1000000000')).toMatchObject({ from: '1000000000.0.0', before: '1000000001.0.0' });
    expect(isRange.test('^1000000000')).toBe(false);
  });

  it.each<[range: string, taken: string[], left: string[]]>([
    ['^1.2.3', ['1.2.3', '1.10.0'], ['1.2.2', '2.0.0', '0.9.9']],
    ['~1.2.3', ['1.2.3', '1.2.99'], ['1.2.2', '1.3.0']],
    ['^0', ['0.0.0', '0.9.9'], ['1.0.0']],
    ['^0.0', ['0.0.7'], ['0.1.0']],
  ])('%s takes %j and leaves %j', (text, taken, left) => {
    const read = rangeOf(text);
    expect([...taken, ...left].filter((version) => read !== undefined && includes(read, version))).toEqual(
      taken,
    );
  });
});
