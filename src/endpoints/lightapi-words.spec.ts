import { lightApiWords } from './lightapi-words.js';

describe('words of a LightAPI operation', () => {
  it('are the prompts of its skill, its routing and its examples, and the notes on how it behaves', () => {
    const operation = {
      agent: { skill: { examples: ['what is it?', ' '], notes: 'Slow at night.' } },
      metadata: { routing: { examplePrompts: ['what is it?', 'show it'] } },
      examples: { first: { prompt: 'give it to me' }, second: { input: {} } },
      safety: { destructive: true, notes: 'Ends the contract.' },
      result: { failure: { unknownAccount: { status: 404 } } },
    };
    expect(lightApiWords(operation)).toEqual({
      prompts: ['what is it?', 'show it', 'give it to me'],
      notes: ['Slow at night.', 'Ends the contract.', 'unknownAccount'],
    });
  });

  it.each([[undefined], [null], ['text'], [[]], [{ agent: 5, examples: 7, result: { failure: [] } }]])(
    'are none of %j',
    (operation) => {
      expect(lightApiWords(operation)).toEqual({ prompts: [], notes: [] });
    },
  );
});
