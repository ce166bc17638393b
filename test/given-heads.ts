import { EMPTY, Subject } from 'rxjs';
import { Heads, type CommitListener, type OwnWrite } from '../src/kernel/heads.js';

/** Heads that a test sets, each taken as confirmed. */
export class GivenHeads extends Heads implements CommitListener {
  readonly changes = EMPTY;
  readonly written = new Subject<OwnWrite>();
  private readonly positions = new Map<string, number>();

  /** Notes a write of this instance. */
  committed(write: OwnWrite): void {
    this.written.next(write);
    this.set(write.hostId, write.position);
  }

  /** Sets where the log ends, whoever wrote it; undefined: not known. */
  set(hostId: string, position: number | undefined): void {
    if (position === undefined) this.positions.delete(hostId);
    else this.positions.set(hostId, position);
  }

  freshPosition(hostId: string): number | undefined {
    return this.positions.get(hostId);
  }

  position(): Promise<number> {
    return Promise.reject(new Error('Not asked for.'));
  }

  changesOf(): typeof EMPTY {
    return EMPTY;
  }
}
