import pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { migrate } from '../../eventsourcing/migrations.js';
import type { Database } from '../../eventsourcing/sql.js';
import { openEmbedded, type Embedded } from './embedded.js';
import { watch } from './lost-connections.js';
import { PooledDatabase } from './pooled-database.js';
import { sessionSettings } from './session-settings.js';
import { valueParsers } from './value-parsers.js';

export interface DatabaseSettings {
  /** Connection string of a PostgreSQL 15 or newer with pgvector; the embedded database where it is absent. */
  readonly url?: string | undefined;
  /** Directory of the embedded database. */
  readonly directory: string;
  /** Most connections of the pool to a PostgreSQL; 16 unless said otherwise. */
  readonly poolSize?: number;
  /** Most milliseconds of a statement on the rows of a host, on a PostgreSQL; none unless said. */
  readonly statementTimeout?: number;
}

/** How many connections of a pool there are now, and how many ask for one. */
export interface PoolUse {
  readonly open: number;
  readonly idle: number;
  readonly waiting: number;
  /** Most that there may be. */
  readonly size: number;
}

/** A database that is open and migrated. */
export interface OpenDatabase extends Database {
  /** TypeORM over the same connections. */
  readonly dataSource: DataSource;
  poolUse(): PoolUse;
  /** Waits for transactions under way, then closes; the embedded one releases its directory. */
  close(): Promise<void>;
}

/** Opens the database that the settings name and brings its tables up to date. */
export async function openDatabase(settings: DatabaseSettings): Promise<OpenDatabase> {
  const database =
    settings.url === undefined
      ? await connectEmbedded(await openEmbedded(settings.directory))
      : await connectServer(settings.url, settings.poolSize ?? 16, settings.statementTimeout);
  try {
    await migrate(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

/** The embedded database, not migrated. */
export function connectEmbedded(embedded: Embedded): Promise<OpenDatabase> {
  const extra = {
    stream: embedded.connect,
    // The engine asks for none of these; what PGUSER and the like say is meant for a server.
    ...{ user: 'postgres', password: '', database: 'postgres', ssl: false },
    // As with a server: what need not wait for an answer leaves in one message.
    pipeline: true,
    // One connection, never idle for too long: the engine lives as long as it does.
    ...{ max: 1, idleTimeoutMillis: 0, connectionTimeoutMillis: 120_000 },
  };
  return connect(extra, true, () => embedded.close());
}

/** A PostgreSQL, not migrated. */
export function connectServer(
  url: string,
  poolSize: number,
  statementTimeout?: number,
): Promise<OpenDatabase> {
  const extra = {
    connectionString: withSessionSettings(url, statementTimeout),
    max: poolSize,
    connectionTimeoutMillis: 30_000,
    keepAlive: true,
    // A server that has gone without a word is found out within half a minute.
    keepAliveInitialDelayMillis: 10_000,
    // Statements that need not wait for each other's answers travel together.
    pipeline: true,
  };
  return connect(extra, false, () => Promise.resolve(), statementTimeout);
}

async function connect(
  connection: pg.PoolConfig,
  embedded: boolean,
  closeEngine: () => Promise<void>,
  statementTimeout?: number,
): Promise<OpenDatabase> {
  const extra = { ...connection, types: valueParsers, onConnect: watch };
  const options: DataSourceOptions = {
    type: 'postgres',
    synchronize: false,
    installExtensions: false,
    extra,
  };
  const dataSource = await new DataSource(options).initialize().catch(async (error: unknown) => {
    await closeEngine();
    throw error;
  });
  const pool = (dataSource.driver as PostgresDriver).master as pg.Pool;
  const database = new PooledDatabase(pool, embedded, () => new pg.Client(extra), statementTimeout);
  return Object.assign(database, {
    dataSource,
    poolUse: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      size: pool.options.max,
    }),
    async close() {
      await dataSource.destroy();
      await closeEngine();
    },
  });
}

/** The connection string with our settings as startup options; its own come first and ours win. */
function withSessionSettings(url: string, statementTimeout = 0): string {
  const address = new URL(url);
  // A writer that hangs in mid-transaction holds its host's lock: the server ends it.
  const settings = [
    ...sessionSettings,
    ['idle_in_transaction_session_timeout', '60s'] as const,
    ['statement_timeout', String(statementTimeout)] as const,
  ];
  const own = settings.map(([name, value]) => `-c ${name}=${value}`);
  address.searchParams.set(
    'options',
    [address.searchParams.get('options'), ...own].filter(Boolean).join(' '),
  );
  return address.href;
}
