import { readFile } from 'node:fs/promises';
import { Controller, Get, Header, Inject, Injectable } from '@nestjs/common';
import { CompactSign, compactVerify, createLocalJWKSet, importJWK, type CryptoKey, type JWK } from 'jose';
import { ownKey } from '../../platform/auth/own-key.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { Operation } from '../../platform/http/operation.js';
import { Problem } from '../../platform/http/problem.js';
import { LOG, type Log } from '../../platform/logging/log.js';

interface SigningKeys {
  readonly kid: string;
  readonly alg: string;
  readonly key: CryptoKey | Uint8Array;
  /** Public parts of all keys, the signing one first: what was signed before a rotation stays provable. */
  readonly published: readonly JWK[];
}

/** Members of a JWK that are no secret: of elliptic curves (`crv, x, y`) and of RSA (`n, e`). */
const publicMembers = ['kty', 'crv', 'x', 'y', 'n', 'e', 'kid', 'alg'];

/** Signs catalogs, so that an agent can prove later what it was given (RFC 7515, compact). */
@Injectable()
export class CatalogSignature {
  private keys: Promise<SigningKeys | undefined> | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** The bytes as a JWS. Throws Problem 406 where the service has no key to sign with. */
  async sign(bytes: Buffer): Promise<string> {
    const keys = await this.load();
    if (keys === undefined) {
      const detail =
        'This service has no key to sign with: SIGNING_KEY_FILE is not set, and DATA_DIR can’t be written. Accept application/json.';
      throw new Problem(406, 'signing_not_configured', detail);
    }
    const { kid, alg, key } = keys;
    return new CompactSign(bytes).setProtectedHeader({ alg, kid, cty: 'application/json' }).sign(key);
  }

  /** The bytes of a JWS that this service has signed; undefined for any other. */
  async verified(jws: string): Promise<Buffer | undefined> {
    try {
      const keys = createLocalJWKSet({ keys: [...(await this.published()).keys] });
      return Buffer.from((await compactVerify(jws, keys)).payload);
    } catch {
      return undefined;
    }
  }

  /** A JWK Set (RFC 7517) of the public keys. */
  async published(): Promise<{ readonly keys: readonly JWK[] }> {
    return { keys: (await this.load())?.published ?? [] };
  }

  private load(): Promise<SigningKeys | undefined> {
    const { signingKeyFile } = this.config;
    this.keys ??= signingKeyFile === undefined ? this.own() : readKeys(signingKeyFile).then(signingKeys);
    return this.keys;
  }

  /** By a key that the instance makes for itself, where it can keep one. */
  private async own(): Promise<SigningKeys | undefined> {
    const { dataDirectory, databaseUrl } = this.config;
    try {
      const keys = await signingKeys([await ownKey(dataDirectory, 'catalog-signing.jwk.json')]);
      const detail =
        'Catalogs are signed by a key of this instance. Where there are others, set SIGNING_KEY_FILE.';
      if (databaseUrl !== undefined) this.log.warn(detail);
      return keys;
    } catch (error) {
      this.log.warn({ err: error }, 'No catalog is signed: there is no key. Set SIGNING_KEY_FILE.');
      return undefined;
    }
  }
}

/** One private JWK, or a set of them. */
async function readKeys(path: string): Promise<readonly JWK[]> {
  const content = JSON.parse(await readFile(path, 'utf8')) as JWK | { readonly keys: readonly JWK[] };
  return 'keys' in content && Array.isArray(content.keys)
    ? (content.keys as readonly JWK[])
    : [content as JWK];
}

async function signingKeys(keys: readonly JWK[]): Promise<SigningKeys> {
  const [first] = keys;
  if (first?.kid === undefined || first.alg === undefined || first.d === undefined) {
    throw new Error(
      'SIGNING_KEY_FILE must hold a private JWK with kid and alg, or a set whose first key is one.',
    );
  }
  const published = keys.map((jwk) => ({ ...publicPart(jwk), use: 'sig' }));
  return { kid: first.kid, alg: first.alg, key: await importJWK(first, first.alg), published };
}

function publicPart(jwk: JWK): JWK {
  return Object.fromEntries(Object.entries(jwk).filter(([name]) => publicMembers.includes(name)));
}

const example = {
  keys: [
    { kty: 'EC', crv: 'P-256', x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU', kid: 'k1', alg: 'ES256' },
  ],
};

/** RFC 7517. */
const publicKey = {
  type: 'object',
  additionalProperties: true,
  required: ['kty', 'kid', 'alg'],
  properties: { kty: { type: 'string' }, kid: { type: 'string' }, alg: { type: 'string' } },
} as const;

/** The keys by which signed catalogs are verified. */
@Controller('.well-known')
export class SigningKeysController {
  constructor(private readonly signature: CatalogSignature) {}

  @Get('jwks.json')
  @Header('cache-control', 'public, max-age=300')
  @Operation({
    id: 'getSigningKeys',
    summary: 'The public keys of signed catalogs',
    description: 'A JWK Set (RFC 7517). Empty where the service has no key to sign with.',
    scope: 'none',
    answer: {
      type: 'object',
      required: ['keys'],
      properties: { keys: { type: 'array', items: publicKey } },
    },
    example: { answer: example },
    tag: 'agents',
  })
  keys(): Promise<object> {
    return this.signature.published();
  }
}
