import type { Sql, Transaction } from '../../eventsourcing/sql.js';

/** A transaction under way, on one connection. It remembers what is not answered yet, and lets nothing come after its end. */
export class OpenTransaction implements Transaction {
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
    return this.remembered(this.sql.query<Row>(text, parameters, name));
  }

  send(text: string, parameters?: readonly unknown[], name?: string): void {
    this.refuseAfterEnd();
    const answer = this.sql.query(text, parameters, name).catch((error: unknown) => {
      this.failure ??= { error };
    });
    void this.remembered(answer);
  }

  /** What the work comes to; where something sent before has failed, its error and not what followed from it. */
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

  /** The connection may serve somebody else by then. */
  private refuseAfterEnd(): void {
    if (this.isOver) throw new Error('The transaction is over. Wait for all that is done in it.');
  }
}
