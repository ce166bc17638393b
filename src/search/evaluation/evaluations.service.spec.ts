import { ownPrompts } from './own-questions.js';

const tool = (name: string, example_prompts: string[] = [], routing: object = {}, lightapi?: object) => ({
  ...{ name, example_prompts, document_prompts: null, lightapi },
  tool_metadata: { routing },
});
const numbered = (length: number): string[] =>
  Array.from({ length }, (_, index) => `example ${String(index)}`);

test('a tool is asked its keywords, its description and its examples, each once', () => {
  const routing = { semanticKeywords: ['balance', 'funds'], semanticDescription: 'Shows funds.' };
  const lightapi = { examples: [{ prompt: 'what is left?' }, { prompt: 'am I broke?' }] };
  const { rows, unasked } = ownPrompts([tool('getBalance', ['am I broke?', ' '], routing, lightapi)]);
  const prompts = ['balance funds', 'Shows funds.', 'am I broke?', 'what is left?'];
  expect(rows).toEqual(prompts.map((prompt) => ({ prompt, expect: ['getBalance'] })));
  expect(unasked).toBe(0);
});

test('many examples leave its keywords, and what is not asked is counted', () => {
  const { rows, unasked } = ownPrompts([tool('a', numbered(30), { semanticKeywords: ['word'] })]);
  expect([rows.length, rows[0]?.prompt, unasked]).toEqual([20, 'word', 11]);
});

test('where there are too many, every tool is heard', () => {
  const tools = Array.from({ length: 3_000 }, (_, index) => tool(`t${String(index)}`, numbered(2)));
  const { rows, unasked } = ownPrompts(tools);
  expect(new Set(rows.map(({ expect: [name] }) => name)).size).toBe(3_000);
  expect([rows.length, unasked]).toEqual([5_000, 1_000]);
});
