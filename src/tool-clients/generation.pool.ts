import type { GeneratedPackage } from '../../packages/tool-clients/tool-interface.js';
import { ThreadPool } from '../platform/validation/thread.pool.js';
import type { GenerationTask } from './generation.js';

/** A tool at its limits takes a tenth of a second, and a package holds thousands. */
const pool = new ThreadPool<GenerationTask, GeneratedPackage>(
  new URL('./generation.ts', import.meta.url),
  'packages of many tools',
);

/** Writes a package in a thread. Throws Problem 429 `texts_busy` when too many of the host wait already. */
export function generatedPackage(task: GenerationTask, hostId: string): Promise<GeneratedPackage> {
  return pool.run(task, hostId);
}
