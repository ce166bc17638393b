import { EMPTY } from 'rxjs';
import { Heads } from '../src/kernel/heads.js';

/** Knows nothing of any log, as an instance that has just started: every question goes to the database. */
export class NoHeads extends Heads {
  readonly changes = EMPTY;
  readonly written = EMPTY;

  freshPosition(): undefined {
    return undefined;
  }

  position(): Promise<number> {
    return Promise.reject(new Error('Not asked for.'));
  }

  changesOf(): typeof EMPTY {
    return EMPTY;
  }
}
