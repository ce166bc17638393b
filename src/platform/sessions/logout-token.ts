/** Tokens by which a provider says that somebody has signed out (OpenID Connect Back-Channel Logout 1.0, 2.4 to 2.6). */
import { jwtVerify, type JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import { KeysUnavailable, type TokenRules } from '../auth/issuers.js';
import { Problem } from '../http/problem.js';

const event = 'http://schemas.openid.net/event/backchannel-logout';
const types: readonly unknown[] = [undefined, 'jwt', 'logout+jwt', 'application/logout+jwt'];
const MAX_LENGTH = 8192;
/** A token is of the moment. */
const MAX_AGE_S = 300;

/** Whom it is about: one session of a person, or all of them. */
export interface SignedOut {
  readonly issuer: string;
  readonly subject?: string;
  readonly providerSid?: string;
}

export class LogoutTokens {
  /** A token counts once on each instance; on another it finds nothing left to end. */
  private readonly seen = new LRUCache<string, true>({ max: 10_000, ttl: 2 * MAX_AGE_S * 1000 });

  constructor(
    private readonly rules: TokenRules,
    private readonly clientId: string,
  ) {}

  /** Throws Problem 400 `logout_token_invalid`, 503 `keys_unavailable`. */
  async read(token: string): Promise<SignedOut> {
    if (token.length > MAX_LENGTH) throw invalid('it is too long');
    const { sub, sid, nonce, jti = '', iss = '', events } = await this.claimsOf(token);
    if (nonce !== undefined) throw invalid('it has a nonce');
    if (typeof events !== 'object' || events === null || !Object.hasOwn(events, event))
      throw invalid('its events do not name the logout');
    if (sid !== undefined && typeof sid !== 'string') throw invalid('its sid is no text');
    if (sub === undefined && sid === undefined) throw invalid('it names neither sub nor sid');
    if (this.seen.has(jti)) throw invalid('it was sent before');
    this.seen.set(jti, true);
    return {
      issuer: iss,
      ...(sub !== undefined && { subject: sub }),
      ...(sid !== undefined && { providerSid: sid }),
    };
  }

  private async claimsOf(token: string): Promise<JWTPayload> {
    const { keys, issuer, algorithms } = this.rules;
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys.find, {
        issuer,
        audience: this.clientId,
        algorithms: [...algorithms],
        requiredClaims: ['iat', 'exp', 'jti'],
        maxTokenAge: MAX_AGE_S,
        clockTolerance: 30,
      });
      if (!types.includes(protectedHeader.typ?.toLowerCase()))
        throw invalid('its typ is that of another token');
      return payload;
    } catch (error) {
      if (error instanceof Problem) throw error;
      if (error instanceof KeysUnavailable) {
        throw new Problem(503, 'keys_unavailable', 'The keys of the issuer can’t be read. Send it again.', {
          headers: { 'retry-after': '5' },
        });
      }
      throw invalid('its signature, issuer, audience or time does not hold');
    }
  }
}

function invalid(reason: string): Problem {
  return new Problem(400, 'logout_token_invalid', `The logout token can't be accepted: ${reason}.`);
}
