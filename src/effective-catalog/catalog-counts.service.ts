import { Injectable } from '@nestjs/common';
import { Metrics } from '../platform/metrics/metrics.js';
import type { MadeCatalog } from './catalog-cache.service.js';

/** Counts the catalogs that are given out, and the tools that they withhold. */
@Injectable()
export class CatalogCounts {
  private readonly served;
  private readonly withheld;
  private readonly givenBefore = new WeakSet<MadeCatalog>();

  constructor(metrics: Metrics) {
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
  given(made: MadeCatalog, sent: boolean): void {
    const isFresh = !this.givenBefore.has(made);
    if (isFresh) this.givenBefore.add(made);
    if (!sent) {
      this.served.notModified.inc();
      return;
    }
    this.served[isFresh ? 'fresh' : 'cached'].inc();
    for (const [reason, count] of made.withheldBy) this.withheld.inc({ reason }, count);
  }
}
