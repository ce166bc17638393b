import { Command, CommanderError } from 'commander';
import { likelyMeant, refuseUnknown } from './known-command.js';

let said = '';
const output = { writeErr: (text: string) => (said += text), writeOut: () => undefined };
const inner = new Command('import').argument('<folder>');
const root = new Command('portal-catalog')
  .addCommand(new Command('skill').addCommand(inner))
  .addCommand(new Command('query').argument('[file]'))
  .showHelpAfterError('(--help shows how it is used)');
for (const command of [root, ...root.commands]) command.configureOutput(output).exitOverride();

it.each([
  [['sing'], 'sing'],
  [['sing', '--help'], 'sing'],
  [['skill', 'sing'], 'sing'],
  [['skill', 'sing', '--help'], 'sing'],
])('refuses %j', (words, unknown) => {
  said = '';
  expect(() => {
    refuseUnknown(root, words);
  }).toThrow(CommanderError);
  expect(said).toContain(`unknown command '${unknown}'`);
});

it('says what may have been meant', () => {
  said = '';
  expect(() => {
    refuseUnknown(root, ['qurey']);
  }).toThrow(CommanderError);
  expect(said).toContain('Did you mean query?');
});

it.each([
  [[]],
  [['--help']],
  [['help', 'sing']],
  [['skill']],
  [['skill', '--help']],
  [['skill', 'import', 'folder', '--help']],
  [['query', 'a-file']],
  [['skill', '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e01', '--listen', 'http://127.0.0.1:4000/mcp']],
])('lets %j pass', (words) => {
  expect(() => {
    refuseUnknown(root, words);
  }).not.toThrow();
});

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
