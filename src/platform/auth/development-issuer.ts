import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  importJWK,
  SignJWT,
  type JWK,
  type JWTPayload,
} from 'jose';
import type { TokenRules } from './token-verifier.js';

/** Signs tokens for a catalog on one's own machine (contract 2); its key never leaves the data directory. */
const issuer = 'urn:portal-catalog:development';
const audience = 'portal-catalog';
const algorithm = 'ES256';
const ownerOnly = 0o600;
const others = 0o077;

/** What tokens of the development issuer must satisfy. Makes its key on first use. */
export async function developmentRules(dataDirectory: string): Promise<TokenRules> {
  const { kty, crv, x, y, kid, alg } = await ownKey(dataDirectory);
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
  const key = await ownKey(dataDirectory);
  return new SignJWT(claims)
    .setProtectedHeader({ alg: algorithm, typ: 'at+jwt', kid: key.kid ?? '' })
    .setIssuer(issuer)
    .setAudience(audience)
    .setJti(randomUUID())
    .setIssuedAt()
    .setExpirationTime(`${String(lifetime)} seconds`)
    .sign(await importJWK(key, algorithm));
}

/** The private key in the data directory; made there where there is none, by whoever comes first. */
async function ownKey(directory: string): Promise<JWK> {
  const file = join(directory, 'development-issuer.jwk.json');
  try {
    return await readKey(file);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  await mkdir(directory, { recursive: true });
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const draft = `${file}.${randomUUID()}`;
  const key = { ...(await exportJWK(privateKey)), kid: randomUUID(), alg: algorithm };
  await writeFile(draft, JSON.stringify(key), { mode: ownerOnly, flag: 'wx' });
  await link(draft, file).catch(() => undefined);
  await unlink(draft);
  return readKey(file);
}

async function readKey(file: string): Promise<JWK> {
  const { mode } = await stat(file);
  if ((mode & others) !== 0) {
    throw new Error(
      `${file} can be read by others, so its key is not secret. Delete it; a new one is made at the next start.`,
    );
  }
  return JSON.parse(await readFile(file, 'utf8')) as JWK;
}

function isMissing(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';
}
