import type pg from 'pg';
import { sqlState } from '../../eventsourcing/sql-state.js';

/** There is no way to the database, or it was lost. What was asked last may have been done or not. */
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

/** Takes note of the end of a connection, which is told as an event. Nobody else listens while it is lent, and that would end the process. */
export function watch(client: pg.ClientBase): void {
  client.on('error', () => lost.add(client));
}

/** Whether the error leaves no connection to go on with. */
export function isLost(client: pg.ClientBase, error: unknown): boolean {
  return lost.has(client) || error instanceof ConnectionLost || ENDING.test(sqlState(error) ?? '');
}

/** One of the pool's connections. Throws ConnectionLost where there is none to be had. */
export function lend(pool: pg.Pool): Promise<pg.PoolClient> {
  return reached(pool.connect());
}

/** Throws ConnectionLost whatever stands in the way: also a server that is starting, or has no connection left. */
export async function reached<T>(connected: Promise<T>): Promise<T> {
  try {
    return await connected;
  } catch (error) {
    throw new ConnectionLost(error);
  }
}

/** What the client is answered. Throws ConnectionLost where it lost its connection meanwhile, or before. */
export async function answered<T>(client: pg.ClientBase, asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw sqlState(error) === undefined && lost.has(client) ? new ConnectionLost(error) : error;
  }
}
