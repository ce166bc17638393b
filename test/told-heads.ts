import { EMPTY, Subject } from 'rxjs';
import { Heads, type CommitListener, type OwnWrite } from '../src/kernel/heads.js';

/** Knows of each log what it was told of it, and takes it for fresh. */
export class ToldHeads extends Heads implements CommitListener {
  readonly changes = EMPTY;
  readonly written = new Subject<OwnWrite>();
  private readonly positions = new Map<string, number>();

  /** By this instance. */
  committed(write: OwnWrite): void {
    this.written.next(write);
    this.tell(write.hostId, write.position);
  }

  /** That the log ends there, whoever wrote it; undefined: that this is not known. */
  tell(hostId: string, position: number | undefined): void {
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
