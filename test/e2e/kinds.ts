import { isSoak } from '../soak.js';

export type Kind = 'embedded' | 'server';

/** The databases that this machine has. */
export const allKinds: readonly Kind[] =
  process.env['TEST_DATABASE_URL'] === undefined ? ['embedded'] : ['embedded', 'server'];

/** Those that suites over HTTP run on: in `npm test` one, PostgreSQL where there is one; in a soak all. */
export const kinds: readonly Kind[] = isSoak ? allKinds : allKinds.slice(-1);

/** For a suite that needs but one: the quicker one in `npm test`, the other in a soak. */
export const aKind: Kind = kinds[0] ?? 'embedded';

export function nameOf(kind: Kind): string {
  return kind === 'server' ? 'on PostgreSQL' : 'on the embedded database';
}
