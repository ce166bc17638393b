import { lintFolder } from './folder-lint.js';
import { readRegistry } from './registry-folder.js';
import { changedSince, pairsOf } from './version-pairs.js';

const today = '2026-11-23';

/** A spec of read_file, in which some lines read otherwise. */
const spec = (
  version: string,
  more = '',
  description = 'Reads part of a file. Use it when you know its path.',
) => ({
  path: `tools/specs/read_file/v${version.replaceAll('.', '_')}.yaml`,
  text: `version: ${version}
name: read_file
description: ${description}
inputSchema:
  parameters:
    - { name: file_path, description: Path of the file, type: string, required: true }
${more}`,
});
const limit = '    - { name: limit, description: Bytes at most, type: integer, default: 2000 }\n';
const demanded = '    - { name: limit, description: Bytes at most, type: integer, required: true }\n';
const evaluation = (text: string, version = '1.0.0') => ({
  path: `eval/configs/read_file/v${version.replaceAll('.', '_')}.yaml`,
  text,
});
const asked = evaluation('prompts: [{ prompt: Show me the file }]\n');
const accepting = (more: object) => ({
  path: 'tools/accepted-findings.yaml',
  text: JSON.stringify({
    accepted: [
      {
        ...{ tool: 'read_file', version: '1.1.0', rule: 'input.required.narrower', pointer: '/inputSchema' },
        ...{ reason: 'All send it.', approver: 'olga', expires: '2026-12-31' },
        ...more,
      },
    ],
  }),
});

