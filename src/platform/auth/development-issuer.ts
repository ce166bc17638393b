import { randomUUID } from 'node:crypto';
import { createLocalJWKSet, importJWK, SignJWT, type JWK, type JWTPayload } from 'jose';
import { ownAlgorithm as algorithm, ownKey } from './own-key.js';
import type { TokenRules } from './token-verifier.js';

/** Signs tokens for a catalog on one's own machine (contract 2); its key never leaves the data directory. */
const issuer = 'urn:portal-catalog:development';
const audience = 'portal-catalog';
const keyFile = 'development-issuer.jwk.json';

/** What tokens of the development issuer must satisfy. Makes its key on first use. */
export async function developmentRules(dataDirectory: string): Promise<TokenRules> {
  const { kty, crv, x, y, kid, alg } = await ownKey(dataDirectory, keyFile);
  const find = createLocalJWKSet({ keys: [{ kty, crv, x, y, kid, alg } as JWK] });
  const keys = { find, edition: () => kid };
  return { keys, issuer, audience: [audience], algorithms: [algorithm], requireAtJwt: true };
}

/**
 * Mints a token with these claims, of type at+jwt (RFC 9068), good for `lifetime` seconds. Only a service whose
 * configuration says `development` takes it.
 */
export async function mintToken(
  dataDirectory: string,
  claims: JWTPayload,
  lifetime: number,
): Promise<string> {
  const key = await ownKey(dataDirectory, keyFile);
  return new SignJWT(claims)
    .setProtectedHeader({ alg: algorithm, typ: 'at+jwt', kid: key.kid ?? '' })
    .setIssuer(issuer)
    .setAudience(audience)
    .setJti(randomUUID())
    .setIssuedAt()
    .setExpirationTime(`${String(lifetime)} seconds`)
    .sign(await importJWK(key, algorithm));
}
