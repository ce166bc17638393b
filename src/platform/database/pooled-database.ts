import type pg from 'pg';
import { DatabaseUnfit } from '../../kernel/errors.js';
import { inSpan, type Said } from '../../kernel/spans.js';
import {
  sqlState,
  asAllHosts,
  asHost,
  atMost,
  type Database,
  type Session,
  type Sql,
  type Transaction,
  type Walled,
} from '../../kernel/sql.js';
import {
  beginningAs,
  commit,
  holdBack,
  isLost,
  lend,
  reached,
  send,
  sendAs,
  through,
  watch,
  type Statement,
} from './connections.js';

/** SQLSTATEs after which the same transaction may well succeed: deadlock, serialization failure. */
const TRANSIENT = new Set(['40P01', '40001']);

/** SQL over one of pg's pools: of a PostgreSQL, or of one connection to the embedded database. */
export class PooledDatabase implements Database {
  readonly acrossHosts = this.way(asAllHosts);
  readonly asOwner = this.way();

  constructor(
    private readonly pool: pg.Pool,
    readonly embedded: boolean,
    private readonly newClient: () => pg.Client,
    /** Milliseconds after which the sessions end a statement of their own accord. */
    private readonly longest = Infinity,
  ) {}

  of(hostId: string, limit?: number): Walled {
    if (limit === undefined) return this.way(asHost(hostId));
    return this.way(`${asHost(hostId)}; ${atMost(Math.min(limit, this.longest))}`);
  }

  isBusy(): boolean {
    return this.pool.totalCount >= this.pool.options.max && this.pool.idleCount === 0;
  }

  /** @param role what each transaction begins with */
  private way(role?: string): Walled {
    return {
      query: (...statement) => inSpan(saidOf(statement), () => this.single(role, statement)),
      transaction: (work) => inSpan(transactionSpan, () => this.twice(role, work)),
    };
  }

  /** Runs the transaction once more where it was in another's way. */
  private async twice<T>(role: string | undefined, work: (tx: Transaction) => Promise<T>): Promise<T> {
    try {
      return await this.once(role, work);
    } catch (error) {
      if (!TRANSIENT.has(sqlState(error) ?? '')) throw error;
      return await this.once(role, work);
    }
  }

  private async single<Row extends object>(role: string | undefined, statement: Statement): Promise<Row[]> {
    // Not pool.query(): it throws the connection away whenever a statement fails.
    const client = await lend(this.pool);
    let broken: Error | undefined;
    try {
      holdBack(client);
      return await (role === undefined
        ? send<Row>(client, ...statement)
        : sendAs<Row>(client, role, statement));
    } catch (error) {
      broken = this.breaking(client, error);
      throw error;
    } finally {
      client.release(broken);
    }
  }

  private async once<T>(role: string | undefined, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const client = await lend(this.pool);
    const tx = new OpenTransaction(through(client));
    let broken: Error | undefined;
    try {
      // Sent together with the first statement.
      tx.send(beginningAs(role));
      const result = await tx.outcomeOf(work);
      // COMMIT follows on the heels of what was sent.
      const [isCommitted] = await Promise.all([commit(client), tx.settled()]);
      // A statement failed, and its error was swallowed.
      if (!isCommitted) throw new Error('The transaction was rolled back by an error that nobody saw.');
      return result;
    } catch (error) {
      broken = this.breaking(client, error) ?? (await this.rollBack(client));
      throw error;
    } finally {
      client.release(broken);
    }
  }

  private rollBack(client: pg.ClientBase): Promise<Error | undefined> {
    return send(client, 'ROLLBACK').then(
      () => undefined,
      (failure: unknown) => this.breaking(client, failure),
    );
  }

  /** Returns the error if it broke the connection; the connection to the embedded database is never given up. */
  private breaking(client: pg.ClientBase, error: unknown): Error | undefined {
    if (this.embedded && hasEnded(error)) endProcess(error);
    if (this.embedded || !(error instanceof Error)) return undefined;
    return isLost(client, error) ? error : undefined;
  }

