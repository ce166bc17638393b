import { momentOf } from './past.lookup.js';

describe('a moment', () => {
  it.each([
    ['12', { position: 12 }],
    ['2026-01-01T00:00:00Z', { time: Date.UTC(2026, 0, 1) }],
    ['2026-01-01t00:00:00.1239z', { time: Date.UTC(2026, 0, 1, 0, 0, 0, 123) }],
    ['2026-01-01 00:00:00+01:00', { time: Date.UTC(2025, 11, 31, 23) }],
    ['2026-01-01T00:00:00-20:00', { time: Date.UTC(2026, 0, 1, 20) }],
    ['2026-01-01T00:00:00+23:59', { time: Date.UTC(2025, 11, 31, 0, 1) }],
    ['2016-12-31T23:59:60Z', { time: Date.UTC(2016, 11, 31, 23, 59, 59, 999) }],
    ['0000-01-01T00:00:00Z', { time: -62167219200000 }],
  ])('%s', (asOf, moment) => {
    expect(momentOf(asOf)).toEqual(moment);
  });
});
