/** Runs jest in a process of its own and gives its results, taken from jest's own JSON report. */
import { mkdtempSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { root, run } from './set-up.mjs';

/** Jest needs it for ES modules; the warning about it says nothing new. */
const nodeOptions = '--experimental-vm-modules --disable-warning=ExperimentalWarning';

/**
 * @param {string} lane of jest.config.js
 * @param {string[]} args further arguments of jest
 * @param {Record<string, string | undefined>} env variables to set, or to take away where undefined
 * @returns {Promise<{
 *   tests: { name: string, status: 'passed' | 'failed' | 'skipped' }[],
 *   files: { path: string, ms: number }[],
 * }>} one test for each; a file that can't be run, and a failure that is no test's, count as a failed test
 */
export async function jest(lane, args = [], env = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'jest-report-'));
  const report = join(folder, 'report.json');
  const options = [process.env.NODE_OPTIONS, nodeOptions].filter(Boolean).join(' ');
  try {
    const code = await run(
      process.execPath,
      [
        'node_modules/jest/bin/jest.js',
        '--selectProjects',
        lane,
        '--json',
        `--outputFile=${report}`,
        '--passWithNoTests',
        // Jest keeps what a file has loaded; a worker that has run forty takes twice as long for the next.
        '--workerIdleMemoryLimit=1GB',
        ...args,
      ],
      { env: defined({ ...process.env, NODE_OPTIONS: options, ...env }) },
    );
    const files = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')).testResults : [];
    return { tests: results(files, code), files: files.map(timed) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function timed({ name, startTime, endTime }) {
  return { path: relative(root, name), ms: endTime - startTime };
}

const statuses = {
  passed: 'passed',
  failed: 'failed',
  pending: 'skipped',
  todo: 'skipped',
  disabled: 'skipped',
};

function results(files, code) {
  const tests = files.flatMap(({ name: file, status: outcome, assertionResults }) =>
    outcome === 'failed' && !assertionResults.some(({ status }) => status === 'failed')
      ? [{ name: `${file} could not be run`, status: 'failed' }]
      : assertionResults.map(({ fullName, status }) => ({
          name: fullName,
          status: statuses[status] ?? 'failed',
        })),
  );
  const unexplained = code !== 0 && !tests.some(({ status }) => status === 'failed');
  return unexplained ? [...tests, { name: `jest ended with exit code ${code}`, status: 'failed' }] : tests;
}

function defined(env) {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined));
}
