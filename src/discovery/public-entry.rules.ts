/** What a public entry must be. Pure. */
import { RuleBroken, Invalid } from '../kernel/errors.js';

/** What may be public. */
export const publicKinds = ['agent', 'gateway', 'skill', 'tool'] as const;
export type PublicKind = (typeof publicKinds)[number];

/** The name rule of Agent Skills (`isFolderName`), which fits server names and agents as well. */
export const publicName = {
  type: 'string',
  maxLength: 64,
  pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
} as const;

/** Kinds that are called at an address. */
const called: readonly string[] = ['agent', 'gateway'] satisfies readonly PublicKind[];

/** Throws Invalid where an address is missing, or where nobody calls one. */
export function refuseUnfitAddress(kind: string, url: string | null | undefined): void {
  const isCalled = called.includes(kind);
  if (isCalled === (typeof url === 'string')) return;
  const detail = isCalled
    ? `is missing: name the address at which everybody calls the ${kind}`
    : `must be left out: a ${kind} is not called at an address of its own`;
  throw new Invalid('invalid_body', 'The body can’t be accepted.', [{ pointer: '/url', detail }]);
}

/** Throws RuleBroken where another entry of the kind has the name. */
export function refuseTakenName(name: string | null | undefined, holder: string | null): void {
  if (holder === null || typeof name !== 'string') return;
  throw new RuleBroken(
    'public_name_taken',
    `The public entry of ${holder} has the name "${name}" already. Take another name.`,
    [{ pointer: '/name', detail: 'is taken' }],
  );
}

/** Throws RuleBroken where the record is of another kind than it was. */
export function refuseOtherKind(id: string, isNew: boolean, changedKind: string | undefined): void {
  if (isNew || changedKind === undefined) return;
  throw new RuleBroken(
    'public_kind_fixed',
    `The public entry ${id} is of another kind, which never changes.`,
  );
}
