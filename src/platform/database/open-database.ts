import pg from 'pg';
import { migrate } from '../../kernel/migrations.js';
import type { Database } from '../../kernel/sql.js';
import { lendNoMore, watch } from './connections.js';
import { openEmbedded, type Embedded } from './embedded.js';
import { PooledDatabase } from './pooled-database.js';
import { sessionSettings } from './session-settings.js';

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
interface PoolUse {
  readonly open: number;
  readonly idle: number;
  readonly waiting: number;
  /** Most that there may be. */
  readonly size: number;
}

/** A database that is open and migrated. */
export interface OpenDatabase extends Database {
  /** The pool that lends the connections. */
  readonly connections: pg.Pool;
  poolUse(): PoolUse;
  /** Closes once what was asked is done; what is asked later is refused. The embedded one releases its directory. */
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
    // Finds a server that is gone without closing its connections within half a minute.
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
  const pool = new pg.Pool(extra);
  // A connection that is lost while it is idle leaves the pool; whoever needs one is given another.
  pool.on('error', () => undefined);
  try {
    (await pool.connect()).release();
  } catch (error) {
    await pool.end();
    await closeEngine();
    throw error;
  }
  const database = new PooledDatabase(pool, embedded, () => new pg.Client(extra), statementTimeout);
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await lendNoMore(pool);
    await pool.end();
    await closeEngine();
  };
  return Object.assign(database, {
    connections: pool,
    poolUse: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      size: pool.options.max,
    }),
    close: () => (closed ??= close()),
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

const { builtins } = pg.types;
const text = (value: string): string => value;
/** pg's own parsers; their declaration knows no arrays. */
const standardParser = pg.types.getTypeParser as (oid: number, format?: string) => (value: string) => unknown;

/** `_int8`, `_numeric`, `_jsonb`, `_timestamptz` and `_text`: not among pg's named types. */
const ARRAY = { int8: 1016, numeric: 1231, jsonb: 3807, timestamptz: 1185, text: 1009 } as const;

const parsers: Readonly<Record<number, (value: string) => unknown>> = {
  [builtins.INT8]: Number,
  [builtins.NUMERIC]: Number,
  [builtins.TIMESTAMPTZ]: rfc3339,
  [builtins.DATE]: text,
  [builtins.TIMESTAMP]: text,
  [ARRAY.int8]: (value) => elementsOf(value).map((element) => (element === null ? null : Number(element))),
  [ARRAY.numeric]: (value) => elementsOf(value).map((element) => (element === null ? null : Number(element))),
  [ARRAY.timestamptz]: (value) =>
    elementsOf(value).map((element) => (element === null ? null : rfc3339(element))),
  [ARRAY.jsonb]: (value) =>
    elementsOf(value).map((element): unknown => (element === null ? null : JSON.parse(element))),
};

/**
 * How values of the database become values of the program: `bigint` and `numeric` a number (positions and counts
 * stay far below 2^53), `timestamptz` RFC 3339 text in UTC with milliseconds, `date` and `timestamp` their text,
 * `json` and `jsonb` parsed; all else as pg has it. Connections run with `timezone = UTC`.
 */
const valueParsers: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    const own = format === 'binary' ? undefined : parsers[oid];
    return own ?? standardParser(oid, format);
  },
};

function elementsOf(value: string): (string | null)[] {
  return standardParser(ARRAY.text)(value) as (string | null)[];
}

/** `2026-11-21 01:02:03.4+00` to `2026-11-21T01:02:03.400Z`; what is no such text (`infinity`) stays. */
function rfc3339(value: string): string {
  const parts = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))?\+00$/.exec(value);
  if (parts === null) return value;
  const [, day = '', clock = '', fraction = ''] = parts;
  return `${day}T${clock}.${fraction.padEnd(3, '0').slice(0, 3)}Z`;
}
