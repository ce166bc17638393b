import { decodeJwt, type JWTPayload } from 'jose';
import { isObject } from '../documents/json.js';
import type { CallerIdentity } from '../gateways/shared.js';
import { CallFault } from './call-result.js';

const accessToken = 'urn:ietf:params:oauth:token-type:access_token';
/** Types under which the token that was asked for may come. */
const fitting: readonly unknown[] = [accessToken, 'urn:ietf:params:oauth:token-type:jwt', undefined];
/** Seconds by which clocks may differ. */
const SKEW = 60;

/** The request of a token exchange (RFC 8693, section 2.1): for a token of the audience, with which the caller is called for. */
export function exchangeBody({ audience = '', scope }: CallerIdentity, subject: string): URLSearchParams {
  return new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: subject,
    subject_token_type: accessToken,
    requested_token_type: accessToken,
    audience,
    ...(scope !== undefined && { scope }),
  });
}

/**
 * Reads the token of the answer. Throws CallFault `exchange_refused`, and `exchange_unfit` where the answer holds no bearer token for
 * the audience; neither quotes more of it than the code of its error.
 */
export function exchangedToken(
  { audience = '' }: CallerIdentity,
  { status, text }: { readonly status: number; readonly text: string },
): string {
  const answer = parsed(text);
  if (status < 200 || status > 299) {
    const { error } = answer;
    const code =
      typeof error === 'string' && /^[\w.-]{1,64}$/.test(error) ? error : `status ${String(status)}`;
    throw new CallFault(
      'exchange_refused',
      `The issuer gives no token for ${audience} to this caller: ${code}.`,
    );
  }
  const { access_token: token, token_type: type, issued_token_type: issued } = answer;
  if (typeof token !== 'string' || !/^[\x21-\x7e]{1,16384}$/.test(token)) throw unfit('no token');
  if (typeof type !== 'string' || type.toLowerCase() !== 'bearer') throw unfit('no bearer token');
  if (!fitting.includes(issued)) throw unfit('a token of another type');
  const claims = claimsOf(token);
  if (claims === undefined) return token;
  if (![claims.aud ?? []].flat().includes(audience)) throw unfit(`a token that is not for ${audience}`);
  const { exp } = claims;
  if (exp !== undefined && exp < Date.now() / 1000 - SKEW) throw unfit('a token that has expired');
  return token;
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value = JSON.parse(text) as unknown;
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Undefined where the token is no JWT: only the API can read it then. */
function claimsOf(token: string): JWTPayload | undefined {
  try {
    return decodeJwt(token);
  } catch {
    return undefined;
  }
}

const unfit = (what: string): CallFault => new CallFault('exchange_unfit', `The issuer answers ${what}.`);
