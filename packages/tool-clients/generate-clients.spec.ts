import { readFile } from '../../test/client-cases.js';
import { aTool, digest, hostileNames, hostileTools } from '../../test/hostile-tools.js';
import type { JsonObject } from '../schema-reading/keywords.js';
import { generateClients } from './generate-clients.js';
import { languages } from './tool-interface.js';
import { parameterNames, toolNames } from './names.js';
import { portablePattern } from './portable-pattern.js';
import { GENERATOR_VERSION, type Language } from './tool-interface.js';

const textOf = (language: Language, path: string, tools = readFile): string =>
  generateClients(tools, language).files.get(path) ?? '';
const typesOf = (schema: JsonObject, language: Language): string => {
  const paths = {
    typescript: 'src/t/v1_0_0.ts',
    python: 'src/tool_registry/t/v1_0_0.py',
    ruby: 'sig/tool_registry/t/v1_0_0.rbs',
  };
  return textOf(language, paths[language], [aTool('t', schema)]);
};

describe('a package', () => {
  it.each([
    ['typescript', 'tool-registry/read-file/v0_0_2', 'src/read-file/v0_0_2.ts'],
    ['python', 'tool_registry.read_file.v0_0_2', 'src/tool_registry/read_file/v0_0_2.py'],
    ['ruby', 'ToolRegistry::ReadFile::V0_0_2', 'lib/tool_registry/read_file/v0_0_2.rb'],
  ] as const)('has a module for each version in %s: %s', (language, module, path) => {
    const { modules, files } = generateClients(readFile, language);
    expect(modules.map((each) => each.module)).toEqual([module.replace(/0_0_2/, '0_0_1'), module]);
    const text = files.get(path);
    expect(text?.split('\n')[0]).toContain(digest);
    expect(text?.split('\n')[0]).toContain(GENERATOR_VERSION);
  });

  it('has signatures with defaults', () => {
    expect(textOf('python', 'src/tool_registry/read_file/v0_0_2.py')).toContain(
      'def _execute(self, *, file_path: str, offset: int = 1, limit: int = 2000) -> ReadFileOutput:',
    );
    expect(textOf('ruby', 'lib/tool_registry/read_file/v0_0_2.rb')).toContain(
      'def call(file_path:, offset: 1, limit: 2000)',
    );
    expect(textOf('ruby', 'sig/tool_registry/read_file/v0_0_2.rbs')).toContain(
      'def call: (file_path: ::String, ?offset: ::Integer, ?limit: ::Integer) -> Output',
    );
    expect(textOf('typescript', 'src/read-file/v0_0_2.ts')).toContain(
      'protected abstract _execute(input: ReadFileInput): ReadFileOutput | Promise<ReadFileOutput>;',
    );
  });

  it.each(languages)('is the same for the same tools in any order, in %s', (language) => {
    const turned = generateClients([...hostileTools].reverse(), language);
    expect([...turned.files]).toEqual([...generateClients(hostileTools, language).files]);
  });

  it('is named and versioned', () => {
    const { files } = generateClients(readFile, 'typescript', { packageVersion: '3.1.4' });
    expect(JSON.parse(files.get('package.json') ?? '')).toMatchObject({
      name: 'tool-registry',
      version: '3.1.4',
    });
    expect(() => generateClients([], 'ruby', { packageVersion: '1\n' })).toThrow(RangeError);
  });

  it.each<[language: Language]>([['typescript'], ['python'], ['ruby']])(
    'leave out, with a warning, a version, a digest and a tool twice that no %s module can be of',
    (language) => {
      const [tool] = readFile;
      if (tool === undefined) throw new Error('There is no tool.');
      const wrong = [{ version: '1.0\n' }, { version: '1.0' }, { version: '1.0.9007199254740992' }];
      const unusable = [...wrong, { digest: 'a:b\nimport os' }].map((each) => aTool('a', {}, each));
      const alone = generateClients([tool], language);
      const { modules, warnings } = generateClients([...unusable, tool, tool], language);
      expect(modules).toEqual(alone.modules);
      expect(warnings.filter(({ code }) => code === 'left_out')).toHaveLength(5);
      expect(generateClients(unusable, language).modules).toEqual([]);
    },
  );
});

describe('names', () => {
  it('are unique, fit, and lead back', () => {
    const tools = [...toolNames(hostileNames).values()].map(({ words }) => words.join(''));
    expect(new Set(tools).size).toBe(new Set(hostileNames).size);
    for (const language of ['python', 'ruby'] as const) {
      const names = parameterNames(hostileNames, language);
      expect([...names.keys()].sort()).toEqual([...new Set(hostileNames)].sort());
      expect(new Set(names.values()).size).toBe(names.size);
      for (const name of names.values()) expect(name).toMatch(/^[A-Za-z][A-Za-z0-9_]{0,75}$/);
    }
  });

  it.each([
    ['class', 'class_'],
    ['self', 'self_'],
    ['kebab-name', 'kebab_name'],
    ['$odd', 'odd'],
    ['1st', 'argument_1st'],
    ['__proto__', 'proto'],
    ['aB', 'aB'],
    ['\u{1f600}', 'argument'],
    ['größe', 'gro_e'],
  ])('%s is %s as a parameter', (wire, name) => {
    expect(parameterNames([wire], 'python').get(wire)).toBe(name);
  });
});

