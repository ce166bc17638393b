/** Runs jest in a process of its own and gives its results, as scripts/jest-reporter.mjs has written them down. */
import { mkdtempSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './set-up.mjs';

/** Jest needs it for ES modules; the warning about it says nothing new. */
const nodeOptions = '--experimental-vm-modules --disable-warning=ExperimentalWarning';

/**
 * @param {string[]} projects of jest.config.js
 * @param {string[]} args further arguments of jest
 * @param {Record<string, string | undefined>} env variables to set, or to take away where undefined
 * @returns {Promise<{
 *   tests: { name: string, status: 'passed' | 'failed' | 'skipped', path?: string }[],
 *   files: { path: string, ms: number, error?: string }[],
 * }>} one test for each; a file that can't be run, and a failure that is no test's, count as a failed test
 */
export async function jest(projects, args = [], env = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'jest-report-'));
  const results = join(folder, 'results.jsonl');
  const hung = join(folder, 'hung');
  const options = [process.env.NODE_OPTIONS, nodeOptions].filter(Boolean).join(' ');
  try {
    const code = await run(
      process.execPath,
      [
        'node_modules/jest/bin/jest.js',
        '--selectProjects',
        ...projects,
        '--passWithNoTests',
        '--reporters=default',
        '--reporters=<rootDir>/scripts/jest-reporter.mjs',
        // Jest keeps what a file has loaded; a worker that has run forty takes twice as long for the next.
        '--workerIdleMemoryLimit=1GB',
        ...args,
      ],
      { env: defined({ ...process.env, NODE_OPTIONS: options, TEST_REPORT: folder, ...env }) },
    );
    const files = existsSync(results) ? readFileSync(results, 'utf8').trim().split('\n').map(JSON.parse) : [];
    const tests = files.flatMap((file) => file.tests);
    if (existsSync(hung)) tests.push({ name: readFileSync(hung, 'utf8'), status: 'failed' });
    else if (code !== 0 && !tests.some(({ status }) => status === 'failed'))
      tests.push({ name: `jest ended with exit code ${code}`, status: 'failed' });
    return { tests, files };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function defined(env) {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined));
}
