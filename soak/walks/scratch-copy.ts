import { execFile } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PlantedTree, root } from '../../test/planted-tree.js';

/** A copy of the code, to make changes in that CONTRIBUTING.md describes. */
export class ScratchCopy extends PlantedTree {
  private readonly written = new Set<string>();

  constructor() {
    super({});
    // What is installed apart is of no use there.
    const filter = (path: string): boolean => !/(node_modules|ui.dist)$/.test(path);
    for (const part of [
      'src',
      'packages',
      'ui',
      'test',
      'soak',
      'scripts',
      'examples',
      'migrations',
      'jest.config.js',
    ])
      cpSync(join(root, part), join(this.folder, part), { recursive: true, filter });
  }

  /** TypeScript files that were changed or added. */
  get changed(): readonly string[] {
    return [...this.written].filter((file) => file.endsWith('.ts'));
  }

  /** The pieces of code under a heading of CONTRIBUTING.md, in their order. */
  codeOf(heading: string): readonly string[] {
    const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
    const [, after = ''] = text.split(`### ${heading}\n`);
    const [section = ''] = after.split(/^##/m);
    return [...section.matchAll(/```\w+\n(.*?)```/gs)].map(([, code = '']) => code);
  }

  override write(file: string, text: string): void {
    super.write(file, text);
    this.written.add(file);
  }

  /** Puts a text behind a line that must be there. */
  insert(file: string, line: string, text: string): void {
    const [before, after, ...others] = readFileSync(join(this.folder, file), 'utf8').split(line);
    if (before === undefined || after === undefined || others.length > 0)
      throw new Error(`${file} does not hold this once: ${line}`);
    this.write(file, [before, line, text, after].join(''));
  }

  /** Compiles these files and all that they import to `dist`. Throws where the compiler finds a fault. */
  async compile(...files: readonly string[]): Promise<void> {
    super.write('scratch.json', JSON.stringify({ extends: './tsconfig.json', files, include: [] }));
    await this.node('node_modules/typescript/bin/tsc', '-p', 'scratch.json');
  }

  /** Runs a program that imports from `dist`, and gives what it prints, which is JSON. */
  async print(program: string): Promise<unknown> {
    const { stdout } = await this.node('--input-type=module', '--eval', program);
    return JSON.parse(stdout);
  }

  /** Throws what was printed where it ends with another code than 0. */
  node(...args: readonly string[]) {
    const env = { ...process.env, NODE_OPTIONS: '' };
    return promisify(execFile)(process.execPath, args, { cwd: this.folder, env }).catch((error: unknown) => {
      const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
      throw new Error(`${stdout}\n${stderr}`);
    });
  }
}
