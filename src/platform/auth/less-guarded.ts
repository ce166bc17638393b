import type { Caller } from './caller.js';
import { requireScope, satisfies } from './claims.js';

/**
 * The line between authors and administrators (docs/contract.md, section 2; decision 47). What a write makes less guarded
 * is the administrator's, whoever asks and by whatever door: a guard of a tool or an endpoint (`loosened`), the limit of an
 * agent, a link or an assignment (`loosensLimit`), a quarantine that ends or does not begin, a suspicious change that is
 * accepted (`isSuspicious`). What shows more of what is there is the author's: publishing, linking, assigning, switching
 * on, lifecycle, and for whom and what about a thing is.
 */
export function refuseLessGuarded(caller: Caller, isLessGuarded: boolean): void {
  if (isLessGuarded) requireScope(caller, 'catalog:admin');
}

/** Whether what a caller brings may make less guarded at once. */
export function mayLoosen(caller: Caller): boolean {
  return satisfies(caller, 'catalog:admin');
}
