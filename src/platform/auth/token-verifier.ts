import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { errors, jwtVerify, type JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import { Problem } from '../http/problem.js';
import { callerOf } from './claims.js';
import type { Caller } from './caller.js';
import { KeysUnavailable, noKeys, type TokenRules } from './issuers.js';

/** The part of a request that identifies its sender. */
export type Bearing = Pick<IncomingMessage, 'headers' | 'rawHeaders'> & { readonly socket: object };

const MAX_TOKEN_LENGTH = 8192;
const MAX_REMEMBERED_MS = 60_000;
const MAX_REMEMBERED = 10_000;
const bearer = /^bearer +/i;
/** The last second of the year 9999: a claim of time beyond it is no date, or one in milliseconds. */
const MAX_TIME = 253_402_300_799;
const timeClaims = ['exp', 'nbf', 'iat'] as const;
const plainTypes: readonly unknown[] = [undefined, 'jwt', 'at+jwt', 'application/at+jwt'];
const accessTokenTypes: readonly unknown[] = ['at+jwt', 'application/at+jwt'];

/** A token that was verified: what its claims say, or why they don't hold. */
interface Verified {
  readonly result: Caller | Problem;
  /** Milliseconds since the epoch. */
  readonly until: number;
  /** The keys that verified it. */
  readonly edition: unknown;
}

/** Turns bearer tokens into callers; remembers verified ones by their hash for at most 60 s or until a key changes. */
export class TokenVerifier {
  private readonly remembered = new LRUCache<string, Verified>({ max: MAX_REMEMBERED });
  /** A connection that sends the same header again is spared the hash. */
  private readonly lastOn = new WeakMap<
    object,
    { readonly authorization: string; readonly verified: Verified }
  >();

  /** @param refused learns the code of each refusal */
  constructor(
    private readonly rules: TokenRules,
    private readonly refused: (code: string) => void = () => undefined,
  ) {}

  /**
   * The caller that the `Authorization` header of a request names. Throws Problem 401 where there is no valid token, 403
   * where its claims are not what they must be, 503 where the issuer's keys can't be read.
   */
  async callerOf(request: Bearing): Promise<Caller> {
    const known = this.knownOn(request);
    if (known !== undefined) return known;
    try {
      return await this.admitted(request);
    } catch (error) {
      throw this.counted(error);
    }
  }

  /**
   * The caller that a token names which did not come in a header: the same checks, and the same claims but for those that `narrow` takes
   * away. `part` tells what is left apart from what else is left of the same token.
   */
  async callerOfToken(
    token: string,
    part: string,
    narrow: (claims: JWTPayload) => JWTPayload,
  ): Promise<Caller> {
    // No header has this digest, whatever it holds.
    const digest = `part ${hash('sha256', `${token} ${part}`, 'base64')}`;
    const verified = this.remembered.get(digest);
    if (verified !== undefined && this.holds(verified)) return accepted(verified.result);
    return this.verify(token, digest, narrow);
  }

  /** The claims of a token that passes. Throws as {@link callerOf} does. */
  async claimsOf(token: string): Promise<JWTPayload> {
    if (token.length > MAX_TOKEN_LENGTH) throw tooLong();
    return this.passed(token);
  }

  private counted(error: unknown): unknown {
    if (error instanceof Problem) this.refused(error.code);
    return error;
  }

  private async admitted(request: Bearing): Promise<Caller> {
    const authorization = authorizationOf(request);
    const token = bearerToken(authorization);
    const digest = hash('sha256', token, 'base64');
    const verified = this.remembered.get(digest);
    if (verified === undefined || !this.holds(verified)) return this.verify(token, digest);
    this.lastOn.set(request.socket, { authorization: authorization ?? '', verified });
    return accepted(verified.result);
  }

  /** The caller, where this connection sent the same header before and it still holds. */
  knownOn(request: Bearing): Caller | undefined {
    const last = this.lastOn.get(request.socket);
    if (last === undefined || !this.holds(last.verified)) return undefined;
    try {
      return last.authorization === authorizationOf(request) ? accepted(last.verified.result) : undefined;
    } catch (error) {
      throw this.counted(error);
    }
  }

  private holds({ until, edition }: Verified): boolean {
    return until > Date.now() && edition === this.rules.keys.edition();
  }

  private async verify(
    token: string,
    digest: string,
    narrow: (claims: JWTPayload) => JWTPayload = (claims) => claims,
  ): Promise<Caller> {
    const { keys } = this.rules;
    const before = keys.edition();
    const claims = await this.claimsOf(token);
    const result = attempt(() => callerOf(narrow(claims)));
    const until = Math.min((claims.exp ?? 0) * 1000, Date.now() + MAX_REMEMBERED_MS);
    // Keys that changed meanwhile may not be those that verified it: then it is not remembered for long.
    this.remembered.set(digest, { result, until, edition: before === noKeys ? keys.edition() : before });
    return accepted(result);
  }

  private async passed(token: string): Promise<JWTPayload> {
    if (!token.split('.').every(isCanonical))
      throw invalidToken('its parts must be base64url without padding, blanks or spare bits');
    const { keys, issuer, audience, algorithms, requireAtJwt } = this.rules;
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys.find, {
        issuer,
        audience: [...audience],
        algorithms: [...algorithms],
        requiredClaims: ['exp'],
      });
      const type = protectedHeader.typ?.toLowerCase();
      if (!(requireAtJwt ? accessTokenTypes : plainTypes).includes(type))
        throw invalidToken('its typ is not that of an access token');
      const odd = timeClaims.find((name) => !isTime(payload[name]));
      if (odd !== undefined)
        throw invalidToken(`its claim ${odd} must be seconds since 1970, before the year 10000`);
      return payload;
    } catch (error) {
      throw refusal(error);
    }
  }
}

