import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { Language } from '../../packages/tool-clients/tool-interface.js';

const lacks = (...[program = '', ...args]: string[]): string | undefined =>
  spawnSync(program, args).status === 0 ? undefined : `${program} is not installed`;

/** Why the programs of a language can't be run here, by language. */
export const lacking: Readonly<Record<Language, string | undefined>> = {
  typescript: undefined,
  python: lacks('python3', '-c', 'import sys; sys.exit(sys.version_info < (3, 11))'),
  ruby: lacks('ruby', '--version'),
};
export const noJq = lacks('jq', '--version');
export const noMypy = lacks('mypy', '--version');
export const noSetuptools = lacks('python3', '-c', 'import setuptools') && 'setuptools is not installed';
/** The program that checks signatures of Ruby, by the names that Debian gives it. */
export const rbs = ['rbs', 'rbs3.1', 'rbs3.3'].find((name) => lacks(name, '--version') === undefined);

export function writePackage(folder: string, files: ReadonlyMap<string, string>): void {
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Runs a compiler, or another program, to its end; what it found becomes the error. */
export async function compile(
  program: string,
  args: readonly string[],
  cwd: string,
  environment: NodeJS.ProcessEnv = {},
): Promise<string> {
  const env = { ...process.env, ...environment };
  const run = promisify(execFile)(program, args, { cwd, env, maxBuffer: 2 ** 26 });
  const { stdout, stderr } = await run.catch((fault: unknown) => {
    const { stdout = '', stderr = '' } = fault as { stdout?: string; stderr?: string };
    throw new Error(`${stdout}${stderr}`.slice(0, 5_000));
  });
  return stdout + stderr;
}

const tsc = join(process.cwd(), 'node_modules/.bin/tsc');
export const compileTypescript = (folder: string): Promise<string> => compile(tsc, ['-p', '.'], folder);

/** Compiles each of the files with warnings, which are what it resolves with: `ruby -wc` looks at the first file alone. */
export const compileRuby = (folder: string, files: readonly string[]): Promise<string> => {
  const each = 'ARGV.each { |file| RubyVM::InstructionSequence.compile_file(file) }';
  return compile('ruby', ['-w', '-e', each, ...files], folder);
};

/**
 * Runs a program that uses the package in the folder, and resolves with what it prints. TypeScript is compiled before,
 * strictly, and finds the package as one that npm has installed.
 */
export async function runProgram(language: Language, folder: string, code: string): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'tool-program-'));
  try {
    const file = join(home, { typescript: 'program.ts', python: 'program.py', ruby: 'program.rb' }[language]);
    writeFileSync(file, code);
    if (language === 'ruby') return await compile('ruby', ['-w', '-I', resolve(folder, 'lib'), file], home);
    if (language === 'python')
      return await compile('python3', [file], home, { PYTHONPATH: resolve(folder, 'src') });
    mkdirSync(join(home, 'node_modules'));
    symlinkSync(resolve(folder), join(home, 'node_modules/tool-registry'));
    writeFileSync(join(home, 'package.json'), '{"type":"module"}');
    const options = ['--strict', '--target', 'es2022', '--module', 'nodenext', '--lib', 'es2022,dom'];
    await compile(tsc, [...options, file], home);
    return await compile(process.execPath, [join(home, 'program.js')], home);
  } finally {
    rmSync(home, { recursive: true });
  }
}

/** The code blocks of a Markdown text in one language, in their order. */
export function codeBlocks(markdown: string, language: Language): readonly string[] {
  return [...markdown.matchAll(/^```(\w+)[^\n]*\n(.*?)^```/gms)]
    .filter(([, info]) => info === language)
    .map(([, , code = '']) => code);
}

/** Implementations of the tools of a package, served by a program in its language. */
export class Implementations {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
  ) {}

  /** @param modules by path: `/read_file/0.0.2` is `tool_registry.read_file.v0_0_2`, or `read_file`, the specification's example */
  static async start(
    language: Language,
    folder: string,
    modules: Readonly<Record<string, string>>,
  ): Promise<Implementations> {
    const [program, ...args] = programs[language](folder);
    const child = spawn(program, [...args, JSON.stringify(modules)], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, PYTHONPATH: join(folder, 'src'), PYTHONDONTWRITEBYTECODE: '1' },
    });
    for await (const port of createInterface({ input: child.stdout }))
      return new Implementations(`http://127.0.0.1:${port}`, child);
    throw new Error(`The program in ${language} ended before it served.`);
  }

  /** Calls one with the text of its arguments: what it answers, or why it refuses, `pointer reason`. */
  async call(path: string, text: string): Promise<object | readonly string[]> {
    const answer = await fetch(this.url + path, { method: 'POST', body: text });
    const body = (await answer.json()) as { readonly faults?: readonly string[] };
    return answer.ok ? body : (body.faults ?? []);
  }

  async stop(): Promise<void> {
    this.child.stdin?.end();
    if (this.child.exitCode === null) await once(this.child, 'exit');
  }
}

const programs = {
  typescript: (folder: string) => [process.execPath, 'test/clients/serve.mjs', folder],
  python: () => ['python3', 'test/clients/serve.py'],
  ruby: (folder: string) => ['ruby', '-W0', '-I', join(folder, 'lib'), 'test/clients/serve.rb'],
} satisfies Record<Language, (folder: string) => [string, ...string[]]>;

/** An answer with the names that arguments have on the wire. */
export function onTheWire(answer: object, renamed: Readonly<Record<string, string>>): object {
  if (!('result' in answer)) return answer;
  const { result } = answer;
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return answer;
  const wireNames = new Map(Object.entries(renamed).map(([wire, name]) => [name, wire]));
  const members = Object.entries(result).map(([name, value]: [string, unknown]) => [
    wireNames.get(name) ?? name,
    value,
  ]);
  return { ...answer, result: Object.fromEntries(members) as object };
}
