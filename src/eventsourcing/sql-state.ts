/**
 * SQLSTATE of an error that the database reported; none of one that befell the way to it. The embedded database's errors
 * are of a class of its own, so they are known by their members.
 */
export function sqlState(error: unknown): string | undefined {
  const reported = error instanceof Error && 'severity' in error && 'code' in error;
  return reported && typeof error.code === 'string' ? error.code : undefined;
}
