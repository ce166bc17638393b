import { reachableVersions } from './tool-change.js';

/** What model vendors accept (docs/contract.md, section 5). */
export const toolNamePattern = '^[A-Za-z0-9_-]{1,64}$';

const LONGEST = 64;
const LONGEST_PREFIX = 24;

/**
 * The name with a prefix from the API's id, for an endpoint whose own name is taken. Too long a name loses its
 * middle, so that both ends still tell what it is.
 */
export function prefixedName(apiId: string, name: string): string {
  const prefix = apiId.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, LONGEST_PREFIX);
  const full = `${prefix}_${name}`;
  if (full.length <= LONGEST) return full;
  const room = LONGEST - prefix.length - 2;
  return `${prefix}_${name.slice(0, Math.ceil(room / 2))}_${name.slice(-Math.floor(room / 2))}`;
}

/** A version of a name, held by one tool in one environment; null is every environment. */
export interface NameClaim {
  readonly toolId: string;
  readonly name: string;
  readonly version: string;
  readonly envTag: string | null;
}

/** The names in use that concern one write. */
export class NameClaims {
  private readonly byName = new Map<string, NameClaim[]>();

  constructor(claims: readonly NameClaim[]) {
    for (const claim of claims) this.add(claim);
  }

  add(claim: NameClaim): void {
    const claims = this.byName.get(claim.name);
    if (claims === undefined) this.byName.set(claim.name, [claim]);
    else claims.push(claim);
  }

  /** Returns what other tools hold of the name in the tool's environment; a tool of every environment meets all. */
  against({ toolId, name, envTag }: Omit<NameClaim, 'version'>): readonly NameClaim[] {
    const claims = this.byName.get(name) ?? [];
    return claims.filter((claim) => claim.toolId !== toolId && shareEnvironment(claim.envTag, envTag));
  }

  /** Versions of the name that the tool can't have. */
  takenFrom(tool: Omit<NameClaim, 'version'>): readonly string[] {
    return this.against(tool).map((claim) => claim.version);
  }
}

/**
 * What each of these tools finds taken when they change together, one after another: those that follow keep clear
 * of wherever one before them may go. Tools that go out of use are not among them.
 */
export function takenInTurn(
  tools: readonly NameClaim[],
  claims: NameClaims,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const tool of tools) {
    const taken = claims.takenFrom(tool);
    found.set(tool.toolId, taken);
    for (const version of reachableVersions(tool.version, taken)) claims.add({ ...tool, version });
  }
  return found;
}

export function shareEnvironment(a: string | null, b: string | null): boolean {
  return a === null || b === null || a === b;
}
