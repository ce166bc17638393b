/** Gathers the conditions of a WHERE clause together with their parameters. */
export class Conditions {
  private readonly clauses: string[] = [];
  private readonly bound: unknown[] = [];

  /** `add('host_id = ?', hostId)`: each `?` stands for the next value. All conditions must hold. */
  add(clause: string, ...values: readonly unknown[]): this {
    let used = 0;
    const text = clause.replace(/\?/g, () => `$${String(this.bound.length + ++used)}`);
    if (used !== values.length)
      throw new Error(`${clause} takes ${String(used)} values, not ${String(values.length)}`);
    this.clauses.push(`(${text})`);
    this.bound.push(...values);
    return this;
  }

  /** `WHERE (…) AND (…)`, or nothing where nothing was added. */
  sql(): string {
    return this.clauses.length === 0 ? '' : `WHERE ${this.clauses.join(' AND ')}`;
  }

  get values(): readonly unknown[] {
    return this.bound;
  }

  /** The same conditions, to be added to without touching these. */
  copy(): Conditions {
    const copy = new Conditions();
    copy.clauses.push(...this.clauses);
    copy.bound.push(...this.bound);
    return copy;
  }
}
