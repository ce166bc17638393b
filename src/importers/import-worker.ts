import { UnreadableDocument } from '../documents/findings.js';
import type { Fault } from '../kernel/errors.js';
import { checkOperation, type OperationTask } from './check-operation.worker.js';
import { readImport, type ReadResult, type ReadTask } from './read-import.worker.js';

export type WorkerTask = ReadTask | OperationTask;
export type WorkerResult = ReadResult | readonly Fault[];

/** The answer of a worker: with a `code` the body is at fault, without one the service is. */
export type WorkerAnswer =
  | { readonly result: WorkerResult }
  | { readonly code?: string; readonly detail: string; readonly pointer: string };

async function answerTo(task: WorkerTask): Promise<WorkerAnswer> {
  try {
    return { result: await ('call' in task ? checkOperation(task) : readImport(task)) };
  } catch (fault) {
    if (fault instanceof UnreadableDocument) {
      const { code, detail, pointer } = fault;
      return { code, detail, pointer };
    }
    const detail = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
    return { detail, pointer: '' };
  }
}

/** Serves the pool: one task at a time. Ends with its parent, and leaves the signals of a terminal to it. */
process.on('message', (task: WorkerTask) => {
  void answerTo(task).then((answer) => process.send?.(answer));
});
process.on('disconnect', () => process.exit());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
