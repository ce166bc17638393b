import { hash } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { Problem } from '../http/problem.js';
import { isUuid } from '../validation/validator.js';
import { scopes, type Caller, type Scope } from './caller.js';
import { tiers, type Tier } from './sensitivity-tier.js';

/** Frees an operator's token from `sid`. */
export const ALL_SERVICES = 'catalog:all-services';
const MAX_VALUES = 50;
/** Longest value of a claim, which is kept with events and compared with records. */
const MAX_LENGTH = 255;

/**
 * Reads the claims of a verified token (docs/contract.md, section 2). Throws Problem 403 for one that is blank, missing, of another
 * JSON type, or wider than it may be; nothing else of the token or the request makes up for it.
 */
export function callerOf(claims: JWTPayload): Caller {
  const granted = scopesOf(claims);
  const forAgent = granted.includes('catalog:agent');
  const free = granted.includes(ALL_SERVICES) && !forAgent;
  const services = free && claims['sid'] === undefined ? [] : valuesOf(claims, 'sid');
  const environments = valuesOf(claims, 'env');
  const lists = ['sid', 'env'].filter((name) => Array.isArray(claims[name]));
  if (forAgent && lists.length > 0)
    throw refused(`${lists.join(' and ')} must be one text in a token with catalog:agent`);
  if (lists.length > 1) throw refused('only one of sid and env may be an array');
  const user = optionalValue(claims, 'sub');
  const clientId = optionalValue(claims, 'client_id');
  const agentDefId = claims['agent_def_id'] === undefined ? undefined : idOf(claims, 'agent_def_id');
  const maxTier = maxTierOf(claims);
  const commandTools = flagOf(claims, 'commandTools');
  const caller = {
    actor: { user: user ?? '', ...(clientId === undefined ? {} : { clientId }) },
    issuer: claims.iss ?? '',
    hostId: idOf(claims, 'host'),
    services: free ? 'all' : services,
    environments,
    scopes: new Set(scopes.filter((scope) => granted.includes(scope))),
    ...(agentDefId === undefined ? {} : { agentDefId }),
    ...(maxTier === undefined ? {} : { maxTier }),
    ...(commandTools === undefined ? {} : { commandTools }),
    expiresAt: claims.exp ?? 0,
  } satisfies Omit<Caller, 'fingerprint'>;
  return { ...caller, fingerprint: fingerprintOf(caller, services) };
}

/** Granted scopes, of `scope` (RFC 8693, one text) or `scp` (an array or one text), including unknown ones. */
export function scopesOf(claims: JWTPayload): readonly string[] {
  const name = claims['scope'] === undefined ? 'scp' : 'scope';
  const value = claims[name];
  if (value === undefined) return [];
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.flatMap((item) => {
    if (typeof item !== 'string') throw refused(`${name} must be a text of scopes`);
    return item.split(' ').filter((scope) => scope !== '');
  });
}

function valuesOf(claims: JWTPayload, name: string): readonly string[] {
  const value = claims[name];
  if (!Array.isArray(value)) return [valueOf(value, name)];
  if (value.length === 0 || value.length > MAX_VALUES)
    throw refused(`${name} must hold 1 to ${String(MAX_VALUES)} values`);
  return [...new Set(value.map((item) => valueOf(item, name)))].sort();
}

function optionalValue(claims: JWTPayload, name: string): string | undefined {
  return claims[name] === undefined ? undefined : valueOf(claims[name], name);
}

function valueOf(value: unknown, name: string): string {
  if (typeof value !== 'string') throw refused(`${name} must be one text`);
  const trimmed = value.trim();
  if (trimmed === '') throw refused(`${name} must not be blank`);
  if (trimmed.length > MAX_LENGTH)
    throw refused(`${name} must not be longer than ${String(MAX_LENGTH)} characters`);
  if (/[\p{Control}\p{Surrogate}]/u.test(trimmed)) throw refused(`${name} must not hold control characters`);
  return trimmed;
}

