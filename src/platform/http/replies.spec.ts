import type { Outcome } from '../../kernel/command.js';
import { receiptOf, receiptsOf } from '../use-cases/use-case.js';
import { isReply, receiptReply } from './replies.js';

const outcome = (id: string, version: number, position: number, changed = true): Outcome =>
  ({ id, version, position, changed, before: version === 1 ? null : {}, after: {} }) as Outcome;

describe('a receipt', () => {
  it('is of the first command; its position is that of the whole write', () => {
    const receipt = receiptOf([outcome('a', 1, 5), outcome('b', 3, 6)], 7);
    const reply = receiptReply(receipt, { status: 201 }, '/x/a');
    expect(reply).toEqual({
      status: 201,
      headers: { etag: '"1"', location: '/x/a' },
      body: '{"id":"a","version":1,"position":7,"changed":true}',
    });
    expect(isReply(reply)).toBe(true);
  });

  it('of what changed nothing has the position of the last change', () => {
    const receipt = receiptOf([outcome('a', 4, 5, false)], 99);
    expect(receiptReply(receipt, { creates: true })).toEqual({
      status: 200,
      headers: { etag: '"4"' },
      body: '{"id":"a","version":4,"position":5,"changed":false}',
    });
  });

  it('of a record that is new is 201 only where the operation may make one', () => {
    const receipt = receiptOf([outcome('a', 1, 5)], 5);
    expect(receiptReply(receipt, { creates: true }).status).toBe(201);
    expect(receiptReply(receipt, {}).status).toBe(200);
  });
});

it('a batch has a receipt for each, and the last position', () => {
  expect(receiptsOf(() => ({}))([outcome('a', 1, 5), outcome('b', 2, 3, false)], 5)).toEqual({
    items: [
      { id: 'a', version: 1, position: 5, changed: true },
      { id: 'b', version: 2, position: 3, changed: false },
    ],
    position: 5,
  });
});

it('a record is no reply', () => {
  for (const record of [null, 'x', [], { status: 200 }, { status: 200, headers: {}, body: {} }])
    expect(isReply(record)).toBe(false);
});

it('bytes are no reply, and are not listed to find that out', () => {
  const bytes = new Proxy(Buffer.from('bytes'), {
    ownKeys: () => {
      throw new Error('Every byte was listed.');
    },
  });
  expect(isReply(bytes)).toBe(false);
});
