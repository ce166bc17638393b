import { textValidator } from './validator.js';
describe('a whole number in a query', () => {
  const query = textValidator({
    type: 'object',
    properties: { limit: { type: 'integer', minimum: 1, maximum: 500 } },
  });

  it.each(['1', '500'])('may be %s', (limit) => {
    expect(query({ limit })).toEqual([]);
  });

  it.each(['1e400', '99999999999999999999', '0x5', '1e1', '+5', '1.5', '', '501', '0'])(
    'may not be %p',
    (limit) => {
      expect(query({ limit })).toEqual([expect.objectContaining({ pointer: '/limit' })]);
    },
  );
});