describe('types', () => {
  const object = (properties: JsonObject, rest: JsonObject = {}): JsonObject => ({
    type: 'object',
    properties,
    ...rest,
  });
  it.each<[title: string, schema: JsonObject, typescript: string, python: string, ruby: string]>([
    [
      'required and nullable',
      object({ a: { type: ['string', 'null'] } }, { required: ['a'] }),
      'a: (string | null);',
      'a: _t.Union[str, None])',
      '(a: (::String | nil))',
    ],
    [
      'optional',
      object({ a: { type: 'string' } }),
      'a?: string;',
      'a: _t.Union[str, None] = None)',
      '(?a: (::String)?)',
    ],
    [
      'a default',
      object({ a: { type: 'boolean', default: false } }),
      'a: boolean;',
      'a: bool = False)',
      '(?a: bool)',
    ],
    [
      'a default of another type',
      object({ a: { type: 'integer', default: 'x' } }),
      'a: number;',
      'a: int)',
      '(?a: ::Integer)',
    ],
    [
      'constants',
      object({ a: { enum: ['x', 1] } }, { required: ['a'] }),
      'a: ("x" | 1);',
      'a: _t.Literal["x", 1])',
      '(a: ("x" | 1))',
    ],
    [
      'a map',
      object({ a: { type: 'object', additionalProperties: { type: 'integer' } } }, { required: ['a'] }),
      'a: { [name: string]: number };',
      'a: dict[str, int])',
      '(a: ::Hash[::String, ::Integer])',
    ],
    [
      'a tuple',
      object(
        {
          a: {
            type: 'array',
            minItems: 1,
            prefixItems: [{ type: 'string' }, { type: 'boolean' }],
            items: false,
          },
        },
        { required: ['a'] },
      ),
      'a: [string, boolean?];',
      'a: list[_t.Union[str, bool]])',
      '(a: ::Array[(::String | bool)])',
    ],
    ['anything', object({ a: {} }, { required: ['a'] }), 'a: unknown;', 'a: _t.Any)', '(a: untyped)'],
    [
      'allOf',
      object(
        { a: { allOf: [{ $ref: '#/$defs/B' }, object({ c: { type: 'null' } })] } },
        { required: ['a'], $defs: { B: object({ b: { type: 'string' } }, { required: ['b'] }) } },
      ),
      'b: string;\n    c?: null;',
      '"c": _t.NotRequired[None],',
      '::Hash[::String, (::String | nil)]',
    ],
    [
      'arguments beyond those listed',
      object({ a: { type: 'null' } }, { required: ['a'], additionalProperties: { type: 'integer' } }),
      '[name: string]: unknown;',
      'additional_properties: dict[str, int])',
      'additional_properties: ::Hash[::String, ::Integer])',
    ],
  ])('say %s', (_title, schema, ...expected) => {
    for (const [index, language] of languages.entries())
      expect(typesOf(schema, language)).toContain(expected[index]);
  });

  it('say alternatives, each with the constant that tells it apart', () => {
    const one = (kind: string): JsonObject => object({ kind: { const: kind } }, { required: ['kind'] });
    const $defs: JsonObject = { Shape: { oneOf: [one('circle'), one('point')] } };
    expect(typesOf(object({ a: { $ref: '#/$defs/Shape' } }, { $defs }), 'typescript')).toContain(
      'TInputShape = ({\n  kind: "circle";\n} | {\n  kind: "point";\n});',
    );
  });

  it('warn of what they can’t say, and of what is not checked', () => {
    const schema = object({
      a: { unevaluatedProperties: false, type: 'object' },
      b: { type: 'string', pattern: '\\p{Lu}' },
      c: { $ref: 'https://example.com/a' },
      d: { properties: { e: {} } },
      e: { enum: [{ a: 1 }] },
      f: { allOf: [{ type: 'string' }, { type: 'integer' }] },
    });
    const { warnings } = generateClients([aTool('t', schema)], 'python');
    expect(warnings.map(({ pointer, code }) => `${code} ${pointer}`)).toEqual([
      'not_checked /inputSchema/properties/a/unevaluatedProperties',
      'not_checked /inputSchema/properties/b/pattern',
      'not_checked /inputSchema/properties/c/$ref',
      'not_typed /inputSchema/properties/d',
      'not_typed /inputSchema/properties/e',
      'not_typed /inputSchema/properties/f',
    ]);
  });
});

describe('regular expressions', () => {
  it.each<[pattern: string, python: string, ruby: string]>([
    ['^a$', '\\Aa\\Z', '\\Aa\\z'],
    ['\\d{2}?', '[0-9]{2,2}', '[0-9]{2,2}'],
    ['(?<name>a)|b', '(?:a)|b', '(?:a)|b'],
    ['[^\\u{0}-\\u{fffd}]', '[\\ufffe-\\U0010ffff]', '[\\u{fffe}-\\u{10ffff}]'],
  ])('%s', (pattern, python, ruby) => {
    expect(portablePattern(pattern, 'python')).toEqual({ source: python });
    expect(portablePattern(pattern, 'ruby')).toEqual({ source: ruby });
  });

  it.each(['\\p{L}', '(?<=a)b', '(a)\\1', '(a+)+$', '(', 'a{200000}'])('%s is not portable', (pattern) => {
    expect(portablePattern(pattern, 'ruby')).toHaveProperty('why');
  });
});
