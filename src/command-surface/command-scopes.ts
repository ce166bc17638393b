/** Who may use which command. Pure. */
import type { Caller } from '../platform/auth/caller.js';
import type { CommandSpec } from './agent-command.js';

/** Who may write or administer may also read, as everywhere. */
export function mayUse({ scopes }: Pick<Caller, 'scopes'>, { scope }: Pick<CommandSpec, 'scope'>): boolean {
  const reads = scopes.has('catalog:write') || scopes.has('catalog:admin');
  return scope.some((each) => scopes.has(each) || (each === 'catalog:read' && reads));
}
