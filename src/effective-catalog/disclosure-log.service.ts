import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '../platform/auth/caller.js';
import { LOG, type Log } from '../platform/logging/log.js';
import type { MadeCatalog } from './catalog-cache.service.js';

/**
 * One line for each catalog that was given out: to whom, which, how much, and how much was withheld; where the bytes
 * went out too, the decisions that blocked a tool, each as `auditInfo`. Never content.
 */
@Injectable()
export class DisclosureLog {
  constructor(@Inject(LOG) private readonly log: Log) {}

  /** @param sent whether the document itself went out, and not only that it still holds */
  given(
    requestId: string,
    { actor, hostId }: Caller,
    { version, disclosure }: MadeCatalog,
    sent: boolean,
  ): void {
    if (!this.log.isLevelEnabled('info')) return;
    const { blocked, ...counts } = disclosure;
    this.log.info(
      {
        requestId,
        hostId,
        ...actor,
        catalogVersion: version,
        ...counts,
        sent,
        ...(sent && blocked.length > 0 && { auditInfo: blocked }),
      },
      'catalog given',
    );
  }
}
