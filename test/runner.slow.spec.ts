import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What `npm test` says of some planted files, and its exit code. A second is enough for what hangs here. */
function ran(...files: readonly string[]): Promise<{ code: unknown; said: string }> {
  return ranWith('--runTestsByPath', ...files.map((file) => `test/planted/${file}.spec.ts`));
}

async function ranWith(...which: readonly string[]): Promise<{ code: unknown; said: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'planted-'));
  const { NODE_OPTIONS: _, TEST_REPORT: __, JEST_WORKER_ID: ___, ...inherited } = process.env;
  const args = ['scripts/test.mjs', '--lane', 'planted', '--testTimeout=1000', ...which];
  const child = spawn(process.execPath, args, {
    env: { ...inherited, PLANTED_IN: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(child, 'close')) as unknown[];
  rmSync(folder, { recursive: true });
  return { code, said };
}

it('what fails once and passes then is shown as unstable, with its error, and up to three files are not red', async () => {
  const { code, said } = await ran('passes', 'unstable-1', 'unstable-2', 'unstable-3');
  expect(said).toContain('Unstable, failed once and passed when run again:\n  test/planted/unstable-');
  for (const each of ['1', '2', '3']) expect(said).toContain(`  test/planted/unstable-${each}.spec.ts: `);
  expect(said).toContain('Expected: false');
  expect(said).toContain('\n4 passed, 0 failed, 0 skipped');
  expect(code).toBe(0);
});

it('what fails twice is red, and so is what waits for ever', async () => {
  const { code, said } = await ran('passes', 'fails', 'waits');
  expect(said).toMatch(/What failed:\n( {2}fails each time| {2}waits for ever|\n)+1 passed, 2 failed/);
  expect(said).not.toContain('Unstable');
  expect(code).toBe(1);
});

it('more than three unstable files are red', async () => {
  const { code, said } = await ran('unstable-1', 'unstable-2', 'unstable-3', 'unstable-4');
  expect(said).toContain('What failed:\n  4 unstable files');
  expect(code).toBe(1);
});

it('what computes for ever is ended and named, also beside what is only unstable', async () => {
  const { code, said } = await ran('unstable-1', 'computes');
  expect(said).toContain('What failed:\n  test/planted/computes.spec.ts › computes for ever: hangs');
  expect(code).toBe(1);
});

it('what computes for ever after the end of its test is named, too', async () => {
  const { code, said } = await ran('computes-after');
  expect(said).toContain('What failed:\n  test/planted/computes-after.spec.ts after its end: hangs');
  expect(code).toBe(1);
});

it('a name that no test fits is said, and red', async () => {
  const { code, said } = await ranWith('nosuchlane');
  expect(said).toContain('What failed:\n  no test of the lanes planted fits: --testTimeout=1000 nosuchlane');
  expect(code).toBe(1);
});

it('a step that the check does not know is said, and red', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/check.mjs', 'lnit']);
  expect(stderr.toString()).toContain(`There is no step 'lnit'. The steps are lint, format`);
  expect(status).toBe(1);
});

it('a file that keeps its worker from its end is named', async () => {
  const { said } = await ran('passes', 'stays-open');
  expect(said).toMatch(/A worker of jest did not end .*test\/planted\/stays-open.spec.ts \(TCPServerWrap\)/);
});
