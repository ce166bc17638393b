import type { Fault } from '../../kernel/errors.js';

/** A refusal that is about HTTP or the token rather than the domain: answered as problem details (RFC 9457). */
export class Problem extends Error {
  readonly faults: readonly Fault[];
  readonly headers: Readonly<Record<string, string>>;

  /**
   * @param code stable, clients branch on it
   * @param detail what was wrong, where, and what to do about it; never a secret, a token or SQL
   */
  constructor(
    readonly status: number,
    readonly code: string,
    detail: string,
    more: { readonly faults?: readonly Fault[]; readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(detail);
    this.faults = more.faults ?? [];
    this.headers = more.headers ?? {};
  }
}
