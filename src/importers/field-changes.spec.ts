import { valueChanges } from './field-changes.js';

it('tells places with both sides, and one side where the other is missing', () => {
  const before = { type: 'object', properties: { id: { type: 'string' }, old: {} }, required: ['id'] };
  const after = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id', 'tz'] };
  expect(valueChanges(before, after, 10)).toEqual([
    { at: '/properties/id/type', before: 'string', after: 'integer' },
    { at: '/properties/old', before: '{}' },
    { at: '/required', after: 'tz' },
  ]);
});

it('tells of lists of names what went and what came, wherever they stand', () => {
  expect(valueChanges(['a', 'b', 'c'], ['b', 'c', 'd'], 10)).toEqual([{ at: '', before: 'a', after: 'd' }]);
  expect(valueChanges(['a', 'b'], ['b', 'a'], 10)).toEqual([
    { at: '', before: '["a","b"]', after: '["b","a"]' },
  ]);
  expect(valueChanges(undefined, ['a'], 10)).toEqual([{ at: '', after: 'a' }]);
  expect(valueChanges([{ a: 1 }], [{ a: 2 }, { b: 1 }], 10)).toEqual([
    { at: '/0/a', before: '1', after: '2' },
    { at: '/1', after: '{"b":1}' },
  ]);
});

it('shows of long texts what is around the first difference, on one line and without halves of characters', () => {
  const long = '🌔'.repeat(200);
  const [change] = valueChanges(`${long}\nold ${long}`, `${long}\nnew ${long}`, 10);
  expect(change?.before).toMatch(/^…🌔+ old 🌔+…$/u);
  expect(change?.after).toMatch(/^…🌔+ new 🌔+…$/u);
  expect((change?.before ?? '').length).toBeLessThan(170);
});

it('stops at as many as are asked for', () => {
  const values = (mark: string) => Object.fromEntries(Array.from({ length: 50 }, (_, at) => [at, mark]));
  expect(valueChanges(values('a'), values('b'), 3)).toHaveLength(3);
  expect(valueChanges(values('a'), values('a'), 3)).toEqual([]);
});
