import { Inject, Injectable, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { DATABASE } from '../../kernel/sql.js';
import { Metrics } from '../metrics/metrics.js';
import { openDatabase, type DatabaseSettings, type OpenDatabase } from './open-database.js';

/** Provides the one {@link Database} of the process to every module, migrated, and closes it at the end. */
@Module({})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(@Inject(DATABASE) private readonly database: OpenDatabase) {}

  static forRoot(settings: DatabaseSettings): DynamicModule {
    const database = { provide: DATABASE, useFactory: () => openDatabase(settings) };
    return {
      module: DatabaseModule,
      global: true,
      providers: [database],
      exports: [database],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.database.close();
  }
}

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
