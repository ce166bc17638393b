import type pg from 'pg';
import { Invalid } from '../../eventsourcing/errors.js';
import { sqlState } from '../../eventsourcing/sql-state.js';
import type { Sql } from '../../eventsourcing/sql.js';
import { atMost } from '../../eventsourcing/tenant-walls.js';
import { answered } from './lost-connections.js';

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
  // The owner's work is on whole tables, and may take its time: migrations, figures for the planner.
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
