import { hash } from 'node:crypto';
import { errors, jwtVerify, type JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import { Problem } from '../http/problem.js';
import { callerOf } from './claims.js';
import type { Caller } from './caller.js';
import { KeysUnavailable, type IssuerKeys } from './issuer-keys.js';

/** What a token must satisfy before its claims are looked at (RFC 8725). */
export interface TokenRules {
  readonly keys: IssuerKeys;
  readonly issuer: string;
  readonly audience: readonly string[];
  /** Asymmetric ones only. */
  readonly algorithms: readonly string[];
  /** Only `at+jwt`; else also `JWT` or none. Tokens made for another purpose carry another `typ`. */
  readonly requireAtJwt: boolean;
}

/** Characters of the longest token that is looked at. */
const longestToken = 8192;
const longestLife = 60_000;
const mostRemembered = 10_000;
const plainTypes: readonly unknown[] = [undefined, 'jwt', 'at+jwt', 'application/at+jwt'];
const accessTokenTypes: readonly unknown[] = ['at+jwt', 'application/at+jwt'];

/** Turns bearer tokens into callers; remembers verified ones by their hash for at most 60 s or until a key changes. */
export class TokenVerifier {
  /** By hash of the token: what its claims say, or why they don't hold. */
  private readonly remembered = new LRUCache<string, Caller | Problem>({
    max: mostRemembered,
    ttl: longestLife,
    ttlResolution: 0,
    perf: Date,
  });
  private edition: unknown;

  constructor(private readonly rules: TokenRules) {}

  /**
   * The caller behind an `Authorization` header; a promise only where the token was not verified lately.
   * Throws Problem 401 where there is no valid token, 403 where its claims are not what they must be, 503
   * where the issuer's keys can't be read.
   */
  callerOf(authorization: string | undefined): Caller | Promise<Caller> {
    const token = bearerToken(authorization);
    const digest = hash('sha256', token, 'base64');
    const known = this.rules.keys.edition() === this.edition ? this.remembered.get(digest) : undefined;
    return known === undefined ? this.verify(token, digest) : accepted(known);
  }

  private async verify(token: string, digest: string): Promise<Caller> {
    const before = this.forgetAfterChange();
    const claims = await this.claimsOf(token).finally(() => this.forgetAfterChange());
    const result = attempt(() => callerOf(claims));
    const ttl = Math.min((claims.exp ?? 0) * 1000 - Date.now() - 1, longestLife);
    if (ttl > 0 && (before === this.edition || before === '')) this.remembered.set(digest, result, { ttl });
    return accepted(result);
  }

  private async claimsOf(token: string): Promise<JWTPayload> {
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
      return payload;
    } catch (error) {
      throw refusal(error);
    }
  }

  /** Drops all that older keys have verified; gives the present edition of the keys. */
  private forgetAfterChange(): unknown {
    const edition = this.rules.keys.edition();
    if (edition !== this.edition) this.remembered.clear();
    this.edition = edition;
    return edition;
  }
}

function bearerToken(authorization: string | undefined): string {
  if (authorization === undefined) {
    throw new Problem(401, 'token_missing', 'Send a token: "Authorization: Bearer <token>".', {
      headers: { 'www-authenticate': 'Bearer realm="portal-catalog"' },
    });
  }
  const [scheme = '', token = '', ...rest] = authorization.split(' ');
  if (scheme.toLowerCase() !== 'bearer' || rest.length > 0) throw invalidToken('the scheme must be Bearer');
  if (token.length > longestToken) throw invalidToken(`it is longer than ${String(longestToken)} characters`);
  return token;
}

function invalidToken(reason: string, code = 'token_invalid'): Problem {
  return new Problem(401, code, `The token can't be accepted: ${reason}.`, {
    headers: {
      'www-authenticate': `Bearer realm="portal-catalog", error="invalid_token", error_description="${reason}"`,
    },
  });
}

/** What to tell about a token that did not pass: enough to mend it, nothing of what would have passed. */
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
