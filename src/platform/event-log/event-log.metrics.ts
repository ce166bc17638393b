import { Injectable } from '@nestjs/common';
import { FollowerRunner } from '../../eventsourcing/follower-runner.js';
import { Heads } from '../../eventsourcing/heads.js';
import { Metrics } from '../metrics/metrics.js';

/** Counts how often the logs grow that this instance writes to or watches, and how far followers are behind them. */
@Injectable()
export class EventLogMetrics {
  constructor(heads: Heads, followers: FollowerRunner, metrics: Metrics) {
    const growths = metrics.counter(
      'catalog_log_growths_total',
      'Appends seen by this instance, over all hosts.',
    );
    metrics.gauges(
      'catalog_follower_lag_positions',
      'Positions of the logs that a follower has yet to take in, over all hosts; the same on every instance.',
      'follower',
      () => followers.lags(),
    );
    // Ends with the watcher of the heads.
    heads.changes.subscribe(() => {
      growths.inc();
    });
  }
}
