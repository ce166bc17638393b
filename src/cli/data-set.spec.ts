import { lessonsOf } from './data-set.js';

test('a prompt is an example of the one tool that it means, cut between characters', () => {
  const long = `${'x'.repeat(499)}\u{1F44D} and more`;
  const rows = [
    { prompt: long, expect: ['one'] },
    { prompt: 'again', expect: ['one', 'one'] },
    { prompt: 'again', expect: ['one'] },
    { prompt: 'either', expect: ['one', 'two'] },
    { prompt: 'nothing', expect: [] },
  ];
  expect(lessonsOf(rows)).toEqual([{ toolName: 'one', prompts: [`${'x'.repeat(499)}\u{1F44D}`, 'again'] }]);
});
