import { UnreadableDocument } from '../documents/findings.js';
import { serve } from '../platform/work/worker-process.js';
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

serve(answerTo);
