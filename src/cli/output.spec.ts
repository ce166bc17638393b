import fc from 'fast-check';
import { table } from './output.js';
import { many } from '../../test/soak.js';

const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', 'é'), maxLength: 90 });
const rows = fc.array(fc.record({ name: text, about: text, number: fc.nat(1000) }), { minLength: 1 });

describe('a table', () => {
  it('keeps its columns below each other, one row a line', () => {
    fc.assert(
      fc.property(rows, (given) => {
        const [header = '', ...lines] = table(given, undefined);
        expect(lines).toHaveLength(given.length);
        const at = header.indexOf('number');
        given.forEach(({ number }, index) => {
          expect((lines[index] ?? '').slice(at)).toBe(String(number));
        });
      }),
      many(100),
    );
  });

  it('fits the terminal as far as cells of twelve letters do', () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 50, max: 120 }), (given, width) => {
        for (const line of table(given, width)) expect(line.length).toBeLessThanOrEqual(width);
      }),
      many(100),
    );
    const [, line] = table([{ name: 'x'.repeat(80), about: 'short' }], 30);
    expect(line).toBe(`${'x'.repeat(22)}…  short`);
  });
});
