import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
const settings = [
  'package.json',
  'tsconfig.json',
  'eslint.config.js',
  'eslint.tests.js',
  '.dependency-cruiser.mjs',
  '.prettierrc.json',
  'packages/agent-client/package.json',
];

/** A small project of its own under this project's rules, to see what they say of files that break them. */
export class PlantedTree {
  protected readonly folder = mkdtempSync(join(tmpdir(), 'planted-'));

  constructor(files: Readonly<Record<string, string>>) {
    for (const file of settings) cpSync(join(root, file), join(this.folder, file), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(this.folder, 'node_modules'));
    for (const [file, text] of Object.entries(files)) this.write(file, text);
  }

  write(file: string, text: string): void {
    mkdirSync(join(this.folder, dirname(file)), { recursive: true });
    writeFileSync(join(this.folder, file), text);
  }

  /** `rule file` for each broken fence. */
  async cruise(): Promise<string[]> {
    const report = (await this.run(
      'dependency-cruiser/bin/dependency-cruise.mjs',
      'src',
      'packages',
      'ui',
      '-T',
      'json',
    )) as {
      summary: { violations: { rule: { name: string }; from: string }[] };
    };
    return report.summary.violations.map(({ rule, from }) => `${rule.name} ${from}`);
  }

  /** `rule file` for each fault that the lint finds. */
  async lint(...files: readonly string[]): Promise<string[]> {
    const report = (await this.run('eslint/bin/eslint.js', ...files, '--format', 'json')) as {
      filePath: string;
      messages: { ruleId: string | null; message: string }[];
    }[];
    return report.flatMap(({ filePath, messages }) =>
      messages.map(({ ruleId, message }) => `${ruleId ?? message} ${filePath.slice(this.folder.length + 1)}`),
    );
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }

  /** What a tool prints as JSON; it ends with a code of its own where it found something. */
  private run(tool: string, ...args: string[]): Promise<unknown> {
    const call = [join('node_modules', tool), ...args];
    const env = { ...process.env, NODE_OPTIONS: '' };
    return new Promise((resolve, reject) => {
      execFile(
        process.execPath,
        call,
        { cwd: this.folder, env, maxBuffer: 1 << 26 },
        (error, stdout, stderr) => {
          if (stdout === '') reject(new Error(`${tool} printed nothing. ${stderr} ${error?.message ?? ''}`));
          else resolve(JSON.parse(stdout));
        },
      );
    });
  }
}
