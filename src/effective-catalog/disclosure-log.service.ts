import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '../platform/auth/caller.js';
import { LOG, type Log } from '../platform/logging/log.js';
import { CatalogCounts } from './catalog-counts.service.js';
import type { MadeCatalog } from './catalog-cache.service.js';

/**
 * Counts each catalog that was given out, and writes one line on it: to whom, which, how much, and how much was withheld; where the bytes
 * went out too, the decisions that blocked a tool, each as `auditInfo`. Never content.
 */
@Injectable()
export class DisclosureLog {
  constructor(
    @Inject(LOG) private readonly log: Log,
    private readonly counts: CatalogCounts,
  ) {}

  /** @param sent whether the document itself went out, and not only that it still holds */
  given(requestId: string, { actor, hostId }: Caller, made: MadeCatalog, sent: boolean): void {
    this.counts.given(made, sent);
    if (!this.log.isLevelEnabled('info')) return;
    const { version, disclosure } = made;
    const { blocked, ...figures } = disclosure;
    this.log.info(
      {
        requestId,
        hostId,
        ...actor,
        catalogVersion: version,
        ...figures,
        sent,
        ...(sent && blocked.length > 0 && { auditInfo: blocked }),
      },
      'catalog given',
    );
  }
}
