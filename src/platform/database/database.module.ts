import { Inject, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DATABASE } from '../../eventsourcing/sql.js';
import { openDatabase, type DatabaseSettings, type OpenDatabase } from './open-database.js';

/** Provides the one {@link Database} of the process to every module, migrated, and closes it at the end. */
@Module({})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(@Inject(DATABASE) private readonly database: OpenDatabase) {}

  static forRoot(settings: DatabaseSettings): DynamicModule {
    const database = { provide: DATABASE, useFactory: () => openDatabase(settings) };
    const dataSource = {
      provide: DataSource,
      useFactory: ({ dataSource: own }: OpenDatabase) => own,
      inject: [DATABASE],
    };
    return {
      module: DatabaseModule,
      global: true,
      providers: [database, dataSource],
      exports: [database, dataSource],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.database.close();
  }
}
