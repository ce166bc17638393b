import { exceeds, lowestTier, tierOf, tiersUpTo } from './sensitivity-tier.js';

describe('the tier of a text', () => {
  it.each([
    ['public', 'public'],
    ['Internal-Only', 'internal'],
    ['Restricted-PII', 'restricted'],
    ['public or confidential', 'confidential'],
    ['PUBLIC', 'public'],
    ['secret', 'internal'],
    ['', 'internal'],
    [null, 'internal'],
    [undefined, 'internal'],
  ])('%p is %s', (text, tier) => {
    expect(tierOf(text)).toBe(tier);
  });
});

describe('limits', () => {
  it('the lowest holds; none is no limit', () => {
    expect(lowestTier('restricted', undefined, 'internal')).toBe('internal');
    expect(lowestTier(undefined)).toBe('restricted');
  });

  it('let all up to them pass', () => {
    expect(tiersUpTo('internal')).toEqual(['public', 'internal']);
    expect(exceeds('confidential', 'internal')).toBe(true);
    expect(exceeds('internal', 'internal')).toBe(false);
  });
});
