import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '../../platform/auth/caller.js';
import { LOG, type Log } from '../../platform/logging/log.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import type { MadeCatalog } from '../effective-catalog.queries.js';

/**
 * Counts each catalog that is given out, and writes one line on it: to whom, which, how much, and how much is withheld;
 * where the bytes went out too, the decisions that blocked a tool, each as `auditInfo`. Never content.
 */
@Injectable()
export class DisclosureLog {
  private readonly served;
  private readonly withheld;
  private readonly givenBefore = new WeakSet<MadeCatalog>();

  constructor(
    @Inject(LOG) private readonly log: Log,
    metrics: Metrics,
  ) {
    const served = metrics.counter(
      'catalog_catalogs_served_total',
      'Effective catalogs given out: fresh, cached (made for an earlier request), not_modified (304).',
      ['outcome'],
    );
    this.served = {
      fresh: served.labels('fresh'),
      cached: served.labels('cached'),
      notModified: served.labels('not_modified'),
    };
    this.withheld = metrics.counter(
      'catalog_tools_withheld_total',
      'Tools left out of the catalogs that were given out, by reason; not of 304s.',
      ['reason'],
    );
  }

  /** @param sent whether the document itself went out, and not only that it still holds */
  given(requestId: string, { actor, hostId }: Caller, made: MadeCatalog, sent: boolean): void {
    this.count(made, sent);
    if (!this.log.isLevelEnabled('info')) return;
    const { agentDefId, catalogHash, version: catalogVersion, disclosure } = made;
    const { skills, tools, withheld, blocked } = disclosure;
    const who = { requestId, hostId, ...actor };
    const figures = { catalogVersion, agentDefId, catalogHash, skills, tools, withheld, sent };
    const audit = sent && blocked.length > 0 && { auditInfo: blocked };
    this.log.info({ ...who, ...figures, ...audit }, 'catalog given');
  }

  private count(made: MadeCatalog, sent: boolean): void {
    const isFresh = !this.givenBefore.has(made);
    if (isFresh) this.givenBefore.add(made);
    if (!sent) {
      this.served.notModified.inc();
      return;
    }
    this.served[isFresh ? 'fresh' : 'cached'].inc();
    for (const [reason, count] of made.disclosure.withheldBy) this.withheld.inc({ reason }, count);
  }
}