/** An id in the one spelling in which it is compared, kept and hashed. */
function idOf(claims: JWTPayload, name: string): string {
  const value = valueOf(claims[name], name);
  if (!isUuid(value)) throw refused(`${name} must be a UUID in lower case`);
  return value;
}

function flagOf(claims: JWTPayload, name: string): boolean | undefined {
  const value = claims[name];
  if (value === undefined || typeof value === 'boolean') return value;
  throw refused(`${name} must be true or false`);
}

/** Refuses any other text, also of another case: as a guess it would widen or narrow the token by accident. */
function maxTierOf(claims: JWTPayload): Tier | undefined {
  const value = optionalValue(claims, 'maxSensitivityTier');
  const tier = tiers.find((each) => each === value);
  if (value !== undefined && tier === undefined)
    throw refused(`maxSensitivityTier must be one of ${tiers.join(', ')}`);
  return tier;
}

/** Hashes the services that the token names, also where its scope covers all of them. */
function fingerprintOf(caller: Omit<Caller, 'fingerprint'>, services: readonly string[]): string {
  const { issuer, actor, environments, agentDefId } = caller;
  const parts = [issuer, actor.user, actor.clientId ?? null, services, environments, agentDefId ?? null];
  return hash('sha256', JSON.stringify(parts), 'hex');
}

function refused(reason: string): Problem {
  return new Problem(403, 'claim_invalid', `The token's claims don't cover any request: ${reason}.`);
}

/** Refuses a caller without any of these scopes: 403. */
export function requireScope(caller: Caller, ...anyOf: readonly Scope[]): void {
  if (anyOf.some((scope) => satisfies(caller, scope))) return;
  const wanted = anyOf.join(' or ');
  throw new Problem(403, 'insufficient_scope', `This needs the scope ${wanted}.`, {
    headers: {
      'www-authenticate': `Bearer realm="portal-catalog", error="insufficient_scope", scope="${anyOf.join(' ')}"`,
    },
  });
}

/** Who may write or administer may also read. */
export function satisfies({ scopes: held }: Caller, wanted: Scope): boolean {
  return (
    held.has(wanted) ||
    (wanted === 'catalog:read' && (held.has('catalog:write') || held.has('catalog:admin')))
  );
}

/** Refuses a token that is confined to one agent's catalog: 403 (log, histories, exports, `withheld`). */
export function refuseConfined(caller: Caller): void {
  if (caller.agentDefId !== undefined) {
    throw new Problem(
      403,
      'confined_token',
      'A token with agent_def_id reads its agent’s catalog, not this.',
    );
  }
}

/**
 * Draws the line between authors and administrators (docs/contract.md, section 2; decision 47). Administrators alone loosen a guard
 * of a tool or an endpoint (`loosened`) or the limit of an agent, link or assignment (`loosensLimit`), end or skip a quarantine, and
 * accept a suspicious change (`isSuspicious`). Authors show more of what is there: publish, link, assign, switch on, change lifecycle,
 * title and description.
 */
export function refuseLessGuarded(caller: Caller, isLessGuarded: boolean): void {
  if (isLessGuarded) requireScope(caller, 'catalog:admin');
}

/** Whether the token names somebody: an issuer may leave `sub` out for a client that is its own. */
export function namesSomebody({ actor }: Caller): boolean {
  return actor.user !== '';
}

/** Refuses a token that names nobody where who has decided is kept for good: 403. */
export function requireSomebody(caller: Caller): void {
  if (namesSomebody(caller)) return;
  const detail =
    'Who has decided this is kept with it, and the token names nobody: its claim sub is missing. Take a token of somebody.';
  throw new Problem(403, 'subject_needed', detail);
}

/** Whether the caller may approve versions of tools. */
export function mayApprove(caller: Caller): boolean {
  return satisfies(caller, 'catalog:approve');
}

/** Whether the caller may loosen guards. */
export function mayLoosen(caller: Caller): boolean {
  return satisfies(caller, 'catalog:admin');
}
