import { setImmediate as nextTurn } from 'node:timers/promises';

/** Lets whatever is ready run, so many turns of the event loop. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
}
