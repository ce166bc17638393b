import fc from 'fast-check';
import { byCodePoint, flagMember, textMember } from './json.js';
import { many } from '../../test/soak.js';

describe('reading of parsed documents', () => {
  it('orders by code point, as the bytes of UTF-8 do', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'é', '\ud7ff', '\ue000', '\uffff', '😀', '\u{10ffff}'),
    });
    fc.assert(
      fc.property(text, text, (one, other) => {
        const expected = Buffer.compare(Buffer.from(one), Buffer.from(other));
        expect(Math.sign(byCodePoint(one, other))).toBe(expected);
      }),
      many(100),
    );
  });

  it('takes a number for the text that nobody quoted, and yes for true', () => {
    expect(textMember({ version: 1.5 }, 'version')).toBe('1.5');
    expect(['yes', 'On', true, 'no', 1].map((required) => flagMember({ required }, 'required'))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});
