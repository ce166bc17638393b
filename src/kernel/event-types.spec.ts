import fc from 'fast-check';
import { eventType } from './event.js';
import { EventTypes } from './event-types.js';
import { many } from '../../test/soak.js';

const grown = eventType({
  type: 'GrownEvent',
  aggregateType: 'Plant',
  version: 3,
  schema: {
    type: 'object',
    properties: {
      height: { type: 'number' },
      unit: { type: 'string' },
      at: { type: 'string', format: 'date-time' },
    },
    required: ['height', 'unit'],
    additionalProperties: false,
  },
  upcasters: {
    1: (data) => ({ height: (data as { size: number }).size }),
    2: (data) => ({ ...(data as object), unit: 'cm' }),
  },
} as const);

const types = new EventTypes([grown]);

test('data must have the shape of its type', () => {
  types.check('GrownEvent', { height: 1, unit: 'm', at: '2026-11-21T00:00:00Z' });
  for (const data of [
    {},
    { height: '1', unit: 'm' },
    { height: 1, unit: 'm', more: 1 },
    { height: 1, unit: 'm', at: 'now' },
  ]) {
    expect(() => {
      types.check('GrownEvent', data);
    }).toThrow('breaks its schema');
  }
});

test('older shapes go through every upcaster, today’s through none', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true }), (height) => {
      const today = { height, unit: 'cm' };
      expect(types.upcast('GrownEvent', 1, { size: height })).toEqual(today);
      expect(types.upcast('GrownEvent', 2, { height })).toEqual(today);
      expect(types.upcast('GrownEvent', 3, today)).toBe(today);
    }),
    many(100),
  );
});

test('what is not known is named', () => {
  expect(() => types.get('ShrunkEvent')).toThrow('ShrunkEvent is not declared');
  expect([1, 3, 4].map((version) => types.knows('GrownEvent', version))).toEqual([true, true, false]);
  expect(types.knows('ShrunkEvent', 1)).toBe(false);
  const gap = new EventTypes([{ ...grown, upcasters: {} }]);
  expect(() => gap.upcast('GrownEvent', 1, {})).toThrow('no upcaster of GrownEvent from version 1');
  expect(() => new EventTypes([grown, grown])).toThrow('declared twice');
});
