/** Statements and what is bound to them. Pure. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Gathers the values of one statement: a value never becomes part of its text. */
export class Bound {
  readonly values: unknown[] = [];
  private readonly shared = new Map<unknown, string>();

  /** The placeholder of a value: `$3::uuid`. */
  add(value: unknown, sqlType: string): string {
    this.values.push(value);
    return `$${this.values.length}::${sqlType}`;
  }

  /** The same placeholder for the same value: what limits every node is sent once. */
  once(value: unknown, sqlType: string): string {
    const known = this.shared.get(value);
    if (known !== undefined) return known;
    const placeholder = this.add(value, sqlType);
    this.shared.set(value, placeholder);
    return placeholder;
  }
}
