import { setTimeout as delay } from 'node:timers/promises';

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

/** Looks until it is so; the worker looks for work twice a second. */
export async function until<T>(look: () => Promise<T>, isSo: (value: T) => boolean): Promise<T> {
  let value = await look();
  for (const deadline = Date.now() + 240_000; !isSo(value); value = await look()) {
    if (Date.now() > deadline) throw new Error(`It never was so: ${JSON.stringify(value)}`);
    await delay(50);
  }
  return value;
}

/** Whether all that was written is found by the vector it is to have: from then on scores stay as they are. */
export function isSettled({ model, live, models, degraded }: Progress): boolean {
  const isInUse = models.length === 0 || (live === model && models.length === 1);
  return isInUse && degraded === undefined && models.every(({ pending, failed }) => pending + failed === 0);
}
