import fc from 'fast-check';
import { tagSlug } from './term.fields.js';
import { many } from '../../test/soak.js';

it.each([
  ['accounts', 'accounts'],
  ['Account Service', 'account-service'],
  ['Kunden & Verträge', 'kunden-vertrage'],
  ['  v2/billing  ', 'v2-billing'],
  ['snake_case', 'snake_case'],
  ['???', ''],
  ['顧客', ''],
])('%j is %j as a tag', (words, slug) => {
  expect(tagSlug(words)).toBe(slug);
});

it('is made of the beginning of a text, however long that is', () => {
  expect(tagSlug(`${'.'.repeat(1_000)}late`)).toBe('');
  expect(tagSlug(`early${'\u0301'.repeat(200_000)}${'\u0323'.repeat(200_000)}`)).toBe('early');
});

it('fits the rule of names, and stays as it is', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300, unit: 'grapheme' }), (words) => {
      const slug = tagSlug(words);
      expect(slug).toMatch(/^[a-z0-9_-]{0,126}$/);
      expect(tagSlug(slug)).toBe(slug);
    }),
    many(100),
  );
});
