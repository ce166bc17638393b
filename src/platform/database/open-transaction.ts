import type { Sql, Transaction } from '../../eventsourcing/sql.js';

/** A transaction under way, on one connection. It remembers what was sent and not waited for. */
export class OpenTransaction implements Transaction {
  private readonly sent: Promise<unknown>[] = [];
  private failure: { readonly error: unknown } | undefined;

  constructor(private readonly sql: Sql) {}

  query<Row extends object>(text: string, parameters?: readonly unknown[], name?: string): Promise<Row[]> {
    return this.sql.query<Row>(text, parameters, name);
  }

  send(text: string, parameters?: readonly unknown[], name?: string): void {
    const answer = this.sql.query(text, parameters, name).catch((error: unknown) => {
      this.failure ??= { error };
    });
    this.sent.push(answer);
  }

  /** What the work comes to; where something sent before has failed, its error and not what followed from it. */
  async outcomeOf<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    try {
      return await work(this);
    } catch (error) {
      await this.settled();
      throw error;
    }
  }

  /** Resolves when everything sent was answered; rejects with the error of the first that failed. */
  async settled(): Promise<void> {
    await Promise.all(this.sent.splice(0));
    if (this.failure !== undefined) throw this.failure.error;
  }
}
