import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  importJWK,
  jwksCache,
  SignJWT,
  type ExportedJWKSCache,
  type JWK,
  type JWTPayload,
  type JWTVerifyGetKey,
} from 'jose';
import { ending } from '../network/ending.js';
import { ownAlgorithm as algorithm, ownKey } from './own-key.js';

const second = 1000;
const MAX_KEY_SET_BYTES = 1 << 20;

export const noKeys = '';

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

/** Nest token of the {@link TokenRules}. */
export const TOKEN_RULES = Symbol('TokenRules');

/** Public keys that tokens are verified with. */
export interface IssuerKeys {
  readonly find: JWTVerifyGetKey;
  /** Another value after the keys have changed; {@link noKeys} before there are any. */
  readonly edition: () => unknown;
}

/**
 * The keys that an issuer publishes, read again after five minutes. An unknown `kid` asks again at most once in 30 s; while
 * the issuer gives none, the keys last seen hold for an hour.
 */
export function publishedKeys(uri: URL): IssuerKeys {
  const cache: Partial<ExportedJWKSCache> = {};
  const find = createRemoteJWKSet(uri, {
    cooldownDuration: 30 * second,
    cacheMaxAge: 300 * second,
    timeoutDuration: 5 * second,
    [customFetch]: withLastAnswer(3600 * second),
    [jwksCache]: cache as Record<string, never>,
  });
  let seen: unknown;
  let edition = noKeys;
  return {
    find,
    edition: () => {
      if (seen !== cache.jwks) {
        seen = cache.jwks;
        edition = JSON.stringify(seen);
      }
      return edition;
    },
  };
}

type Fetch = (url: string, options: RequestInit & { readonly signal: AbortSignal }) => Promise<Response>;

/** Fetches the keys; where that fails, repeats the last answer that held some, for up to `age` milliseconds. */
function withLastAnswer(age: number): Fetch {
  let last: { readonly text: string; readonly at: number } | undefined;
  return async (url, options) => {
    try {
      const text = await textOf(await fetch(url, options), options.signal);
      last = { text, at: Date.now() };
    } catch (error) {
      if (last === undefined || Date.now() - last.at > age) throw new KeysUnavailable(error);
    }
    return new Response(last.text);
  };
}

async function textOf(response: Response, signal: AbortSignal): Promise<string> {
  if (response.status !== 200) throw new Error(`status ${String(response.status)}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ? ending(response.body, signal) : []) {
    size += chunk.length;
    if (size > MAX_KEY_SET_BYTES) throw new Error(`more than ${String(MAX_KEY_SET_BYTES)} bytes`);
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString();
  if (!holdsKeys(JSON.parse(text))) throw new Error('an answer without keys');
  return text;
}

/** Whether it is a set of keys (RFC 7517, 5), and not empty: else it is an error page, or a mistake. */
function holdsKeys(answer: unknown): boolean {
  const keys: unknown =
    typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'keys') : undefined;
  return Array.isArray(keys) && keys.length > 0 && keys.every(isKey);
}

function isKey(item: unknown): boolean {
  return typeof item === 'object' && item !== null && typeof Reflect.get(item, 'kty') === 'string';
}

/** The issuer's keys can't be read and none are known: no token can be checked now. */
export class KeysUnavailable extends Error {
  constructor(cause: unknown) {
    super('The keys of the token issuer can’t be read at present.', { cause });
  }
}

/** Signs tokens for a catalog on one's own machine (docs/contract.md, section 2); its key never leaves the data directory. */
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

/** Whether a service or a command has made the key. */
export function hasIssuerKey(dataDirectory: string): boolean {
  return existsSync(join(dataDirectory, keyFile));
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
