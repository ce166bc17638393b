import { lightApiTexts } from './lightapi-texts.js';

describe('words of a LightAPI operation', () => {
  it('are the prompts of its skill, its routing and its examples, and the notes on how it behaves', () => {
    const operation = {
      agent: { skill: { examples: ['what is it?', ' '], notes: 'Slow at night.' } },
      metadata: { routing: { examplePrompts: ['what is it?', 'show it'] } },
      examples: { first: { prompt: 'give it to me' }, second: { input: {} } },
      safety: { destructive: true, notes: 'Ends the contract.' },
      result: { failure: { unknownAccount: { status: 404 } } },
    };
    expect(lightApiTexts(operation)).toEqual({
      prompts: ['what is it?', 'show it', 'give it to me'],
      notes: ['Slow at night.', 'Ends the contract.', 'unknownAccount'],
    });
  });

  it('are what its result cases and examples are said to be, and how much of it is disclosed', () => {
    const operation = {
      agent: { disclose: { level: 'behavior', includeByDefault: true } },
      input: { description: 'Ten digits.', examples: [{ description: 'A pot.', accountNo: '1' }] },
      examples: [
        { name: 'Overdrawn', summary: 'Below zero', description: 'An overdrawn account.' },
        { title: 'Joint account', input: { name: 'Ann' } },
      ],
      result: {
        success: { status: 200, description: 'The balance of now.' },
        failure: {
          frozen: { status: 409, description: 'Nobody may move its money.', error: 'ACCOUNT_FROZEN' },
          busy: { error: { code: 7, message: 'Try again at night.' }, description: 5 },
        },
        examples: { rich: { description: 'More than enough.' }, odd: 'text' },
      },
    };
    expect(lightApiTexts(operation)).toEqual({
      prompts: [],
      notes: [
        ...['Ten digits.', 'behavior', 'The balance of now.'],
        ...['frozen', 'Nobody may move its money.', 'ACCOUNT_FROZEN', 'busy', 'Try again at night.'],
        ...['Overdrawn', 'Joint account', 'Below zero', 'An overdrawn account.'],
        ...['A pot.', 'More than enough.'],
      ],
    });
  });

  it.each([
    [undefined],
    [null],
    ['text'],
    [[]],
    [{ agent: 5, examples: 7, result: { success: 'x', failure: [], examples: [null] } }],
  ])('are none of %j', (operation) => {
    expect(lightApiTexts(operation)).toEqual({ prompts: [], notes: [] });
  });
});
