import type { Outcome } from '../../eventsourcing/command.js';
import { isReply, receipt, receipts } from './replies.js';

const outcome = (id: string, version: number, position: number, changed = true): Outcome =>
  ({ id, version, position, changed }) as Outcome;

describe('a receipt', () => {
  it('is of the first command; its position is that of the whole write', () => {
    const reply = receipt(
      201,
      ({ id }) => ({ name: id }),
      ({ id }) => `/x/${id}`,
    )([outcome('a', 1, 5), outcome('b', 3, 6)], 7);
    expect(reply).toEqual({
      status: 201,
      headers: { etag: '"1"', location: '/x/a' },
      body: '{"id":"a","version":1,"position":7,"changed":true,"name":"a"}',
    });
    expect(isReply(reply)).toBe(true);
  });

  it('of what changed nothing has the position of the last change', () => {
    expect(receipt(200)([outcome('a', 4, 5, false)], 99)).toMatchObject({
      headers: { etag: '"4"' },
      body: '{"id":"a","version":4,"position":5,"changed":false}',
    });
  });
});

it('a batch has a receipt for each, and the last position', () => {
  const { body, headers } = receipts(200)([outcome('a', 1, 5), outcome('b', 2, 3, false)], 5);
  expect(JSON.parse(body)).toEqual({
    items: [
      { id: 'a', version: 1, position: 5, changed: true },
      { id: 'b', version: 2, position: 3, changed: false },
    ],
    position: 5,
  });
  expect(headers).toEqual({});
});

it('a record is no reply', () => {
  for (const record of [null, 'x', [], { status: 200 }, { status: 200, headers: {}, body: {} }])
    expect(isReply(record)).toBe(false);
});