/**
 * The one `Authorization` header. Node would give the first of several, and a proxy may have looked at another: Problem
 * 401.
 */
export function authorizationOf({ headers, rawHeaders }: Bearing): string | undefined {
  const { authorization } = headers;
  if (authorization === undefined) return undefined;
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 'authorization'.length && name.toLowerCase() === 'authorization') count += 1;
  }
  if (count > 1) throw invalidToken('there is more than one Authorization header');
  return authorization;
}

/** RFC 7515, 2: base64url in its one spelling, so that no two texts are the same token. */
function isCanonical(part: string): boolean {
  return Buffer.from(part, 'base64url').toString('base64url') === part;
}

function isTime(claim: number | undefined): boolean {
  return claim === undefined || (claim >= 0 && claim <= MAX_TIME);
}

function bearerToken(authorization: string | undefined): string {
  if (authorization === undefined) {
    throw new Problem(401, 'token_missing', 'Send a token: "Authorization: Bearer <token>".', {
      headers: { 'www-authenticate': 'Bearer realm="portal-catalog"' },
    });
  }
  const [scheme] = bearer.exec(authorization) ?? [];
  if (scheme === undefined) throw invalidToken('the scheme must be Bearer');
  return authorization.slice(scheme.length);
}

function tooLong(): Problem {
  return invalidToken(`it is longer than ${String(MAX_TOKEN_LENGTH)} characters`);
}

function invalidToken(reason: string, code = 'token_invalid'): Problem {
  return new Problem(401, code, `The token can't be accepted: ${reason}.`, {
    headers: {
      'www-authenticate': `Bearer realm="portal-catalog", error="invalid_token", error_description="${reason}"`,
    },
  });
}

/** Says why a token did not pass: enough to mend it, nothing of what would have passed. */
function refusal(error: unknown): Error {
  if (error instanceof Problem) return error;
  if (error instanceof errors.JWTExpired)
    return invalidToken('it has expired; get a new one', 'token_expired');
  if (error instanceof errors.JWTClaimValidationFailed)
    return invalidToken(`its claim ${error.claim} does not hold`);
  if (error instanceof errors.JOSEAlgNotAllowed) return invalidToken('its algorithm is not accepted');
  if (error instanceof errors.JWKSNoMatchingKey) return invalidToken('its key is not known');
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return invalidToken('its signature does not hold');
  if (error instanceof KeysUnavailable || error instanceof errors.JWKSTimeout) {
    return new Problem(
      503,
      'keys_unavailable',
      'No token can be checked now: the keys of the issuer can’t be read. Try again.',
      {
        headers: { 'retry-after': '5' },
      },
    );
  }
  return invalidToken('it is malformed');
}

function attempt(make: () => Caller): Caller | Problem {
  try {
    return make();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

function accepted(result: Caller | Problem): Caller {
  if (result instanceof Problem) throw result;
  return result;
}
