/**
 * The errors of the domain, each mapped to an answer in `platform/http/problem-details.ts`, and that of a database that can't
 * serve.
 */

/** One fault of a rejected body: where it stands (RFC 6901) and what is wrong with it. */
export interface Fault {
  readonly pointer: string;
  readonly detail: string;
}

/** The input can't be accepted as it is: 400. */
export class Invalid extends Error {
  constructor(
    readonly code: string,
    detail: string,
    readonly faults: readonly Fault[] = [],
  ) {
    super(detail);
  }
}

/** A rule of the catalog forbids it in the present state: 409. `code` is stable, clients branch on it. */
export class RuleBroken extends Error {
  constructor(
    readonly code: string,
    detail: string,
    readonly faults: readonly Fault[] = [],
  ) {
    super(detail);
  }
}

/** There is no such record, or none that the caller may know of: 404. */
export class NotFound extends Error {
  readonly code = 'not_found';
  constructor(noun: string, id: string) {
    super(`There is no ${noun} ${id} here, or the token does not cover it.`);
  }
}

/** The aggregate is not at the version that the caller expected: 412. */
export class VersionConflict extends Error {
  readonly code = 'version_conflict';
  constructor(
    readonly expected: string,
    readonly actual: number,
  ) {
    super(`The record is at version ${String(actual)}, not at ${expected}. Read it again and decide anew.`);
  }
}

/** The database can't serve as it is; the message says why and what to do, so that no stack is wanted with it. */
export class DatabaseUnfit extends Error {}
