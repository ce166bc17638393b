import type { AccessLevel } from './skill-tool.events.js';

/** What of a tool's safety the access level looks at; a flag that is not set is not given. */
export interface AccessSafety {
  readonly readOnly?: boolean | undefined;
  readonly destructive?: boolean | undefined;
}

/**
 * The least access level that admits a tool (contract 6): `read` admits read-only tools, `write` those that are
 * not destructive as well, `execute` every tool.
 */
export function leastAccessLevel({ readOnly = false, destructive = false }: AccessSafety): AccessLevel {
  if (readOnly) return 'read';
  return destructive ? 'execute' : 'write';
}
