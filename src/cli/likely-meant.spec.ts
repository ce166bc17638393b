import { likelyMeant } from './likely-meant.js';

it('names what a word with a slip stands for, and nothing where none is near', () => {
  const names = ['catalog', 'token', 'import', 'eval'];
  expect(['catlog', 'tokne', 'imports', 'evl', 'sing'].map((word) => likelyMeant(word, names))).toEqual([
    'catalog',
    'token',
    'import',
    'eval',
    undefined,
  ]);
});