const rulesAt = (found: readonly { file: string; line: number; rule: string; pointer: string }[]) =>
  found.map(({ file, line, rule, pointer }) => [file.replace(/^.*\//, ''), line, rule, pointer]);

describe('a registry', () => {
  it('refuses names that differ by capitals alone, and members that no object can have', () => {
    const named = (name: string, more = '') => ({
      path: `tools/specs/${name}/v1_0_0.yaml`,
      text: spec('1.0.0', more).text.replace('name: read_file', `name: ${name}`),
    });
    const files = [named('read_file'), named('Read_File'), named('get_it', '__proto__: { a: 1 }\n')];
    const { faults } = readRegistry(files);
    expect(faults.map(({ file, line, rule, pointer }) => [file, line, rule, pointer])).toEqual([
      ['tools/specs/get_it/v1_0_0.yaml', 1, 'schema', ''],
      ['tools/specs/read_file/v1_0_0.yaml', 2, 'case', '/name'],
    ]);
  });

  it('is read by name and version, whatever else lies there', () => {
    const files = [spec('1.10.0', limit), spec('1.9.0'), asked, { path: 'README.md', text: '# Tools' }];
    const { specs, faults } = readRegistry(files);
    expect(specs.map((file) => file.spec.version)).toEqual(['1.9.0', '1.10.0']);
    expect(faults).toEqual([]);
  });

  it('is read on where one of its files is wrong', () => {
    const { specs, faults } = readRegistry([{ ...spec('1.0.0'), text: 'version: [' }, spec('1.1.0'), asked]);
    expect(specs).toHaveLength(1);
    expect(faults.map(({ file }) => file)).toEqual(['tools/specs/read_file/v1_0_0.yaml']);
  });

  it.each([
    [
      'an example that its schema refuses',
      [spec('1.0.0', 'examples:\n  - prompt: Show a\n    arguments: { file_path: 7 }\n'), asked],
      [['v1_0_0.yaml', 9, 'example', '/examples/0/arguments/file_path']],
    ],
    [
      'a default that its schema refuses',
      [spec('1.0.0', limit.replace('2000', 'all')), asked],
      [['v1_0_0.yaml', 7, 'default', '/inputSchema/parameters/1/default']],
    ],
    [
      'a version twice',
      [spec('1.0.0'), { ...spec('1.0.0'), path: 'tools/specs/read_file/v1_0_0.yml' }, asked],
      [['v1_0_0.yml', 1, 'twice', '']],
    ],
    [
      'an acceptance without a day',
      [spec('1.0.0'), asked, accepting({ expires: 'never' })],
      [['accepted-findings.yaml', 1, 'schema', '/accepted/0/expires']],
    ],
  ])('with %s has a fault, with its line', (_what, files, faults) => {
    expect(rulesAt(readRegistry(files).faults)).toEqual(faults);
  });

  it.each([
    [
      'without prompts for the newest version',
      [spec('0.9.0'), spec('1.0.0')],
      [['v1_0_0.yaml', 1, 'evaluation_missing', '']],
    ],
    [
      'with prompts for no version',
      [spec('1.0.0'), asked, evaluation(asked.text, '2.0.0')],
      [['v2_0_0.yaml', 1, 'spec_missing', '']],
    ],
    [
      'with prompts that expect a tool from elsewhere',
      [spec('1.0.0'), evaluation('prompts:\n  - prompt: Which files?\n    expected: [list_files]\n')],
      [['v1_0_0.yaml', 3, 'tool_unknown', '/prompts/0/expected']],
    ],
  ])('%s has a warning', (_what, files, warnings) => {
    const read = readRegistry(files);
    expect(read.faults).toEqual([]);
    expect(rulesAt(read.warnings)).toEqual(warnings);
  });
});

describe('versions of a tool', () => {
  const report = (...files: { path: string; text: string }[]) => pairsOf(readRegistry(files), today);

  it('are graded, input and output apart', () => {
    const { pairs, faults } = report(
      spec('1.0.0'),
      spec('1.1.0', `${limit}outputSchema: { type: object, properties: { text: { type: string } } }\n`),
      spec(
        '1.1.1',
        `${limit}outputSchema: { type: object, properties: { text: { type: string } } }\n`,
        'Reads a file.',
      ),
    );
    expect(faults).toEqual([]);
    expect(pairs.map(({ from, to, grade, input, output }) => [from, to, grade, input, output])).toEqual([
      ['1.0.0', '1.1.0', 'compatible', 'compatible', 'compatible'],
      ['1.0.0', '1.1.1', 'compatible', 'compatible', 'compatible'],
      ['1.1.0', '1.1.1', 'text', 'none', 'none'],
    ]);
  });

  it('are refused where the number is raised too little, by file and line', () => {
    const { faults } = report(spec('1.0.0'), spec('1.1.0', demanded));
    expect(faults).toEqual([
      {
        ...{ file: 'tools/specs/read_file/v1_1_0.yaml', line: 1, pointer: '/version' },
        ...{ rule: 'version.too_small', detail: expect.stringContaining('Take 2.0.0 or higher.') },
      },
    ]);
    expect(report(spec('1.0.0'), spec('2.0.0', demanded)).faults).toEqual([]);
  });

  it('are taken with what somebody has accepted, until its day', () => {
    const files = [spec('1.0.0'), spec('1.1.0', demanded)];
    const taken = report(...files, accepting({}));
    expect(taken.faults).toEqual([]);
    expect(taken.pairs[0]?.findings[0]).toMatchObject({ grade: 'breaking', accepted: { approver: 'olga' } });
    const late = report(...files, accepting({ expires: '2026-11-22' }));
    expect([late.faults, late.warnings].map((found) => found.map(({ rule }) => rule))).toEqual([
      ['version.too_small'],
      ['accepted_expired'],
    ]);
    const other = report(...files, accepting({ pointer: '/outputSchema' }));
    expect(other.warnings.map(({ rule }) => rule)).toEqual(['accepted_unused']);
  });

  it('are taken with an acceptance that was renewed, and the one that has run out is named with its line', () => {
    const [entry, renewed] = ['2026-11-22', '2026-12-31'].map((expires) =>
      accepting({ expires }).text.replace('{"accepted":[', '').replace(']}', ''),
    );
    const file = {
      path: 'tools/accepted-findings.yaml',
      text: `accepted:\n  - ${entry ?? ''}\n  - ${renewed ?? ''}\n`,
    };
    const { faults, warnings } = report(spec('1.0.0'), spec('1.1.0', demanded), file);
    expect([faults, rulesAt(warnings)]).toEqual([
      [],
      [['accepted-findings.yaml', 2, 'accepted_expired', '/accepted/0']],
    ]);
    const unused = { ...file, text: `accepted:\n\n  - ${accepting({ rule: 'none' }).text.slice(13, -2)}\n` };
    expect(rulesAt(report(spec('1.0.0'), unused).warnings)).toEqual([
      ['accepted-findings.yaml', 3, 'accepted_unused', '/accepted/0'],
    ]);
  });

  it('are taken with it in the versions after too', () => {
    const files = [spec('1.0.0'), spec('1.1.0', demanded), spec('1.1.1', demanded, 'Reads a file.')];
    expect(report(...files, accepting({})).faults).toEqual([]);
  });

  it('that are published never change', () => {
    const published = readRegistry([spec('1.0.0'), spec('1.1.0', limit)]);
    const present = readRegistry([
      { ...spec('1.0.0'), text: `# Reviewed.\n${spec('1.0.0').text}` },
      spec('1.1.0', limit, 'Reads a file.'),
    ]);
    expect(changedSince(published, present).map(({ file, rule }) => [file, rule])).toEqual([
      ['tools/specs/read_file/v1_1_0.yaml', 'version.changed'],
    ]);
    expect(changedSince(published, readRegistry([spec('1.0.0')])).map(({ rule }) => rule)).toEqual([
      'version.removed',
    ]);
  });
});

describe('the lint of a registry', () => {
  it('is of the newest versions, with the lines of their files', () => {
    const registry = readRegistry([
      spec('1.0.0', '', 'Reads.'),
      spec('1.1.0', limit.replace('description: Bytes at most, ', '')),
    ]);
    expect(rulesAt(lintFolder(registry))).toEqual([
      ['v1_1_0.yaml', 7, 'parameter_undescribed', '/inputSchema/parameters/1'],
      ['v1_1_0.yaml', 1, 'output_schema_missing', '/outputSchema'],
    ]);
  });

  it('finds tools that read alike', () => {
    const other = (name: string, description: string) => ({
      path: `tools/specs/${name}/v1_0_0.yaml`,
      text: spec('1.0.0', 'outputSchema: { type: object }\n', description).text.replace(
        'name: read_file',
        `name: ${name}`,
      ),
    });
    const overlaps = (description: string) =>
      lintFolder(
        readRegistry([
          other('get_issue', 'Reads one issue of a project. Use it when you know its number.'),
          other('show_issue', description),
        ]),
      ).map(({ rule, file }) => [rule, file.split('/')[2]]);
    expect(overlaps('Reads an issue of one project. Use it when you know its number.')).toEqual([
      ['overlaps', 'get_issue'],
      ['overlaps', 'show_issue'],
    ]);
    expect(overlaps('Lists pipelines that failed. Use it when a merge is blocked.')).toEqual([]);
  });
});
