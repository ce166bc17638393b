import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CompactSign, exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';
import type { Bearing } from '../src/platform/auth/token-verifier.js';
import { inSeconds } from './dates.js';

export const hostId = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e01';

export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

/** An issuer of tokens with its keys on a real HTTP server, as an identity provider runs it. */
export class TokenIssuer {
  readonly issuer = 'https://issuer.test/';
  readonly audience = 'portal-catalog';
  /** How often the keys were asked for. */
  fetches = 0;
  /** What the keys are answered with. */
  published: JWK[] = [];
  status = 200;
  body: string | undefined;

  private constructor(
    private readonly server: Server,
    readonly key: SigningKey,
  ) {}

  static async start(alg = 'ES256'): Promise<TokenIssuer> {
    const server = createServer((_request, response) => {
      issuer.fetches += 1;
      response.writeHead(issuer.status, { 'content-type': 'application/json' });
      response.end(issuer.body ?? JSON.stringify({ keys: issuer.published }));
    });
    const issuer = new TokenIssuer(server, await newKey('first', alg));
    issuer.published = [issuer.key.publicJwk];
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return issuer;
  }

  get jwksUri(): URL {
    return new URL(`http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}/jwks`);
  }

  /** A token that is all right but for what is changed: `undefined` takes a claim away. */
  sign(
    changes: Readonly<Record<string, unknown>> = {},
    header: Record<string, unknown> = {},
    key = this.key,
  ): Promise<string> {
    return new SignJWT(this.claimsWith(changes))
      .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'at+jwt', ...header })
      .sign(key.privateKey);
  }

  /** A token whose claims are this text: it may hold what no object does. */
  signText(changes: Readonly<Record<string, unknown>>, rewrite: (text: string) => string): Promise<string> {
    const { alg, kid, privateKey } = this.key;
    return new CompactSign(Buffer.from(rewrite(JSON.stringify(this.claimsWith(changes)))))
      .setProtectedHeader({ alg, kid, typ: 'at+jwt' })
      .sign(privateKey);
  }

  private claimsWith(changes: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const claims: Readonly<Record<string, unknown>> = {
      iss: this.issuer,
      aud: this.audience,
      iat: inSeconds(0),
      exp: inSeconds(600),
      ...goodClaims,
      ...changes,
    };
    return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

export const goodClaims = {
  sub: 'ada',
  client_id: 'console',
  host: hostId,
  sid: 'tidewell.accounts-1.0.0',
  env: 'dev',
  scope: 'catalog:read catalog:write catalog:admin',
};

export async function newKey(kid: string, alg = 'ES256'): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg } };
}

/** A request with this header, on this connection. */
export function bearing(authorization: string | undefined, socket: object = {}): Bearing {
  if (authorization === undefined) return { headers: {}, rawHeaders: [], socket };
  return { headers: { authorization }, rawHeaders: ['Authorization', authorization], socket };
}
