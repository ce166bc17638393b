import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The pieces of code that a walk of CONTRIBUTING.md writes, in their order. */
export function writtenIn(walk: string): readonly string[] {
  const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const [, after = ''] = text.split(`### ${walk}\n`);
  const [section = ''] = after.split(/^##/m);
  return [...section.matchAll(/```\w+\n(.*?)```/gs)].map(([, code = '']) => code);
}

/** A copy of the code, to make the change of a walk in. */
export class ScratchCopy {
  private readonly folder = mkdtempSync(join(tmpdir(), 'walk-'));

  /** With these parts beside the sources. */
  constructor(...parts: readonly string[]) {
    for (const part of ['src', 'packages', 'package.json', 'tsconfig.json', ...parts])
      cpSync(join(root, part), join(this.folder, part), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(this.folder, 'node_modules'));
  }

  write(file: string, text: string): void {
    mkdirSync(join(this.folder, dirname(file)), { recursive: true });
    writeFileSync(join(this.folder, file), text);
  }

  /** Puts a text behind a line that must be there. */
  insert(file: string, line: string, text: string): void {
    const [before, after, ...others] = readFileSync(join(this.folder, file), 'utf8').split(line);
    if (before === undefined || after === undefined || others.length > 0)
      throw new Error(`${file} does not hold this once: ${line}`);
    this.write(file, [before, line, text, after].join(''));
  }

  /**
   * Compiles these files, those that the program imports from `dist`, and all that they import; then runs it. Gives what it
   * prints, which is JSON. Throws where the compiler finds a fault.
   */
  async run(program: string, ...files: readonly string[]): Promise<unknown> {
    const imported = [...program.matchAll(/'\.\/dist\/(.*)\.js'/g)].map(([, file = '']) => `${file}.ts`);
    const all = { extends: './tsconfig.json', files: [...files, ...imported], include: [] };
    this.write('walk.json', JSON.stringify(all));
    await this.node('node_modules/typescript/bin/tsc', '-p', 'walk.json');
    const { stdout } = await this.node('--input-type=module', '--eval', program);
    return JSON.parse(stdout);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }

  private node(...args: readonly string[]) {
    const env = { ...process.env, NODE_OPTIONS: '' };
    return promisify(execFile)(process.execPath, args, { cwd: this.folder, env }).catch((error: unknown) => {
      const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
      throw new Error(`${stdout}\n${stderr}`);
    });
  }
}
