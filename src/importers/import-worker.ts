import { UnreadableDocument } from '../documents/findings.js';
import type { CheckedComposite } from '../registry/shared.js';
import {
  checkOperation,
  checkOperations,
  checkSteps,
  type CompositeTask,
  type OperationResult,
  type OperationsResult,
  type OperationsTask,
  type OperationTask,
} from './check-operation.worker.js';
import { readImport, type ReadResult, type ReadTask } from './read-import.worker.js';

export type WorkerTask = ReadTask | OperationTask | OperationsTask | CompositeTask;
export type WorkerResult = ReadResult | OperationResult | OperationsResult | CheckedComposite;

/** The answer of a worker: with a `code` the body is at fault, without one the service is. */
export type WorkerAnswer =
  | { readonly result: WorkerResult }
  | { readonly code?: string; readonly detail: string; readonly pointer: string };

async function answerTo(task: WorkerTask): Promise<WorkerAnswer> {
  try {
    return { result: await carriedOut(task) };
  } catch (fault) {
    if (fault instanceof UnreadableDocument) {
      const { code, detail, pointer } = fault;
      return { code, detail, pointer };
    }
    const detail = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
    return { detail, pointer: '' };
  }
}

function carriedOut(task: WorkerTask): Promise<WorkerResult> {
  if ('call' in task) return checkOperation(task);
  if ('calls' in task) return checkOperations(task);
  return 'composite' in task ? checkSteps(task) : readImport(task);
}

/** Serves the pool: one task at a time. Ends with its parent, and leaves the signals of a terminal to it. */
process.on('message', (task: WorkerTask) => {
  void answerTo(task).then((answer) => process.send?.(answer));
});
process.on('disconnect', () => process.exit());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
