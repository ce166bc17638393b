/** The OpenID provider that people sign in at, as its client (OpenID Connect Core; RFC 9700). */
import * as openid from 'openid-client';
import type { SignIn } from '../config/sign-in.js';
import { ending } from '../network/ending.js';
import { Problem } from '../http/problem.js';

const TIMEOUT_S = 10;
const MAX_ANSWER_BYTES = 1 << 20;
/** What the provider says of itself is asked for again after that. */
const METADATA_MS = 3_600_000;

/** What the browser that begins to sign in must bring back. */
export interface Attempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** What the provider has given for somebody who signed in. */
export interface SignedIn {
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** How the person is called; without it the token is asked, and then it is the subject. */
  readonly name?: string;
  /** Claims `sid` and `sub` of the ID token. */
  readonly providerSid?: string;
  readonly providerSubject?: string;
}

/** Tokens that took the place of others. */
export interface Renewed {
  readonly accessToken: string;
  readonly refreshToken?: string;
}

export class Provider {
  private known: { readonly config: openid.Configuration; readonly at: number } | undefined;

  constructor(private readonly signIn: SignIn) {}

  newAttempt(): Attempt {
    return {
      state: openid.randomState(),
      nonce: openid.randomNonce(),
      verifier: openid.randomPKCECodeVerifier(),
    };
  }

  /** Where the browser is led to. Throws Problem 503 `provider_unavailable`. */
  async start({ state, nonce, verifier }: Attempt): Promise<URL> {
    const config = await this.config();
    const { redirectUri, scope, resource, parameters } = this.signIn;
    return openid.buildAuthorizationUrl(config, {
      ...parameters,
      ...{ redirect_uri: redirectUri, scope, state, nonce },
      ...(resource !== undefined && { resource }),
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
  }

  /**
   * Exchanges what the provider sent the browser back with, once `state`, `iss` (RFC 9207), nonce and the ID token hold. Throws
   * Problem 400 `sign_in_invalid`, 403 `sign_in_refused`, 503 `provider_unavailable`.
   */
  async finish(search: string, { state, nonce, verifier }: Attempt): Promise<SignedIn> {
    const { redirectUri, resource } = this.signIn;
    const checks = {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    };
    try {
      const config = await this.config();
      const more = resource === undefined ? {} : { resource };
      const answer = await openid.authorizationCodeGrant(config, new URL(redirectUri + search), checks, more);
      const claims: Partial<openid.IDToken> = answer.claims() ?? {};
      const { sid, sub, name, preferred_username: username } = claims;
      const called = [name, username].find((text) => typeof text === 'string');
      return {
        accessToken: answer.access_token,
        ...(answer.refresh_token !== undefined && { refreshToken: answer.refresh_token }),
        ...(typeof called === 'string' && { name: called }),
        ...(typeof sid === 'string' && { providerSid: sid }),
        ...(sub !== undefined && { providerSubject: sub }),
      };
    } catch (error) {
      throw refusal(error);
    }
  }

  /** New tokens; undefined where the provider gives none any more. Throws Problem 503 `provider_unavailable`. */
  async renew(refreshToken: string): Promise<Renewed | undefined> {
    const { resource } = this.signIn;
    try {
      const more = resource === undefined ? {} : { resource };
      const answer = await openid.refreshTokenGrant(await this.config(), refreshToken, more);
      return { accessToken: answer.access_token, refreshToken: answer.refresh_token ?? refreshToken };
    } catch (error) {
      if (error instanceof openid.ResponseBodyError && error.error === 'invalid_grant') return undefined;
      throw unavailable(error);
    }
  }

  /** Tells the provider that the token is of no use any more, if it wants to know; where it is down, the token ends by itself. */
  async revoke(refreshToken: string): Promise<void> {
    try {
      const config = await this.config();
      if (config.serverMetadata().revocation_endpoint === undefined) return;
      await openid.tokenRevocation(config, refreshToken);
    } catch {
      // Nobody is waiting for it.
    }
  }

  /** Where the browser signs out of the provider, too, if it has such a place. Without tokens: addresses are kept. */
  async endSession(): Promise<string | undefined> {
    try {
      const config = await this.config();
      if (config.serverMetadata().end_session_endpoint === undefined) return undefined;
      return openid.buildEndSessionUrl(config, { post_logout_redirect_uri: this.signIn.home }).href;
    } catch {
      return undefined;
    }
  }

  /** What the provider says of itself, with the issuer as it is set: another is refused. */
  private async config(): Promise<openid.Configuration> {
    const { known } = this;
    if (known !== undefined && known.at + METADATA_MS > Date.now()) return known.config;
    try {
      const config = await this.discover();
      this.known = { config, at: Date.now() };
      return config;
    } catch (error) {
      if (known !== undefined) return known.config;
      throw unavailable(error);
    }
  }

  private discover(): Promise<openid.Configuration> {
    const { issuer, clientId, clientSecret } = this.signIn;
    const authentication =
      clientSecret === undefined ? openid.None() : openid.ClientSecretBasic(clientSecret);
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so that it stands out; settings allow http on loopback alone
    const overHttp = issuer.protocol === 'http:' ? [openid.allowInsecureRequests] : [];
    return openid.discovery(issuer, clientId, undefined, authentication, {
      [openid.customFetch]: boundedFetch,
      timeout: TIMEOUT_S,
      execute: [openid.enableNonRepudiationChecks, ...overHttp],
    });
  }
}

/** The provider gives no answer of use: it can't be reached, is late, or fails. */
class ProviderDown extends Error {}

const boundedFetch: openid.CustomFetch = async (url, options) => {
  const signal = options.signal ?? AbortSignal.timeout(TIMEOUT_S * 1000);
  try {
    const response = await fetch(url, { ...options, signal } as RequestInit);
    if (response.status >= 500) throw new Error(`status ${String(response.status)}`);
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ? ending(response.body, signal) : []) {
      size += chunk.length;
      if (size > MAX_ANSWER_BYTES) throw new Error(`more than ${String(MAX_ANSWER_BYTES)} bytes`);
      chunks.push(chunk);
    }
    const { status, headers } = response;
    return new Response(chunks.length === 0 ? null : Buffer.concat(chunks), { status, headers });
  } catch (error) {
    throw new ProviderDown('The provider gave no answer.', { cause: error });
  }
};

function isDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    error instanceof ProviderDown || Reflect.get(error, 'code') === 'OAUTH_TIMEOUT' || isDown(error.cause)
  );
}

