import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose';
import { v7 } from 'uuid';
import { Provider } from 'oidc-provider';
import { inSeconds } from '../dates.js';

export const publicUrl = 'https://portal.test/catalog';
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
const scope = 'catalog:read catalog:all-services';
const redirectUri = `${publicUrl}/session/callback`;

/** A real OpenID provider on this machine, where whoever comes is signed in as `account` at once. */
export class OpenIdProvider {
  account = 'olga';
  /** Claims of its access tokens, beside those of every token. */
  claims: Record<string, unknown> = {};
  /** Seconds that an access token holds. */
  lifetime = 600;
  isDown = false;
  /** What a person says who is asked whether the portal may come in their name. */
  agrees = true;
  /** How often tokens were asked for, by grant. */
  readonly asked = { authorization_code: 0, refresh_token: 0 };

  private constructor(
    private readonly server: Server,
    readonly issuer: string,
    private readonly key: CryptoKey,
  ) {}

  static async start(): Promise<OpenIdProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const issuer = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    const own = new OpenIdProvider(server, issuer, privateKey);
    const key = { ...(await exportJWK(privateKey)), kid: 'first', alg: 'ES256', use: 'sig' };
    const provider = new Provider(issuer, own.configuration(key));
    provider.on('grant.success', ({ oidc }) => {
      own.asked[oidc.params.grant_type] += 1;
    });
    const handle = provider.callback();
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (own.isDown) response.writeHead(503).end();
      else if (request.url?.startsWith('/interaction/')) void own.interact(provider, request, response);
      else handle(request, response);
    });
    return own;
  }

  /** Settings of a service whose people sign in here. */
  get environment(): Record<string, string> {
    return {
      ...{ AUTH_ISSUER: this.issuer, AUTH_JWKS_URI: `${this.issuer}/jwks`, AUTH_AUDIENCE: 'portal-catalog' },
      ...{
        PUBLIC_URL: publicUrl,
        SIGN_IN_CLIENT_ID: 'portal',
        SIGN_IN_CLIENT_SECRET: 'a secret of the client',
      },
      ...{ SIGN_IN_RESOURCE: 'urn:portal-catalog', SIGN_IN_SCOPE: `openid profile offline_access ${scope}` },
      ...{ SIGN_IN_PARAMETERS: 'prompt=consent', AUTH_DEV_ISSUER: '' },
    };
  }

  /** A token by which it says that somebody has signed out; null takes a claim away. */
  logoutToken(claims: Readonly<Record<string, unknown>>, typ = 'logout+jwt'): Promise<string> {
    const all: Record<string, unknown> = {
      ...{ iss: this.issuer, aud: 'portal', jti: v7(), iat: inSeconds(0) },
      ...{ exp: inSeconds(120), events: { [logoutEvent]: {} } },
      ...claims,
    };
    const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
    return new SignJWT(given).setProtectedHeader({ alg: 'ES256', kid: 'first', typ }).sign(this.key);
  }

  private configuration(key: object): object {
    return {
      jwks: { keys: [key] },
      clients: [
        {
          ...{ client_id: 'portal', client_secret: 'a secret of the client', redirect_uris: [redirectUri] },
          ...{ grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] },
          ...{ id_token_signed_response_alg: 'ES256', post_logout_redirect_uris: [`${publicUrl}/`] },
          ...{ backchannel_logout_uri: `${publicUrl}/session/back-channel-logout` },
          backchannel_logout_session_required: true,
        },
      ],
      cookies: { keys: ['cookies of the provider'] },
      pkce: { required: () => true },
      ttl: {
        Interaction: 600,
        Grant: 3600,
        Session: 3600,
        AccessToken: () => this.lifetime,
        RefreshToken: 3600,
        IdToken: 600,
      },
      rotateRefreshToken: true,
      findAccount: (_: unknown, sub: string) => ({
        accountId: sub,
        claims: () => ({ sub, name: 'Olga Marsh' }),
      }),
      claims: { openid: ['sub'], profile: ['name'] },
      conformIdTokenClaims: false,
      extraTokenClaims: () => this.claims,
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      features: {
        devInteractions: { enabled: false },
        revocation: { enabled: true },
        backchannelLogout: { enabled: true },
        resourceIndicators: {
          enabled: true,
          useGrantedResource: () => true,
          getResourceServerInfo: () => ({
            ...{ scope, audience: 'portal-catalog', accessTokenFormat: 'jwt' },
            jwt: { sign: { alg: 'ES256' } },
          }),
        },
      },
    };
  }

  private async interact(
    provider: Provider,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    if (!this.agrees) {
      const refusal = { error: 'access_denied', error_description: '<b>no</b>' };
      await provider.interactionFinished(request, response, refusal);
      return;
    }
    const grant = new provider.Grant({ accountId: this.account, clientId: 'portal' });
    grant.addOIDCScope('openid profile offline_access');
    grant.addResourceScope('urn:portal-catalog', scope);
    const result = { login: { accountId: this.account }, consent: { grantId: await grant.save() } };
    await provider.interactionFinished(request, response, result);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
