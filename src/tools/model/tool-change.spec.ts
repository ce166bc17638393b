import fc from 'fast-check';
import {
  firstVersion,
  nextVersion,
  refuseLastNumber,
  reachableVersions,
  versionGrades,
} from './tool-change.js';
import { many } from '../../../test/soak.js';

const numbers = (version: string): number[] => version.split('.').map(Number);
const compare = (a: string, b: string): number => {
  const [left, right] = [numbers(a), numbers(b)];
  const place = left.findIndex((part, index) => part !== right[index]);
  return place === -1 ? 0 : (left[place] ?? 0) - (right[place] ?? 0);
};

const someVersion = fc.tuple(fc.nat(20), fc.nat(20), fc.nat(20)).map((parts) => parts.join('.'));
const someGrade = fc.constantFrom(...versionGrades);

describe('the version of a tool', () => {
  it('starts at 1.0.0', () => {
    expect(firstVersion).toBe('1.0.0');
  });

  it.each([
    ['breaking', '2.0.0'],
    ['compatible', '1.3.0'],
    ['wording', '1.2.4'],
  ] as const)('is raised by a %s change from 1.2.3 to %s', (grade, version) => {
    expect(nextVersion('1.2.3', grade)).toBe(version);
  });

  it('passes over what other tools of the name hold', () => {
    expect(nextVersion('1.0.0', 'wording', ['1.0.1', '1.0.2', '1.0.4'])).toBe('1.0.3');
    expect(nextVersion('1.0.0', 'breaking', ['2.0.0'])).toBe('2.0.1');
  });

  const last = '999999999';
  it.each([
    [`1.0.${last}`, 'wording', '1.1.0'],
    [`1.${last}.0`, 'compatible', '2.0.0'],
    [`1.${last}.${last}`, 'wording', '2.0.0'],
    [`1.${last}.3`, 'wording', `1.${last}.4`],
    [`${last}.${last}.0`, 'wording', `${last}.${last}.1`],
  ] as const)('goes from %s by a %s change to the next number of nine digits: %s', (from, grade, next) => {
    expect(nextVersion(from, grade)).toBe(next);
  });

  it.each(['1000000000', '9007199254740992', `1${'0'.repeat(24)}`])(
    'ends with a number of nine digits, also after one with a part of %s that was stored once',
    (part) => {
      const taken = [`1.0.${part}`, '1.1.0'];
      expect(nextVersion(`1.0.${part}`, 'wording', taken)).toBe('1.1.1');
      expect(nextVersion(`1.${part}.0`, 'wording', taken)).toBe('2.0.0');
      expect(reachableVersions(`${part}.0.0`)).toEqual([`${part}.0.0`]);
    },
  );

  it('is refused where no number is left', () => {
    const all = `${last}.${last}.${last}`;
    expect(() => nextVersion(all, 'wording')).toThrow(/no number is left after/);
    expect(() => nextVersion(`${last}.0.0`, 'breaking')).toThrow(/no number is left after/);
    expect(() => nextVersion(`${last}.${last}.999999998`, 'wording', [all])).toThrow(/no number is left/);
    expect(reachableVersions(`${last}.0.0`)).toEqual([`${last}.0.0`, `${last}.1.0`, `${last}.0.1`]);
  });

  it('always rises, to a version that nobody holds', () => {
    fc.assert(
      fc.property(someVersion, someGrade, fc.array(someVersion), (version, grade, taken) => {
        const next = nextVersion(version, grade, taken);
        expect(compare(next, version)).toBeGreaterThan(0);
        expect(taken).not.toContain(next);
        expect(reachableVersions(version, taken)).toContain(next);
      }),
      many(100),
    );
  });
});

it('refuses a number that leaves none for a change that breaks callers', () => {
  expect(() => {
    refuseLastNumber('999999999.0.0');
  }).toThrow('No number is left after 999999999.0.0');
  refuseLastNumber('999999998.999999999.999999999');
});
