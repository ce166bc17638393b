import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { caseTools, cases } from '../../test/client-cases.js';
import { schemas, values } from '../../test/client-schemas.js';
import {
  codeBlocks,
  compile,
  compileRuby,
  compileTypescript,
  Implementations,
  lacking,
  noMypy,
  noSetuptools,
  onTheWire,
  rbs,
  runProgram,
  writePackage,
} from '../../test/clients/implementations.js';
import { issueSpec, ticketSpec } from '../../test/e2e/composite-specs.js';
import { aTool, digest, hostileTools } from '../../test/hostile-tools.js';
import { readToolSpec } from '../../src/registry/shared.js';
import { corpus, samplesOfCorpus } from '../../test/import-laws.js';
import { many } from '../../test/soak.js';
import { describeUnless, itUnless } from '../../test/unless.js';
import { offeredFacts } from '../../src/formats/endpoint-facts.js';
import { readDescription } from '../../src/formats/read-description.js';
import type { JsonObject } from '../../packages/schema-reading/keywords.js';
import { generateClients } from '../../packages/tool-clients/generate-clients.js';
import {
  languages,
  type GeneratedPackage,
  type Language,
  type ToolInterface,
} from '../../packages/tool-clients/tool-interface.js';

/** Tools of random schemas, with calls of each. */
const random = fc
  .sample(fc.tuple(schemas, fc.array(values, { minLength: 8, maxLength: 8 })), many(150))
  .map(([schema, given], index) => ({ tool: aTool(`random_${String(index)}`, schema), given }));

/** A tool of every operation of the corpus; those with one name are its versions. */
async function toolsOfCorpus(): Promise<readonly ToolInterface[]> {
  const read = samplesOfCorpus().map(async ({ document }, patch) => {
    const { offers } = await readDescription(document, { format: 'auto' });
    return offers.map((offer): ToolInterface => {
      const { name = '', description = '', inputSchema = {}, outputSchema } = offeredFacts(offer);
      return {
        ...{ name, version: `1.0.${String(patch)}`, title: name, description, digest },
        inputSchema: inputSchema as JsonObject,
        ...(outputSchema && { outputSchema: outputSchema as JsonObject }),
      };
    });
  });
  return (await Promise.all(read)).flat();
}

/** Tools over several operations, with calls of each: of every alternative, and of none. */
const composites = [issueSpec('issues', 'manage_issue'), ticketSpec('tickets', 'manage_ticket')].map(
  (text) => {
    const { value } = readToolSpec({ path: '', text });
    if (value === undefined) throw new Error('A spec of a composite can’t be read.');
    return aTool(value.name, value.inputSchema);
  },
);
const compositeCalls: readonly (readonly [tool: string, text: string])[] = [
  ['manage_issue', '{"operation":"create","project_path":"a/b","title":"x"}'],
  ['manage_issue', '{"operation":"show","id":"1"}'],
  ['manage_issue', '{"operation":"show","id":"1","title":"x"}'],
  ['manage_issue', '{"operation":"rename","id":7}'],
  ['manage_issue', '{"operation":"destroy"}'],
  ['manage_issue', '{}'],
  ['manage_ticket', '{"action":"close","id":"1"}'],
  ['manage_ticket', '{"action":"open","id":"1"}'],
];

const nameAndVersion = ({ name, version }: Pick<ToolInterface, 'name' | 'version'>): string =>
  `${name} ${version}`;

