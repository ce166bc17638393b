import { termGroups } from './candidate-groups.js';

const hostId = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e01';

const groupsOf = (frequencies: Readonly<Record<string, number>>): string[] => {
  const terms = Object.keys(frequencies).map((word) => ({ word, weight: 1 }));
  const groups = termGroups(hostId, terms, { frequency: (word) => frequencies[word] ?? 0 });
  return groups.map((group) => group.terms.map((term) => term.replace('6a3c5e01 ', '')).join('+'));
};

describe('the words that the database is asked for', () => {
  it('are the rare ones alone, and how well they stand in names', () => {
    expect(groupsOf({ invoice: 40, refund: 7 })).toEqual(['refund', 'invoice', '^refund', '^invoice']);
  });

  it('are frequent ones two at a time', () => {
    expect(groupsOf({ get: 9_000, list: 8_000, invoice: 40 })).toEqual(['invoice', '^invoice', 'list+get']);
  });

  it('are names where all are frequent', () => {
    expect(groupsOf({ get: 9_000 })).toEqual(['get', '^get']);
    expect(groupsOf({ get: 9_000, list: 8_000 })).toEqual(['list', '^list', '^get', 'list+get']);
  });

  it('lead to few documents that hold but one frequent word, where two together lead to more', () => {
    const mosts = (frequencies: Readonly<Record<string, number>>): number[] => {
      const terms = Object.keys(frequencies).map((word) => ({ word, weight: 1 }));
      const groups = termGroups(hostId, terms, { frequency: (word) => frequencies[word] ?? 0 });
      return groups.map(({ most }) => most);
    };
    expect(mosts({ get: 9_000, list: 8_000 })).toEqual([150, 150, 150, 1_000]);
    expect(mosts({ get: 9_000 })).toEqual([1_500, 1_500]);
    expect(mosts({ get: 9_000, list: 8_000, invoice: 40 })).toEqual([1_500, 1_500, 1_000]);
  });

  it('stay few, however many there are', () => {
    const many = Object.fromEntries(
      Array.from({ length: 48 }, (_, index) => [`word${index}`, 5_000 + index]),
    );
    expect(groupsOf(many)).toHaveLength(1 + 5 + 10);
  });
});
