import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { caseTools, cases } from '../../test/client-cases.js';
import { schemas, values } from '../../test/client-schemas.js';
import { aTool, digest, hostileTools } from '../../test/hostile-tools.js';
import { corpus, samplesOfCorpus } from '../../test/import-laws.js';
import { describeUnless, itUnless } from '../../test/unless.js';
import { offeredFacts } from '../../src/formats/endpoint-facts.js';
import { readDescription } from '../../src/formats/read-description.js';
import type { JsonObject } from '../schema-reading/keywords.js';
import { generateClients } from './generate-clients.js';
import { languages, type GeneratedPackage, type Language, type ToolInterface } from './tool-interface.js';

const run = promisify(execFile);
const root = process.cwd();
const lacks = (...command: string[]): string | undefined =>
  spawnSync(command[0] ?? '', command.slice(1)).status === 0
    ? undefined
    : `${command[0] ?? ''} is not installed`;
const noPython = lacks('python3', '-c', 'import sys; sys.exit(sys.version_info < (3, 11))');
const noRuby = lacks('ruby', '--version');
const rbs = ['rbs', 'rbs3.1', 'rbs3.3'].find((name) => lacks(name, '--version') === undefined);
const noMypy = lacks('mypy', '--version');

/** Tools of random schemas, with calls of each. */
const random = fc
  .sample(fc.tuple(schemas, fc.array(values, { minLength: 8, maxLength: 8 })), { seed: 7, numRuns: 150 })
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

interface Answer {
  readonly answer?: { readonly result?: unknown };
  readonly faults?: readonly (readonly [pointer: string, reason: string])[];
}

