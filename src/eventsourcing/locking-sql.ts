import type { Sql } from './sql.js';

/** A transaction that takes its host's lock with the first thing that it is asked: what it reads can't be raced. */
export class LockingSql implements Sql {
  /** Set where the lock was taken in another way. */
  isLocked = false;

  constructor(
    private readonly tx: Sql,
    private readonly hostId: string,
  ) {}

  async query<Row extends object>(
    text: string,
    parameters?: readonly unknown[],
    name?: string,
  ): Promise<Row[]> {
    if (this.isLocked) return this.tx.query<Row>(text, parameters, name);
    this.isLocked = true;
    // Both are sent at once; the statement begins when the lock is held, and sees what was committed until then.
    const locked = this.tx.query('SELECT * FROM lock_head($1)', [this.hostId], 'lock_head');
    const [rows] = await Promise.all([this.tx.query<Row>(text, parameters, name), locked]);
    return rows;
  }
}
