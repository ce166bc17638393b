import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const node = (folder: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, args, { cwd: folder, env: { ...process.env, NODE_OPTIONS: '' } });

/** The object that the walk of CONTRIBUTING.md writes. */
function writtenInTheWalk(): string {
  const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const [, walk = ''] = text.split('### A new withholding reason');
  const [, code = ''] = /```ts\n(.*?)```/s.exec(walk) ?? [];
  return code;
}

/** Says of the catalog of a tool without a description whether it is withheld, and whether its bytes name it. */
const look = `
  import { aTool, bytesOfRows, catalogOf, rowsOf } from './dist/test/catalog-rows.js';
  const rows = rowsOf({ tools: [{ ...aTool, description: '' }] });
  const { withheld, disclosure } = catalogOf(rows);
  const text = bytesOfRows(rows, { withheld: false, examples: true }).bytes.toString();
  console.log(JSON.stringify({ withheld, counted: [...disclosure.withheldBy], named: text.includes(aTool.name) }));
`;

describe('the walk “a new withholding reason”', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'walk-'));
    for (const part of ['src', 'packages', 'test/catalog-rows.ts', 'package.json', 'tsconfig.json'])
      cpSync(join(root, part), join(folder, part), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('takes one object in one file: it compiles, and the tool is withheld for the reason', async () => {
    const file = join(folder, 'src/effective-catalog/disclosure.rules.ts');
    const list = 'const toolRules: readonly Rule[] = [\n';
    const [before, after] = readFileSync(file, 'utf8').split(list);
    writeFileSync(file, [before, list, writtenInTheWalk(), after].join(''));
    const files = ['src/effective-catalog/effective-catalog.module.ts', 'test/catalog-rows.ts'];
    writeFileSync(
      join(folder, 'walk.json'),
      JSON.stringify({ extends: './tsconfig.json', files, include: [] }),
    );
    await node(folder, 'node_modules/typescript/bin/tsc', '-p', 'walk.json');

    const { stdout } = await node(folder, '--input-type=module', '--eval', look);
    expect(JSON.parse(stdout)).toEqual({
      withheld: [expect.objectContaining({ toolName: 'getAccounts', reason: 'description_missing' })],
      counted: [['description_missing', 1]],
      named: false,
    });
  });
});