describe('clients of hostile specs and of every tool of the corpus', () => {
  const home = mkdtempSync(join(tmpdir(), 'tool-clients-'));
  const folder = (language: Language): string => join(home, language);
  const packages = new Map<Language, GeneratedPackage>();

  beforeAll(async () => {
    const tools = [
      ...hostileTools,
      ...caseTools,
      ...random.map(({ tool }) => tool),
      ...(await toolsOfCorpus()),
    ];
    for (const language of languages) {
      const generated = generateClients(tools, language);
      packages.set(language, generated);
      for (const [path, text] of generated.files) {
        mkdirSync(dirname(join(folder(language), path)), { recursive: true });
        writeFileSync(join(folder(language), path), text);
      }
    }
    await run(join(root, 'node_modules/.bin/tsc'), ['-p', folder('typescript')]).catch(shown);
  });
  afterAll(() => {
    rmSync(home, { recursive: true });
  });

  /** What a program answers to the calls of the table and to random ones. */
  function answers(language: Language, [program = '', ...args]: string[], env = {}): readonly Answer[] {
    const modules = packages.get(language)?.modules ?? [];
    const own = new Set(
      [...caseTools, ...random.map(({ tool }) => tool)].map((tool) => `${tool.name} ${tool.version}`),
    );
    const called = modules.filter(({ tool, version }) => own.has(`${tool} ${version}`));
    const moduleOf = new Map(called.map((module) => [module.tool, module]));
    const calls = [
      ...cases,
      ...random.flatMap(({ tool, given }) =>
        given.map((value) => [tool.name, JSON.stringify({ value })] as const),
      ),
    ].map(([tool, text]) => ({ target: moduleOf.get(tool), text }));
    const lines = calls.map(({ target, text }) => JSON.stringify({ module: target?.module, text }));
    const input = `${lines.join('\n')}\n`;
    const output = execFileSync(program, args, {
      ...{ input, encoding: 'utf8', maxBuffer: 2 ** 28, stdio: ['pipe', 'pipe', 'inherit'] },
      env: { ...process.env, ...env },
    });
    return output
      .trimEnd()
      .split('\n')
      .map((answer, index) => onTheWire(JSON.parse(answer) as Answer, calls[index]?.target?.renamed ?? {}));
  }

  const typescript = () =>
    answers('typescript', [process.execPath, 'test/clients/answers.mjs', folder('typescript')]);

  it('compile in TypeScript, strictly, and answer as the table says', () => {
    expectTable(typescript());
  });

  itUnless(noMypy, 'are clean in Python (mypy --strict)', async () => {
    const cache = join(home, 'mypy');
    await run('mypy', ['--strict', '--cache-dir', cache, 'src'], {
      cwd: folder('python'),
      maxBuffer: 2 ** 26,
    }).catch(shown);
  });

  itUnless(noPython, 'answer alike in Python', async () => {
    const env = { PYTHONPATH: join(folder('python'), 'src'), PYTHONDONTWRITEBYTECODE: '1' };
    const found = answers('python', ['python3', 'test/clients/answers.py'], env);
    expectTable(found);
    expect(comparable(found)).toEqual(comparable(typescript()));
    await Promise.resolve();
  });

  itUnless(noRuby, 'are clean in Ruby (ruby -wc), and answer alike', async () => {
    const files = [...(packages.get('ruby')?.files.keys() ?? [])].filter((path) => /rb$|gemspec$/.test(path));
    const { stdout, stderr } = await run('ruby', ['-wc', ...files], {
      cwd: folder('ruby'),
      maxBuffer: 2 ** 26,
    });
    expect([stdout.replaceAll('Syntax OK\n', ''), stderr]).toEqual(['', '']);
    const found = answers('ruby', [
      'ruby',
      '-W0',
      '-I',
      join(folder('ruby'), 'lib'),
      'test/clients/answers.rb',
    ]);
    expectTable(found);
    expect(comparable(found)).toEqual(comparable(typescript()));
  });

  itUnless(
    rbs === undefined ? 'rbs is not installed' : undefined,
    'have valid signatures in Ruby (rbs validate)',
    async () => {
      await run(rbs ?? '', ['-I', 'sig', 'validate', '--silent'], {
        cwd: folder('ruby'),
        maxBuffer: 2 ** 26,
      }).catch(shown);
    },
  );

  describeUnless(noPython, 'the example of the specification', () => {
    it('runs by its own code', () => {
      const calls = ['{"file_path":"a.txt"}', '{"file_path":"a.txt","offset":2000}', '{"offset":"x"}'];
      const output = execFileSync('python3', ['test/clients/read_file.py'], {
        ...{ input: `${calls.join('\n')}\n`, encoding: 'utf8' },
        env: { ...process.env, PYTHONPATH: join(folder('python'), 'src') },
      });
      expect(
        output
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as unknown),
      ).toEqual([
        expect.objectContaining({ metadata: { offset: 1, limit: 2000, total_lines: 5000 } }),
        {
          result: 'content read from version: 0.0.2 Junming is a Senior ML Engineer at GitLab!',
          metadata: { offset: 2000, limit: 2000, total_lines: 5000 },
          instruction: expect.stringContaining('partial from the file: a.txt'),
        },
        [
          ['/file_path', 'required'],
          ['/offset', 'type'],
        ],
      ]);
    });
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

/** What a compiler found, instead of that it failed. */
function shown(fault: { stdout?: string; stderr?: string }): never {
  throw new Error(`${fault.stdout ?? ''}${fault.stderr ?? ''}`.slice(0, 5_000));
}

function expectTable(found: readonly Answer[]): void {
  const shownCases = cases.map(([tool, text], index) => [tool, text, comparable(found)[index]]);
  expect(shownCases).toEqual(cases);
}

/** The answer with the names that arguments have on the wire. */
function onTheWire(found: Answer, renamed: Readonly<Record<string, string>>): Answer {
  const wireNames = new Map(Object.entries(renamed).map(([wire, name]) => [name, wire]));
  const { result } = found.answer ?? {};
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return found;
  const members = Object.entries(result).map(([name, value]: [string, unknown]) => [
    wireNames.get(name) ?? name,
    value,
  ]);
  return { ...found, answer: { ...found.answer, result: Object.fromEntries(members) as object } };
}

/** What was answered, or where and why it was refused. */
function comparable(found: readonly Answer[]): readonly unknown[] {
  return found.map(({ answer, faults }) => answer ?? faults?.map((fault) => fault.join(' ')));
}
