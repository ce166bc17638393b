import { smallTextLimits } from '../../documents/limits.js';
import { neighborsAmong } from './neighbors.js';
import { type LintFinding, lintTool } from './tool-lint.js';
import { readToolSpec, type ToolSpec } from './tool-spec.js';

/** The largest files that are taken, of whatever makes an expression try again and again: each comes to its end. */

const units = [
  ...[
    'a',
    'a ',
    ' ',
    ' \n',
    'a,',
    'a, ',
    '-',
    'a-',
    '/a',
    '-/a',
    '/a/',
    'a?',
    'a?b',
    'a?b=',
    '`',
    '"a"|',
    '<',
    '{:',
  ],
  ...[
    'one of ',
    'one of a',
    'one of a, ',
    'one of a or ',
    'one of:  ',
    'must be must be ',
    'values  are ',
    'options::',
  ],
  ...['or', ', or ', 'delete ', 'delete', 'é', '\u0301', '😀', 'a_A', 'aB'],
];
const filled = (unit: string, length: number): string =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
const written = (properties: object, more: object = {}) =>
  JSON.stringify({
    ...{ version: '1.0.0', name: 'read_it', description: 'Reads.' },
    ...more,
    inputSchema: { type: 'object', properties },
  });
const lintOf = (text: string): readonly LintFinding[] => {
  const { value, faults } = readToolSpec({ path: '', text });
  expect(faults).toEqual([]);
  const spec = value as ToolSpec;
  const others = Array.from({ length: 50 }, (_, place) => ({ ...spec, name: `other_${String(place)}` }));
  return lintTool(spec, neighborsAmong(others)(spec));
};
/** What of a file is left for texts. */
const room = smallTextLimits.bytes - 2_000;

it.each(units)('texts of %j, as long as a file may be', (unit) => {
  const size = Buffer.byteLength(JSON.stringify(unit)) - 2;
  // A file may have so many separators, whether or not they stand in a text.
  const separators = unit.match(/[,{[]/g)?.length ?? 0;
  const times = Math.min(room / size, separators === 0 ? Infinity : 15_000 / separators);
  const characters = Math.floor(times * unit.length);
  const properties = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, place) => [
        `p${String(place)}`,
        { type: 'string', description: filled(unit, Math.floor(characters / count) - 60) },
      ]),
    );
  for (const count of [1, 15, 100]) {
    const findings = lintOf(written(properties(count)));
    // Of each parameter, and of the whole, each rule finds one thing at most; beside it stand the ten nearest tools.
    expect(findings.length).toBeLessThanOrEqual(3 * count + 10 + 10);
  }
  expect(lintOf(written({}, { description: filled(unit, 4_000) })).length).toBeLessThanOrEqual(20);
});

it('thousands of parameters without a word', () => {
  const names = Array.from({ length: 4_900 }, (_, place): [string, object] => [`p${String(place)}`, {}]);
  const rules = lintOf(written(Object.fromEntries(names))).map(({ rule }) => rule);
  expect(rules.filter((rule) => rule === 'parameter_undescribed')).toHaveLength(4_900);
  expect(rules).toContain('too_many_parameters');
});

it('schemas as deep as a file may be', () => {
  let schema: object = { type: 'string', description: 'One of a, b.' };
  for (let level = 0; level < 20; level += 1) schema = { type: 'object', properties: { a: schema } };
  expect(lintOf(written({ a: schema })).map(({ rule }) => rule)).toContain('parameter_undescribed');
});

it('lists of values by the thousand', () => {
  const examples = Array.from({ length: 9_000 }, (_, place) => `v${String(place)}`);
  const findings = lintOf(written({ a: { type: 'string', description: 'What it is.', examples } }));
  expect(findings.find(({ rule }) => rule === 'enum_candidate')?.example.length).toBeLessThan(1_000);
});
