import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '../../eventsourcing/sql.js';
import { Metrics } from '../metrics/metrics.js';
import type { OpenDatabase } from './open-database.js';

/** Measures the pool of connections; the embedded database has one. Asks nothing of the database. */
@Injectable()
export class DatabaseMetrics {
  constructor(@Inject(DATABASE) database: OpenDatabase, metrics: Metrics) {
    metrics.gauges(
      'catalog_database_connections',
      'Connections of the pool to the database, by state: in_use, idle.',
      'state',
      () => {
        const { open, idle } = database.poolUse();
        return { in_use: open - idle, idle };
      },
    );
    metrics.gauge(
      'catalog_database_waiting',
      'Statements and transactions that wait for a connection of the pool.',
      () => database.poolUse().waiting,
    );
    metrics.gauge(
      'catalog_database_pool_size',
      'Most connections of the pool.',
      () => database.poolUse().size,
    );
  }
}
