import { until } from '../until.js';

/** Answer of `GET …/embeddings/progress`. */
export interface Progress {
  readonly model: string;
  readonly live: string | null;
  readonly models: readonly {
    readonly model: string;
    readonly pending: number;
    readonly ready: number;
    readonly failed: number;
  }[];
  readonly degraded?: readonly string[];
}

/** Whether all that was written is found by the vector it is to have: from then on scores stay as they are. */
function isSettled({ model, live, models, degraded }: Progress): boolean {
  const isInUse = models.length === 0 || (live === model && models.length === 1);
  return isInUse && degraded === undefined && models.every(({ pending, failed }) => pending + failed === 0);
}

/** Waits until scores stay as they are; the worker looks for work twice a second. */
export function settled(progress: () => Promise<Progress>): Promise<Progress> {
  return until(progress, isSettled);
}