describe('clients of hostile specs and of every tool of the corpus', () => {
  const home = mkdtempSync(join(tmpdir(), 'tool-clients-'));
  const folder = (language: Language): string => join(home, language);
  const packages = new Map<Language, GeneratedPackage>();
  const calls = [
    ...cases.map(([tool, text]) => [tool, text] as const),
    ...compositeCalls,
    ...random.flatMap(({ tool, given }) =>
      given.map((value) => [tool.name, JSON.stringify({ value })] as const),
    ),
  ];
  let typescript: readonly unknown[] = [];

  beforeAll(async () => {
    const tools = [
      ...hostileTools,
      ...caseTools,
      ...composites,
      ...random.map(({ tool }) => tool),
      ...(await toolsOfCorpus()),
    ];
    for (const language of languages) {
      const generated = generateClients(tools, language);
      packages.set(language, generated);
      writePackage(folder(language), generated.files);
    }
    await compileTypescript(folder('typescript'));
    typescript = await answers('typescript');
  });
  afterAll(() => {
    rmSync(home, { recursive: true });
  });

  /** What a program answers to the calls of the table and to random ones. */
  async function answers(language: Language): Promise<readonly unknown[]> {
    const called = new Set(
      [...caseTools, ...composites, ...random.map(({ tool }) => tool)].map(nameAndVersion),
    );
    const modules = (packages.get(language)?.modules ?? []).filter(({ tool, version }) =>
      called.has(nameAndVersion({ name: tool, version })),
    );
    const byTool = new Map(modules.map((module) => [module.tool, module]));
    const paths = Object.fromEntries([...byTool].map(([tool, { module }]) => [`/${tool}`, module]));
    const served = await Implementations.start(language, folder(language), paths);
    try {
      const found: unknown[] = [];
      for (const [tool, text] of calls)
        found.push(onTheWire(await served.call(`/${tool}`, text), byTool.get(tool)?.renamed ?? {}));
      return found;
    } finally {
      await served.stop();
    }
  }

  const expectTable = (found: readonly unknown[]): void => {
    expect(cases.map(([tool, text], index) => [tool, text, found[index]])).toEqual(cases);
  };

  it('compile in TypeScript, strictly, and answer as the table says', () => {
    expectTable(typescript);
  });

  it('take of a tool over several operations what one of its alternatives takes', () => {
    const answered = typescript.slice(cases.length, cases.length + compositeCalls.length);
    const isTaken = answered.map((answer) => !Array.isArray(answer));
    expect(isTaken).toEqual([true, true, false, false, false, false, true, false]);
  });

  itUnless(noMypy, 'are clean in Python (mypy --strict)', async () => {
    await compile('mypy', ['--strict', '--cache-dir', join(home, 'mypy'), 'src'], folder('python'));
  });

  itUnless(lacking.python, 'answer alike in Python', async () => {
    expect(await answers('python')).toEqual(typescript);
  });

  itUnless(lacking.ruby, 'are clean in Ruby (ruby -w), and answer alike', async () => {
    const files = [...(packages.get('ruby')?.files.keys() ?? [])].filter((path) => /rb$|gemspec$/.test(path));
    expect(await compileRuby(folder('ruby'), files)).toBe('');
    expect(await answers('ruby')).toEqual(typescript);
  });

  itUnless(
    rbs === undefined ? 'rbs is not installed' : undefined,
    'have valid signatures in Ruby (rbs validate)',
    async () => {
      await compile(rbs ?? '', ['-I', 'sig', 'validate', '--silent'], folder('ruby'));
    },
  );

  itUnless(lacking.python, 'are implemented as the example of the specification has it', async () => {
    const served = await Implementations.start('python', folder('python'), {
      '/read_file/0.0.2': 'read_file',
    });
    const call = (text: string) => served.call('/read_file/0.0.2', text);
    try {
      expect(await call('{"file_path":"a.txt"}')).toMatchObject({
        metadata: { offset: 1, limit: 2000, total_lines: 5000 },
      });
      expect(await call('{"file_path":"a.txt","offset":2000}')).toEqual({
        result: 'content read from version: 0.0.2 Junming is a Senior ML Engineer at GitLab!',
        metadata: { offset: 2000, limit: 2000, total_lines: 5000 },
        instruction: expect.stringContaining('partial from the file: a.txt'),
      });
      expect(await call('{"offset":"x"}')).toEqual(['/file_path required', '/offset type']);
    } finally {
      await served.stop();
    }
  });

  describe.each(languages)('in %s', (language) => {
    itUnless(lacking[language], 'are used as an installed package is', async () => {
      const [code = ''] = codeBlocks(readFileSync('test/clients/read-file.md', 'utf8'), language);
      const printed = '2000\n/file_path must be there\n/offset must be of type "integer"\n';
      expect(await runProgram(language, folder(language), code)).toBe(printed);
    });
  });

  itUnless(lacking.ruby, 'build as a gem, with all of their files', async () => {
    await compile('gem', ['build', '--quiet', 'tool_registry.gemspec'], folder('ruby'));
    const listed = await compile(
      'gem',
      ['specification', 'tool_registry-0.1.0.gem', 'files'],
      folder('ruby'),
    );
    for (const path of packages.get('ruby')?.files.keys() ?? [])
      if (!path.endsWith('.gemspec')) expect(listed).toContain(`- ${path}\n`);
  });

  it('build as a package of npm', async () => {
    const packed = await compile(
      'npm',
      ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel', 'silent'],
      folder('typescript'),
    );
    const [{ files = [] } = {}] = JSON.parse(packed) as { files?: { path: string }[] }[];
    expect(files.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['package.json', 'README.md', 'dist/runtime.js', 'dist/read-file/v0_0_2.d.ts']),
    );
  });

  itUnless(noSetuptools, 'build with setuptools, with all of their modules', async () => {
    const code =
      'from setuptools import setup; setup(script_args=["--quiet", "build", "--build-base", "built"])';
    await compile('python3', ['-c', code], folder('python'));
    for (const path of packages.get('python')?.files.keys() ?? [])
      if (path.startsWith('src/'))
        expect([path, existsSync(join(folder('python'), path.replace('src/', 'built/lib/')))]).toEqual([
          path,
          true,
        ]);
  });

  it('hold nothing but ASCII in their literals, and no half surrogate pair', () => {
    for (const { files } of packages.values())
      for (const text of files.values())
        expect(text).not.toMatch(/[\0\u2028\u2029\u202e\p{Surrogate}]|<\/script/u);
  });

  describeUnless(existsSync(corpus) ? undefined : `there is no corpus at ${corpus}`, 'the corpus', () => {
    it('is typed but for little', () => {
      const { modules = [], warnings = [] } = packages.get('typescript') ?? {};
      expect(modules.length).toBeGreaterThan(1_000);
      const ofCorpus = warnings.filter(({ version }) => version.startsWith('1.0.') && version !== '1.0.0');
      const counts: Record<string, number> = {};
      for (const { code, detail } of ofCorpus)
        counts[`${code} ${detail}`] = (counts[`${code} ${detail}`] ?? 0) + 1;
      expect(counts).toMatchInlineSnapshot(`
       {
         "not_typed No type is said, so a value of any type is taken. Add one: "type": "object".": 4,
       }
      `);
    });
  });
});
