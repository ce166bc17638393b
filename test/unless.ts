/**
 * A suite, or a test, that needs what not every machine has. Where that is `lacking` it is left out, and its title says why,
 * which `npm test` prints at its end.
 */
export function describeUnless(lacking: string | undefined, title: string, suite: () => void): void {
  if (lacking === undefined) describe(title, suite);
  else describe.skip(`${title}: ${lacking}`, suite);
}

export function itUnless(lacking: string | undefined, title: string, test: () => Promise<void>): void {
  if (lacking === undefined) it(title, test);
  else it.skip(`${title}: ${lacking}`, test);
}

/** Why there is no PostgreSQL to test on. */
export const noServer =
  process.env['TEST_DATABASE_URL'] === undefined ? 'TEST_DATABASE_URL is not set' : undefined;
