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