function unavailable(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const detail = isDown(error)
    ? 'The provider that people sign in at can’t be reached. Try again in a moment.'
    : `The provider that people sign in at gave an answer that is of no use (${reasonOf(error)}). Who runs the catalog can find out why.`;
  return new Problem(503, 'provider_unavailable', detail, { headers: { 'retry-after': '5' } });
}

/** Nothing that stands in the address is repeated but a short code: whoever made the address wrote it. */
function refusal(error: unknown): Problem {
  if (error instanceof Problem || isDown(error)) return unavailable(error);
  if (error instanceof openid.AuthorizationResponseError) {
    const detail = `The provider did not sign you in (${reasonOf(error)}). Sign in again, or ask who runs it.`;
    return new Problem(403, 'sign_in_refused', detail);
  }
  if (error instanceof openid.ResponseBodyError && error.error !== 'invalid_grant') return unavailable(error);
  const detail = `What came back from the provider does not fit what this browser began (${reasonOf(error)}). Sign in again.`;
  return new Problem(400, 'sign_in_invalid', detail);
}

function reasonOf(error: unknown): string {
  const reported =
    error instanceof openid.AuthorizationResponseError || error instanceof openid.ResponseBodyError
      ? error.error
      : String(Reflect.get(Object(error) as object, 'code') ?? 'unknown').toLowerCase();
  return /^[a-z_]{1,60}$/.test(reported) ? reported : 'unknown';
}
