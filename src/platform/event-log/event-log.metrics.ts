import { Injectable } from '@nestjs/common';
import { Heads } from '../../eventsourcing/heads.js';
import { Metrics } from '../metrics/metrics.js';

/** Counts how often the logs grow that this instance writes to or watches. */
@Injectable()
export class EventLogMetrics {
  constructor(heads: Heads, metrics: Metrics) {
    const growths = metrics.counter(
      'catalog_log_growths_total',
      'Appends seen by this instance, over all hosts.',
    );
    // Ends with the watcher of the heads.
    heads.changes.subscribe(() => {
      growths.inc();
    });
  }
}
