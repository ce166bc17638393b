import { termGroups } from './host-search.queries.js';

const hostId = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e01';

const groupsOf = (frequencies: Readonly<Record<string, number>>): string[] => {
  const terms = Object.keys(frequencies).map((word) => ({ word, weight: 1 }));
  const groups = termGroups(hostId, terms, { frequency: (word) => frequencies[word] ?? 0 });
  return groups.map(
    ({ terms, last }) => terms.map((term) => term.replace('6a3c5e01 ', '')).join('+') + (last ? '?' : ''),
  );
};

describe('the words that the database is asked for', () => {
  it('are the rare ones alone, and how well they stand in names', () => {
    expect(groupsOf({ invoice: 40, refund: 7 })).toEqual(['refund', 'invoice', '^refund', '^invoice']);
  });

  it('are frequent ones two at a time, and by themselves where that leads to few', () => {
    const asked = ['invoice', '^invoice', 'list+get', 'list?', '^list?', '^get?'];
    expect(groupsOf({ get: 9_000, list: 8_000, invoice: 40 })).toEqual(asked);
    expect(groupsOf({ get: 9_000, list: 8_000 })).toEqual(asked.slice(2));
  });

  it('are first of all the rarest of the frequent ones', () => {
    const pairs = groupsOf({ a: 9_000, b: 8_000, c: 7_000, d: 6_000 }).filter((group) => group.includes('+'));
    expect(pairs).toEqual(['d+c', 'd+b', 'd+a?', 'c+b', 'c+a?', 'b+a?']);
  });

  it('are one frequent word, too', () => {
    expect(groupsOf({ get: 9_000 })).toEqual(['get?', '^get?']);
    expect(groupsOf({ get: 9_000, invoice: 1 })).toEqual(['invoice', '^invoice', 'get?', '^get?']);
  });

  it('stay few, however many there are', () => {
    const many = Object.fromEntries(
      Array.from({ length: 48 }, (_, index) => [`word${index}`, 5_000 + index]),
    );
    expect(groupsOf(many)).toHaveLength(1 + 5 + 10);
  });
});
