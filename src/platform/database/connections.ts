import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { Invalid } from '../../kernel/errors.js';
import { sqlState, atMost, type Sql } from '../../kernel/sql.js';

/** The database can't be reached, or the connection was lost; whether the last statement was carried out is not known. */
export class ConnectionLost extends Error {
  constructor(cause: unknown) {
    super(`The database can’t be reached: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}

/**
 * SQLSTATEs after which the server has ended the connection, or it leads to a server that no longer takes writes: shut
 * down, terminated, idle in a transaction for too long, made a standby.
 */
const ENDING = /^(57P0[1-5]|25P0[34]|25006)$/;

const lost = new WeakSet<pg.ClientBase>();

/** Listens for the end of a connection. While it is lent nobody else does, and an event without a listener would end the process. */
export function watch(client: pg.ClientBase): void {
  client.on('error', () => lost.add(client));
}

/** Whether the error leaves no connection to go on with. */
export function isLost(client: pg.ClientBase, error: unknown): boolean {
  return lost.has(client) || error instanceof ConnectionLost || ENDING.test(sqlState(error) ?? '');
}

/** Pools that lend no more. */
const closing = new WeakSet<pg.Pool>();

/** One of the pool's connections. Throws ConnectionLost where there is none to be had. */
export function lend(pool: pg.Pool): Promise<pg.PoolClient> {
  return reached(closing.has(pool) ? Promise.reject(new Error('It is closed.')) : pool.connect());
}

/** Lends no more connections, and waits until earlier requests have theirs: an ending pool would leave them waiting. */
export async function lendNoMore(pool: pg.Pool): Promise<void> {
  closing.add(pool);
  while (pool.waitingCount > 0) await delay(10);
}

/** Throws ConnectionLost whatever the cause: also a server that is starting, or has no connection left. */
export async function reached<T>(connected: Promise<T>): Promise<T> {
  try {
    return await connected;
  } catch (error) {
    throw new ConnectionLost(error);
  }
}

/** Waits for an answer. Throws ConnectionLost where the connection was lost meanwhile, or before. */
async function answered<T>(client: pg.ClientBase, asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw sqlState(error) === undefined && lost.has(client) ? new ConnectionLost(error) : error;
  }
}

/** SQLSTATEs of text that the database can't hold: a NUL, as a character or as a JSON escape. */
const UNSTORABLE = new Set(['22021', '22P05']);

export type Statement = Parameters<Sql['query']>;

/** Lets the statements of one turn of the event loop leave in one packet: BEGIN with the first, COMMIT with the last. */
export function holdBack(client: pg.ClientBase): void {
  // What a pool lends is a pg.Client, though its type says less.
  const { stream } = (client as pg.Client).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => {
    stream.uncork();
  });
}

export function through(client: pg.ClientBase): Sql {
  return {
    query: (text, parameters, name) => {
      holdBack(client);
      return send(client, text, parameters, name);
    },
  };
}

export function beginningAs(role: string | undefined): string {
  // The owner works on whole tables, without a time limit: migrations, statistics for the planner.
  return `BEGIN; ${role ?? atMost(0)}`;
}

/** A transaction of one statement: its three parts are sent without waiting. */
export async function sendAs<Row extends object>(
  client: pg.ClientBase,
  role: string,
  statement: Statement,
): Promise<Row[]> {
  const [begun, answered, ended] = await Promise.allSettled([
    send(client, beginningAs(role)),
    send<Row>(client, ...statement),
    send(client, 'COMMIT'),
  ]);
  if (begun.status === 'rejected') throw begun.reason;
  if (answered.status === 'rejected') throw answered.reason;
  if (ended.status === 'rejected') throw ended.reason;
  return answered.value;
}

/** False where it was rolled back instead: a statement had failed. */
export async function commit(client: pg.ClientBase): Promise<boolean> {
  const { command } = await answered(client, client.query('COMMIT'));
  return command === 'COMMIT';
}

export async function send<Row extends object>(
  client: pg.ClientBase,
  text: string,
  parameters?: readonly unknown[],
  name?: string,
): Promise<Row[]> {
  try {
    const asked = client.query<Row>({
      text,
      ...(parameters !== undefined && { values: [...parameters] }),
      ...(name !== undefined && { name }),
    });
    const result: pg.QueryResult<Row> | pg.QueryResult<Row>[] = await answered(client, asked);
    // Several statements in one text give several results; their rows are of no use to anybody.
    return Array.isArray(result) ? [] : result.rows;
  } catch (error) {
    if (!UNSTORABLE.has(sqlState(error) ?? '')) throw error;
    throw new Invalid(
      'invalid_text',
      'The text holds a NUL character (U+0000), which cannot be stored. Take it out.',
    );
  }
}
