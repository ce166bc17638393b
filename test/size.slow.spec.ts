import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from './planted-tree.js';

const room = { files: 3, lines: 20 };
const files = {
  'scripts/budget.json': JSON.stringify({
    parts: { source: room, portal: room, tests: room, benches: room },
    nouns: { tag: 1 },
    doors: { 'tags/shared.ts': 2 },
    processor: { 'npm test': 100 },
  }),
  'src/tags/shared.ts': `export { one } from './one.js';\nexport type { Two } from './one.js';\n`,
  'src/tags/one.ts': 'export const one = 1;\nexport type Two = 2;\n',
  'src/tags/tag.record.ts': 'export const tag = 1;\n',
  'packages/a.spec.ts': '',
  'ui/src/a.ts': '',
  'test/a.ts': '',
  'soak/a.ts': '',
  'bench/a.ts': '',
};

/** What the budget says of a small project, with these files changed. */
function checked(changed: Readonly<Record<string, string>>): { code: number | null; said: string } {
  const folder = mkdtempSync(join(tmpdir(), 'size-'));
  for (const [file, text] of Object.entries({ ...files, ...changed })) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  for (const script of ['size.mjs', 'set-up.mjs'])
    cpSync(join(root, 'scripts', script), join(folder, 'scripts', script));
  const program = `import { checkSize } from './scripts/size.mjs';\nprocess.exitCode = checkSize();\n`;
  writeFileSync(join(folder, 'main.mjs'), program);
  const env = { ...process.env, NODE_OPTIONS: '' };
  const { status, stderr } = spawnSync(process.execPath, ['main.mjs'], { cwd: folder, env });
  rmSync(folder, { recursive: true });
  return { code: status, said: stderr.toString() };
}

it('what is within the budget is not red', () => {
  expect(checked({})).toEqual({ code: 0, said: '' });
});

it.each<[string, string, string]>([
  ['src/tags/four.ts', '\n', 'source files: 4 instead of 3'],
  ['test/b.ts', '\n', 'tests files: 4 instead of 3'],
  ['ui/src/a.ts', '\n'.repeat(21), 'portal lines: 21 instead of 20'],
  ['src/tags/tag-rows.ts', '', 'files of tag: 2 instead of 1'],
  ['src/tags/label.link.ts', '', 'files of label: 1 instead of none'],
  ['src/tags/shared.ts', `export { a, b, type c } from './one.js';\n`, 'tags/shared.ts: 3 instead of 2'],
  ['src/tags/shared.ts', `export * from './one.js';\n`, 'tags/shared.ts: Infinity instead of 2'],
  ['src/tags/shared.ts', `export type * from './one.js';\n`, 'tags/shared.ts: Infinity instead of 2'],
  ['src/tags/shared.ts', 'export let [a, b, c] = [1, 2, 3];\n', 'tags/shared.ts: Infinity instead of 2'],
  ['src/tags/public.ts', `export { one } from './one.js';\n`, 'tags/public.ts: 1 instead of none'],
  ['node_modules/.cache/npm-test.json', '{ "turns": 101 }', 'processor time of npm test: 101 instead of 100'],
])('%s that becomes %j is red', (file, text, said) => {
  const seen = checked({ [file]: text });
  expect(seen.said).toContain(said);
  expect(seen.code).toBe(1);
});
