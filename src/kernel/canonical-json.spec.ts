import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { Invalid } from './errors.js';
import { canonicalJson, sha256Hex } from './canonical-json.js';
import { many } from '../../test/soak.js';

test('members stand in the order of their code units, without white space (RFC 8785)', () => {
  const value = { b: [1, 1e30, 0.000001, -0, true, null], '\u20ac': 'é\n"\\', a: { z: 1, Z: 2, 1: 3 } };
  expect(canonicalJson(value)).toBe(
    '{"a":{"1":3,"Z":2,"z":1},"b":[1,1e+30,0.000001,0,true,null],"\u20ac":"é\\n\\"\\\\"}',
  );
});

test.each(['\0', 'a\0b', '\ud800', '\udc00', 'x\ud83d', '\\\0', '\\\\\ud800'])(
  'refuses %j, as value and as name',
  (text) => {
    expect(() => canonicalJson({ deep: [{ text }] })).toThrow(Invalid);
    expect(() => canonicalJson({ [text]: 1 })).toThrow(Invalid);
  },
);

test.each(['\\u0000', '\\\\u0000', '\\ud800', '\\\\\\ud83d', '\u{1F600}', '\u0001', '\ufffd'])(
  'lets %j pass',
  (text) => {
    expect(JSON.parse(canonicalJson({ text }))).toEqual({ text });
  },
);

test('what is storable is exactly what is well formed and has no NUL', () => {
  const isFit = (text: string): boolean => !text.includes('\0') && Buffer.from(text).toString() === text;
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('\\', 'u', '0000', 'd800', '\ud800', '\udc00', '\0', '"', 'x')),
      (parts) => {
        const text = parts.join('');
        const attempt = (): string => canonicalJson({ text });
        if (isFit(text)) expect(JSON.parse(attempt())).toEqual({ text });
        else expect(attempt).toThrow(Invalid);
      },
    ),
    many(100),
  );
});

test('two spellings of one value have one text', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = (): string => canonicalJson({ value });
      fc.pre(!JSON.stringify(value).includes('\\u'));
      expect(canonicalJson(JSON.parse(text()) as object)).toBe(text());
    }),
    many(100),
  );
});

test('it writes what the reference implementation of RFC 8785 writes', () => {
  // The package is CommonJS; its types say otherwise.
  const reference = canonicalize as unknown as (value: unknown) => string;
  const keys = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.nat().map(String),
    fc.constantFrom('__proto__', 'toJSON'),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.string({ unit: 'grapheme' }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value')),
      fc.dictionary(keys, tie('value')),
    ),
  }));
  const members = Object.fromEntries(
    Array.from({ length: 500 }, (_, index) => [String((index * 7919) % 1000), index]),
  );
  expect(canonicalJson(members)).toBe(reference(members));
  fc.assert(
    fc.property(value, (any) => {
      const parsed = JSON.parse(JSON.stringify({ any }).replaceAll('\\u0000', '0')) as object;
      expect(canonicalJson(parsed)).toBe(reference(parsed));
    }),
    many(500),
  );
});

test.each([[NaN], [Infinity], [1n]])('%s has no text', (number) => {
  expect(() => canonicalJson({ number })).toThrow(TypeError);
});

test('hashes are bare lower-case hex of the UTF-8 bytes', () => {
  expect(sha256Hex('é')).toBe('4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c');
});
