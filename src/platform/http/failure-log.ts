import type { Log } from '../logging/log.js';
import { Problem } from './problem.js';

/** Logs what a request failed of, where that is ours to mend: `problem` is what its caller is told. */
export function logFailure(log: Log, requestId: string, error: unknown, problem: Problem): void {
  const { status, code } = problem;
  if (status < 500) return;
  // A problem was foreseen: what it says is all there is to know.
  if (error instanceof Problem) log.warn({ requestId, code }, error.message);
  else log.error({ requestId, code, err: error }, 'request failed');
}
