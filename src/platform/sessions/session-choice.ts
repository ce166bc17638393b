/** What a session works on: one host, and, where that is chosen, one service and one environment of those that the claims allow. */
import type { JWTPayload } from 'jose';
import { ALL_SERVICES, scopesOf } from '../auth/claims.js';
import { Problem } from '../http/problem.js';

export interface Choice {
  readonly hostId: string;
  readonly serviceId: string | null;
  readonly envTag: string | null;
}

/** More hosts than this are no list to choose from. */
const MAX_HOSTS = 50;

/**
 * The hosts that the claims allow. In the token of a person who signs in, `host` may be a list: then one of it is worked on at a time.
 * Whether each is an id is seen to where it is chosen.
 */
export function hostsOf({ host }: JWTPayload): readonly string[] {
  const items: readonly unknown[] = Array.isArray(host) ? host : [host];
  const hosts = items.filter((item) => typeof item === 'string').map((item) => item.trim());
  if (hosts.length === 0 || hosts.length !== items.length || hosts.length > MAX_HOSTS) {
    const detail = `The token's claims don't cover any request: host must be one id, or a list of up to ${String(MAX_HOSTS)}.`;
    throw new Problem(403, 'claim_invalid', detail);
  }
  return [...new Set(hosts)];
}

/** What is worked on until something is chosen. */
export function firstChoice(claims: JWTPayload): Choice {
  const [hostId = ''] = hostsOf(claims);
  return { hostId, serviceId: null, envTag: null };
}

/** The choice, or the first one where the claims no longer allow it. */
export function choiceWithin(claims: JWTPayload, choice: Choice): Choice {
  try {
    narrowed(claims, choice);
    return choice;
  } catch (error) {
    if (error instanceof Problem) return firstChoice(claims);
    throw error;
  }
}

/**
 * The claims of a token for the choice alone: each is one of those that it had, and none is added. They are then read like those of
 * any other token. Throws Problem 403 where the choice is not one of them.
 */
export function narrowed(claims: JWTPayload, { hostId, serviceId, envTag }: Choice): JWTPayload {
  if (!hostsOf(claims).includes(hostId)) throw notAllowed('host_not_covered', 'host', 'host');
  const scopes = scopesOf(claims);
  const own = { ...claims, host: hostId };
  const forService = serviceId === null ? own : ofService(own, serviceId, scopes);
  const forEnvironment = envTag === null ? forService : { ...forService, env: oneOf(claims, 'env', envTag) };
  return withoutLists(forEnvironment, scopes.includes('catalog:agent'));
}

function ofService(claims: JWTPayload, serviceId: string, scopes: readonly string[]): JWTPayload {
  if (!scopes.includes(ALL_SERVICES) || scopes.includes('catalog:agent'))
    return { ...claims, sid: oneOf(claims, 'sid', serviceId) };
  const { scp: _, ...rest } = claims;
  return { ...rest, sid: serviceId, scope: scopes.filter((scope) => scope !== ALL_SERVICES).join(' ') };
}

/** A token has one list at most, that of an agent none: of what is not chosen the first holds then. */
function withoutLists(claims: JWTPayload, none: boolean): JWTPayload {
  const { sid, env } = claims;
  if (!none && !(Array.isArray(sid) && Array.isArray(env))) return claims;
  return { ...claims, env: firstOf(env), ...(none && { sid: firstOf(sid) }) };
}

function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? (value as readonly unknown[])[0] : value;
}

function oneOf(claims: JWTPayload, name: 'sid' | 'env', wanted: string): string {
  const items: readonly unknown[] = [claims[name]].flat();
  if (items.some((item) => typeof item === 'string' && item.trim() === wanted)) return wanted;
  throw name === 'sid'
    ? notAllowed('service_not_covered', 'sid', 'service')
    : notAllowed('environment_not_covered', 'env', 'environment');
}

function notAllowed(code: string, claim: string, what: string): Problem {
  return new Problem(
    403,
    code,
    `The claim ${claim} of whoever is signed in does not hold this ${what}. Choose one that it holds.`,
  );
}
