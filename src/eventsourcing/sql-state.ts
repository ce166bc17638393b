/**
 * SQLSTATE of an error that the database reported; none of one that befell the way to it, also where a proxy told of that
 * (class 08): a commit may have been made then. The embedded database's errors are of a class of its own, so they are known
 * by their members.
 */
export function sqlState(error: unknown): string | undefined {
  const reported = error instanceof Error && 'severity' in error && 'code' in error;
  if (!reported || typeof error.code !== 'string' || error.code.startsWith('08')) return undefined;
  return error.code;
}
