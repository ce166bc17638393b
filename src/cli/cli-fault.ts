/** What each exit code of `portal-catalog` means. Scripts rely on them. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  refused: 3,
  unreachable: 4,
  altered: 5,
  locked: 6,
} as const;

export const exitCodeHelp = `
Exit codes:
  0  done
  1  something failed that should not have, or a gate did not pass (--fail-on, --fail-under, --no-worse-than, --strict)
  2  the command was not understood
  3  the service refused the request; its reason is printed
  4  the service or the database could not be reached
  5  verify found a log that was altered
  6  the embedded database is in use by another process`;

/** Ends the command with one clear sentence, and no stack. */
export class CliFault extends Error {
  constructor(
    readonly exitCode: number,
    message: string,
  ) {
    super(message);
  }
}
