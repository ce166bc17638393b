import { Inject, Injectable } from '@nestjs/common';
import { Heads, type OwnWrite } from '../kernel/heads.js';
import { LOG, type Log } from '../platform/logging/log.js';
import { wantedReviews } from '../tools/shared.js';

/** Most versions that one line names: an import brings thousands. */
const MOST_NAMED = 5;

/**
 * Writes one line of each write by which versions begin to wait for a review: how many, and the first of them, each with its author.
 * Never content. The instance that carried out the write says it, once.
 */
@Injectable()
export class ReviewLog {
  constructor(
    @Inject(LOG) private readonly log: Log,
    heads: Heads,
  ) {
    heads.written.subscribe((write) => {
      this.tell(write);
    });
  }

  private tell({ hostId, events }: OwnWrite): void {
    if (!this.log.isLevelEnabled('info')) return;
    const wanted = wantedReviews(events);
    if (wanted.length === 0) return;
    const versions = wanted.slice(0, MOST_NAMED).map(({ toolId, version, by }) => ({ toolId, version, by }));
    const requestId = events[0]?.correlationid;
    this.log.info({ requestId, hostId, count: wanted.length, versions }, 'review wanted');
  }
}
