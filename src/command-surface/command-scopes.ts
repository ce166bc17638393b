/** Who may use which command. Pure. */
import { isNarrowedCaller, type Caller } from '../platform/auth/caller.js';
import type { CommandSpec } from './agent-command.js';

/** Who may write or administer may also read, as everywhere. */
export function mayUse(
  caller: Pick<Caller, 'scopes' | 'agentDefId' | 'maxTier'>,
  { scope, confined }: Pick<CommandSpec, 'scope' | 'confined'>,
): boolean {
  const { scopes } = caller;
  if (confined === 'refused' && isNarrowedCaller(caller)) return false;
  const reads = scopes.has('catalog:write') || scopes.has('catalog:admin');
  return scope.some((each) => scopes.has(each) || (each === 'catalog:read' && reads));
}
