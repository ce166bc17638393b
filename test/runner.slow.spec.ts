import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What `npm test` says of some planted files, and its exit code. A second is enough for what hangs here. */
async function ran(...files: readonly string[]): Promise<{ code: unknown; said: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'planted-'));
  const { NODE_OPTIONS: _, TEST_REPORT: __, JEST_WORKER_ID: ___, ...inherited } = process.env;
  const paths = files.map((file) => `test/planted/${file}.spec.ts`);
  const args = ['scripts/test.mjs', '--lane', 'planted', '--testTimeout=1000', '--runTestsByPath', ...paths];
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

it('what fails once and passes then is shown as unstable, with its error, and not red', async () => {
  const { code, said } = await ran('passes', 'unstable-1');
  expect(said).toMatch(
    /Unstable, failed once and passed when run again:\n {2}test\/planted\/unstable-1.spec.ts: /,
  );
  expect(said).toContain('Expected: false');
  expect(said).toContain('\n2 passed, 0 failed, 0 skipped');
  expect(code).toBe(0);
});

it('what fails twice is red', async () => {
  const { code, said } = await ran('passes', 'fails');
  expect(said).toContain('What failed:\n  fails each time');
  expect(said).not.toContain('Unstable');
  expect(code).toBe(1);
});

it('three unstable files are not red, four are', async () => {
  const three = ['unstable-1', 'unstable-2', 'unstable-3'];
  expect((await ran(...three)).code).toBe(0);
  const { code, said } = await ran(...three, 'unstable-4');
  expect(said).toContain('What failed:\n  4 unstable files');
  expect(code).toBe(1);
});

it('what waits for ever is ended and named', async () => {
  const { code, said } = await ran('passes', 'waits');
  expect(said).toContain('What failed:\n  waits for ever');
  expect(code).toBe(1);
});

it('what computes for ever is ended and named', async () => {
  const { code, said } = await ran('passes', 'computes');
  expect(said).toContain('What failed:\n  test/planted/computes.spec.ts › computes for ever: hangs');
  expect(code).toBe(1);
});

it('a file that keeps its worker from its end is named', async () => {
  const { said } = await ran('passes', 'stays-open');
  expect(said).toMatch(/A worker of jest did not end .*test\/planted\/stays-open.spec.ts \(TCPServerWrap\)/);
});
