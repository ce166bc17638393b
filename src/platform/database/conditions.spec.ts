import { Conditions, holdsEach } from './conditions.js';

test('numbers the values through, whatever was added before', () => {
  const conditions = new Conditions()
    .add('host_id = ?', 'h')
    .add('name = ? OR name = ?', 'a', 'b')
    .add('active');
  expect(conditions.sql()).toBe('WHERE (host_id = $1) AND (name = $2 OR name = $3) AND (active)');
  expect(conditions.values).toEqual(['h', 'a', 'b']);
});

test('without conditions there is no clause', () => {
  expect(new Conditions().sql()).toBe('');
});

test('a copy goes its own way', () => {
  const first = new Conditions().add('a = ?', 1);
  first.copy().add('b = ?', 2);
  expect(first.sql()).toBe('WHERE (a = $1)');
});

test('as many values as question marks', () => {
  expect(() => new Conditions().add('a = ?')).toThrow('takes 1 values, not 0');
});

test('asks for each word that was typed, and for just this word', () => {
  expect(holdsEach('name', '  list\tprojects ')).toEqual([
    'name ILIKE ? AND name ILIKE ?',
    ...['%list%', '%projects%'],
  ]);
  expect(holdsEach('name', '100% a_b c\\d').slice(1)).toEqual(['%100\\%%', '%a\\_b%', '%c\\\\d%']);
  expect(holdsEach('name', ' ')).toEqual(['true']);
});
