/** Writes down what each file of tests came to as soon as it has ended, so that it is known even where jest is ended. */
import { appendFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './set-up.mjs';

const statuses = { passed: 'passed', failed: 'failed' };

export default class JestReporter {
  onTestResult(_, { testFilePath, testResults, testExecError, perfStats, failureMessage }) {
    const path = relative(root, testFilePath);
    const tests = testResults.map(({ fullName, status }) => ({
      name: fullName,
      status: statuses[status] ?? 'skipped',
      path,
    }));
    // What is no test's failure: the file can't be loaded, or its process has ended.
    if (failureMessage && !tests.some(({ status }) => status === 'failed'))
      tests.push({ name: `${path} could not be run`, status: 'failed', path });
    const messages = testResults.flatMap(({ failureMessages }) => failureMessages);
    // The error that kept a file from running may come without its message.
    const error = messages[0] || testExecError?.message || failureMessage || undefined;
    const ms = perfStats.end - perfStats.start;
    appendFileSync(
      join(process.env.TEST_REPORT, 'results.jsonl'),
      `${JSON.stringify({ path, ms, tests, error })}\n`,
    );
  }
}
