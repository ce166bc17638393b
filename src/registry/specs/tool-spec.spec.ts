import {
  fileOf,
  namedBy,
  type PlaceOf,
  readEvalConfig,
  readToolSpec,
  specDigest,
  type ToolSpec,
} from './tool-spec.js';
import { compareSpecs, gradeOf, versionFault } from './version-rules.js';

const text = `version: 0.0.2
title: Read File
name: read_file
description: Reads part of a file, from an offset, so many bytes. Use list_files to find its path.
host: workflow_service
inputSchema:
  parameters:
    - name: file_path
      description: Path of the file
      type: string
      required: true
    - name: offset
      description: Bytes to skip
      type: integer
      required: false
      default: 1
`;
const path = 'tools/specs/read_file/v0_0_2.yaml';

function read(changed: string, at = path): ToolSpec {
  const { value, faults } = readToolSpec({ path: at, text: changed });
  if (value === undefined) throw new Error(JSON.stringify(faults));
  return value;
}

const faultsOf = (changed: string, at = path) =>
  readToolSpec({ path: at, text: changed }).faults.map(({ rule, line, pointer }) => [rule, line, pointer]);

describe('a spec', () => {
  it('with a list of parameters describes an object that takes no others', () => {
    expect(read(text)).toMatchObject({
      ...{ version: '0.0.2', title: 'Read File', name: 'read_file', host: 'workflow_service', owner: null },
      inputSchema: {
        type: 'object',
        properties: {
          file_path: { type: 'string', description: 'Path of the file' },
          offset: { type: 'integer', description: 'Bytes to skip', default: 1 },
        },
        required: ['file_path'],
        additionalProperties: false,
      },
      outputSchema: null,
    });
  });

  it('says where the file has what is found in the schema', () => {
    const { placeOf } = readToolSpec({ path, text }) as { placeOf: PlaceOf };
    expect(placeOf('/inputSchema/properties/offset/default')).toEqual({
      ...{ pointer: '/inputSchema/parameters/1/default', line: 16 },
    });
    expect(placeOf('/inputSchema/required')).toEqual({ pointer: '/inputSchema/parameters', line: 7 });
    expect(placeOf('/description')).toEqual({ pointer: '/description', line: 4 });
  });

  it('with JSON Schema is kept as it is', () => {
    const schema =
      'inputSchema: { type: object, properties: { a: { anyOf: [{ type: string }, { type: "null" }] } } }\n';
    const spec = read(text.replace(/inputSchema:[^]*/, schema));
    expect(spec.inputSchema).toEqual({
      ...{ type: 'object' },
      properties: { a: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
    });
  });

  it('lies in a file that says its name and version', () => {
    expect(fileOf('read_file', '0.10.2')).toBe('read_file/v0_10_2.yaml');
    expect(namedBy(`tools/specs/${fileOf('read_file', '0.10.2')}`)).toEqual({
      ...{ name: 'read_file', version: '0.10.2' },
    });
    expect(namedBy('tools/specs/read_file.yaml')).toBeUndefined();
  });

  it('has one digest, however it is written', () => {
    const json = JSON.stringify({
      inputSchema: {
        additionalProperties: false,
        properties: {
          offset: { default: 1, type: 'integer', description: 'Bytes to skip' },
          file_path: { type: 'string', description: 'Path of the file' },
        },
        required: ['file_path'],
        type: 'object',
      },
      ...{ version: '0.0.2', host: 'workflow_service', name: 'read_file', title: 'Read File' },
      description: read(text).description,
    });
    expect(specDigest(read(json))).toBe(specDigest(read(text)));
    expect(specDigest(read(text.replace('Bytes', 'How many bytes')))).not.toBe(specDigest(read(text)));
  });

  it.each<[what: string, text: string, faults: unknown[]]>([
    ['no YAML', `${text}  - :\n : {`, [['malformed_yaml', 17, '']]],
    ['an unknown member', `${text}color: red\n`, [['schema', 17, '/color']]],
    ['a version that is none', text.replace('0.0.2', '2'), [['schema', 1, '/version']]],
    ['another name than its path', text.replace('read_file', 'write_file'), [['path', 3, '/name']]],
    [
      'a parameter twice',
      text.replace('name: offset', 'name: file_path'),
      [['parameter_twice', 12, '/inputSchema/parameters/1/name']],
    ],
    [
      'a required parameter with a default',
      text.replace('required: false', 'required: true'),
      [['required_default', 16, '/inputSchema/parameters/1/default']],
    ],
    [
      'a reference that leads nowhere',
      text.replace(
        /inputSchema:[^]*/,
        'inputSchema:\n  type: object\n  properties:\n    a:\n      $ref: "#/$defs/b"\n',
      ),
      [['schema', 10, '/inputSchema/properties/a/$ref']],
    ],
    [
      'variables that are no parameters',
      `${text}graphql:\n  api: files\n  operation: 'query ($path: ID!) { file(path: $path) { text } }'\n  variables:\n    path: $file_path\n    depth: { at: $deep }\n`,
      [['reference', 22, '/graphql/variables/depth/at']],
    ],
    [
      'two operations',
      `${text}graphql:\n  api: files\n  operation: 'query a { a } query b { b }'\n`,
      [['graphql', 19, '/graphql/operation']],
    ],
    [
      'a step that takes what comes after it',
      `${text}composite:
  by: mode
  alternatives:
    - when: read
      steps:
        - { id: found, endpoint: { api: files, endpoint: /files@get, arguments: { at: $read.offset } } }
        - { id: read, endpoint: { api: files, endpoint: '/files/{id}@get', arguments: { id: $found.id } } }
`.replace('parameters:', 'parameters:\n    - { name: mode, type: string, required: true, enum: [read] }'),
      [['reference', 23, '/composite/alternatives/0/steps/0/endpoint/arguments/at']],
    ],
  ])('with %s is refused, with rule, line and place', (_what, changed, faults) => {
    expect(faultsOf(changed)).toEqual(faults);
  });

  it('has numbers that JSON carries; those of a version that is kept stay what they were', () => {
    const long = text.replace('default: 1\n', 'default: 9007199254740993\n');
    const { value, faults, ...more } = readToolSpec({ path, text: long });
    expect(faults).toEqual([]);
    expect(more).toMatchObject({ late: [{ line: 16, pointer: '/inputSchema/parameters/1/default' }] });
    expect(value?.inputSchema['properties']).toMatchObject({ offset: { default: 9007199254740992 } });
    const output = 'outputSchema: {type: object, properties: {id: {maximum: 9223372036854775807}}}\n';
    expect(readToolSpec({ path, text: text + output })).toMatchObject({
      value: { outputSchema: { properties: { id: { maximum: 2 ** 63 } } } },
      late: [{ pointer: '/outputSchema/properties/id/maximum' }],
    });
    const shown = `${text}examples:\n  - prompt: Read it.\n    arguments: {file_path: a, offset: 9007199254740993}\n`;
    expect(read(shown).examples[0]?.arguments).toMatchObject({ offset: '9007199254740993' });
  });
});

describe('how a version is evaluated', () => {
  it('forbids nothing that it expects', () => {
    const config = 'prompts:\n  - prompt: Show me the file\n    forbidden: [read_file]\n';
    const { faults } = readEvalConfig({ path: 'eval/configs/read_file/v0_0_2.yaml', text: config });
    expect(faults).toMatchObject([{ rule: 'contradiction', line: 3, pointer: '/prompts/0/forbidden' }]);
  });

  it('expects the tool itself where none is named', () => {
    const config =
      'prompts:\n  - prompt: Show me the file\n  - { prompt: Which files, expected: [list_files], forbidden: [read_file] }\n';
    expect(readEvalConfig({ path: 'eval/configs/read_file/v0_0_2.yaml', text: config }).value).toEqual({
      prompts: [
        { prompt: 'Show me the file', expected: ['read_file'], forbidden: [] },
        { prompt: 'Which files', expected: ['list_files'], forbidden: ['read_file'] },
      ],
      thresholds: {},
    });
  });
});

describe('the number of a version', () => {
  const wrong = [
    ...[
      '1',
      '1.2',
      '1.2.3.4',
      'v1.2.3',
      '01.2.3',
      '1.02.3',
      '1.2.3-beta',
      '1.2.3+build',
      '-1.2.3',
      '1.2.x',
      ' 1.2.3',
      '1.2.3\n',
    ],
    ...[
      '1000000000.0.0',
      '0.1000000000.0',
      '9007199254740993.0.0',
      `0.0.${'9'.repeat(4_000)}`,
      '1e3.0.0',
      '١.٢.٣',
      '1.2.',
    ],
  ];
  it.each(wrong)('is refused where callers, files or modules could not carry it: %j', (version) => {
    const { faults } = readToolSpec({ path: '', text: text.replace('0.0.2', JSON.stringify(version)) });
    expect(faults.length).toBeGreaterThan(0);
    expect(faults.every(({ pointer }) => pointer === '/version')).toBe(true);
    const detail = faults.map((fault) => fault.detail).join();
    expect(detail).toMatch(/nine digits at most and no leading zeros|fewer than 30|more than 29/);
  });

  it.each(['0.0.0', '20261126.0.0', '999999999.999999999.999999999', '9.99.99999999'])(
    'may be %s',
    (version) => {
      expect(readToolSpec({ path: '', text: text.replace('0.0.2', version) })).toMatchObject({
        value: { version },
      });
    },
  );

  const before = read(text);
  const next = (changed: Partial<ToolSpec>): ToolSpec => ({ ...before, ...changed });
  const optional = {
    ...before.inputSchema,
    properties: { ...(before.inputSchema['properties'] as object), limit: { type: 'integer' } },
  } as ToolSpec['inputSchema'];
  const demanded = { ...optional, required: ['file_path', 'limit'] } as ToolSpec['inputSchema'];

  it.each<[what: string, changed: Partial<ToolSpec>, grade: string, least: string]>([
    ['the description', { description: 'Reads.' }, 'text', '0.0.3'],
    ['an optional parameter', { inputSchema: optional }, 'compatible', '0.1.0'],
    ['a required parameter', { inputSchema: demanded }, 'breaking', '1.0.0'],
    ['an output schema', { outputSchema: { type: 'object' } }, 'compatible', '0.1.0'],
    ['a hint that it changes nothing', { annotations: { readOnlyHint: true } }, 'compatible', '0.1.0'],
    [
      'hints that it is idempotent and destroys nothing',
      { annotations: { idempotentHint: true, destructiveHint: false } },
      'compatible',
      '0.1.0',
    ],
    // Where one is said, those left out are what MCP takes them for.
    [
      'a hint beside which it may destroy something',
      { annotations: { idempotentHint: true } },
      'breaking',
      '1.0.0',
    ],
  ])('rises at least so far with %s', (_what, changed, grade, least) => {
    const findings = compareSpecs(before, next(changed));
    expect(gradeOf(findings)).toBe(grade);
    const small = versionFault(before, next({ ...changed, version: before.version }), findings);
    expect(small).toMatchObject({ rule: 'version.not_newer', instead: `Take ${least} or higher.` });
    expect(versionFault(before, next({ ...changed, version: least }), findings)).toBeUndefined();
  });

  it('has no next one after the last', () => {
    const last = next({ version: '999999999.999999999.999999999' });
    expect(versionFault(last, { ...last, description: 'Reads.' }, [])).toMatchObject({
      ...{ rule: 'version.not_newer', instead: expect.stringContaining('No number is left after') },
    });
    const full = next({ version: '1.999999999.0' });
    const changed = { ...full, inputSchema: optional, version: '1.999999999.1' };
    expect(versionFault(full, changed, compareSpecs(full, changed))).toMatchObject({
      ...{ rule: 'version.too_small', instead: 'Take 2.0.0 or higher.' },
    });
  });

  it('names what asks for more', () => {
    const after = next({ inputSchema: demanded, version: '0.1.0' });
    expect(versionFault(before, after, compareSpecs(before, after))?.detail).toBe(
      'From 0.0.2 to 0.1.0 is too small a step: input.required.narrower at /inputSchema asks for MAJOR. Take 1.0.0 or higher.',
    );
  });

  it.each([
    ['query { a { x } }', 'query { a { y } }', 'compatible'],
    ['query { a }', 'query { b }', 'breaking'],
    ['mutation { createIssue }', 'mutation { updateIssue }', 'breaking'],
    ['query { a }', 'mutation { a }', 'breaking'],
    ['query { a }', undefined, 'breaking'],
    [undefined, 'query { a }', 'breaking'],
  ])('rises with a call of %s that turns into %s', (old, now, grade) => {
    const calling = (operation: string | undefined) =>
      next({ graphql: operation === undefined ? null : { api: 'files', operation } });
    expect(gradeOf(compareSpecs(calling(old), calling(now)))).toBe(grade);
  });

  it('rises with a composite that carries out other operations, and not with one that carries out more', () => {
    const composite = (...endpoints: string[]) =>
      next({
        composite: {
          by: 'what',
          alternatives: endpoints.map((endpoint) => ({
            when: endpoint,
            steps: [{ id: 'one', endpoint: { api: 'files', endpoint } }],
          })),
        },
      });
    const grade = (old: ToolSpec, now: ToolSpec) => gradeOf(compareSpecs(old, now));
    expect(grade(composite('/a@get'), composite('/a@get', '/b@get'))).toBe('compatible');
    expect(grade(composite('/a@get', '/b@get'), composite('/b@get'))).toBe('breaking');
    expect(grade(before, composite('/a@get'))).toBe('breaking');
  });

  it('rises by MAJOR where a tool loses a hint that it harms nothing', () => {
    const safe = next({ annotations: { readOnlyHint: true } });
    expect(gradeOf(compareSpecs(safe, before))).toBe('breaking');
  });
});