  async session(): Promise<Session> {
    if (this.embedded) throw new Error('The embedded database has one connection only.');
    const client = this.newClient();
    let ended = (): void => undefined;
    const end = new Promise<void>((resolve) => (ended = resolve));
    watch(client);
    client.on('error', ended);
    client.on('end', ended);
    await reached(client.connect());
    const way = (role?: string): Sql => ({
      query: (...statement) => {
        holdBack(client);
        return role === undefined ? send(client, ...statement) : sendAs(client, role, statement);
      },
    });
    return {
      of: (hostId) => way(asHost(hostId)),
      acrossHosts: way(asAllHosts),
      asOwner: way(),
      close: () => {
        ended();
        client.connection.stream.destroy();
      },
      onEnd: (listener) => void end.then(listener),
    };
  }
}

const system = { 'db.system.name': 'postgresql' } as const;
const transactionSpan = (): Said => ({ name: 'transaction', kind: 'client', attributes: system });

/** A statement by what it does and, where it is a prepared one, by its name; never its text or parameters. */
function saidOf([text, , name]: Statement): () => Said {
  return () => {
    const operation = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'SQL';
    const summary = name === undefined ? operation : `${operation} ${name}`;
    const attributes = { ...system, 'db.operation.name': operation, 'db.query.summary': summary };
    return { name: summary, kind: 'client', attributes };
  };
}

/** After a PANIC or FATAL PostgreSQL ends itself, and its supervisor starts it anew; the embedded one has none. */
function hasEnded(error: unknown): error is Error {
  return error instanceof Error && 'severity' in error && ['PANIC', 'FATAL'].includes(String(error.severity));
}

/** Ends the process, since every later statement would wait for ever. Committed writes are recovered at the next start. */
function endProcess({ message }: Error): void {
  setImmediate(() => {
    throw new DatabaseUnfit(
      `The embedded database has ended: ${message}. Make room on its disk (DATA_DIR) where it is full, then start again: ` +
        'what was acknowledged is kept.',
    );
  });
}

/**
 * A transaction under way, on one connection. It keeps track of statements without an answer, and refuses statements after its
 * end.
 */
class OpenTransaction implements Transaction {
  private readonly unanswered = new Set<Promise<unknown>>();
  private failure: { readonly error: unknown } | undefined;
  private isOver = false;

  constructor(private readonly sql: Sql) {}

  async query<Row extends object>(
    text: string,
    parameters?: readonly unknown[],
    name?: string,
  ): Promise<Row[]> {
    this.refuseAfterEnd();
    return this.remembered(
      inSpan(saidOf([text, parameters, name]), () => this.sql.query<Row>(text, parameters, name)),
    );
  }

  send(text: string, parameters?: readonly unknown[], name?: string): void {
    this.refuseAfterEnd();
    const answer = this.sql.query(text, parameters, name).catch((error: unknown) => {
      this.failure ??= { error };
    });
    void this.remembered(answer);
  }

  /**
   * Returns the result of the work. Throws the first error among the statements that were sent, not one that followed from it.
   */
  async outcomeOf<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    try {
      const result = await work(this);
      this.isOver = true;
      return result;
    } catch (error) {
      this.isOver = true;
      await this.settled();
      throw error;
    }
  }

  /** Resolves when all was answered; rejects with the error of the first that was sent and failed. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.unanswered);
    if (this.failure !== undefined) throw this.failure.error;
  }

  private remembered<T>(answer: Promise<T>): Promise<T> {
    const forget = (): boolean => this.unanswered.delete(answer);
    this.unanswered.add(answer);
    answer.then(forget, forget);
    return answer;
  }

  /** Refuses statements after the end of the transaction: the connection may serve another one by then. */
  private refuseAfterEnd(): void {
    if (this.isOver) throw new Error('The transaction is over. Wait for all that is done in it.');
  }
}
