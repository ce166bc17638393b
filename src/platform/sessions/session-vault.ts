/** Seals what a session keeps, so that who reads the database has no token. */
import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { compactDecrypt, CompactEncrypt, type JWK } from 'jose';
import { ownKey } from '../auth/own-key.js';
import type { Config } from '../config/config.js';

/** What is kept of whoever signed in. */
export interface Kept {
  readonly name: string;
  readonly accessToken: string;
  readonly refreshToken?: string;
}

interface Key {
  readonly kid: string;
  readonly bytes: Uint8Array;
}

const algorithm = 'A256GCM';
const KEY_BYTES = 32;

/** Encrypts by JWE (RFC 7516, compact, dir with A256GCM). What is sealed for one session does not open for another. */
export class SessionVault {
  private keys: Promise<readonly Key[]> | undefined;

  constructor(private readonly config: Pick<Config, 'sessionKeyFile' | 'dataDirectory'>) {}

  async seal(of: string, kept: object): Promise<string> {
    const [key] = await this.load();
    if (key === undefined) throw new Error('There is no key to seal sessions with.');
    const text = Buffer.from(JSON.stringify({ of, kept }));
    return new CompactEncrypt(text)
      .setProtectedHeader({ alg: 'dir', enc: algorithm, kid: key.kid })
      .encrypt(key.bytes);
  }

  /** What was sealed; undefined where its key is not there any more, or it was sealed for something else. */
  async open<Sealed extends object>(wanted: string, sealed: string): Promise<Sealed | undefined> {
    const keys = await this.load();
    try {
      const { plaintext } = await compactDecrypt(sealed, ({ kid }) => bytesOf(keys, kid), {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: [algorithm],
      });
      const { of, kept } = JSON.parse(Buffer.from(plaintext).toString()) as { of: string; kept: Sealed };
      return of === wanted ? kept : undefined;
    } catch {
      return undefined;
    }
  }

  private load(): Promise<readonly Key[]> {
    const { sessionKeyFile, dataDirectory } = this.config;
    this.keys ??=
      sessionKeyFile === undefined
        ? ownKey(dataDirectory, 'session.jwk.json', newKey).then((jwk) => keysOf([jwk], 'session.jwk.json'))
        : readKeys(sessionKeyFile);
    return this.keys;
  }
}

function newKey(): JWK {
  const k = randomBytes(KEY_BYTES).toString('base64url');
  return { kty: 'oct', k, kid: randomUUID(), alg: algorithm };
}

function bytesOf(keys: readonly Key[], kid: string | undefined): Uint8Array {
  const key = keys.find((each) => each.kid === kid);
  if (key === undefined) throw new Error('unknown key');
  return key.bytes;
}

/** One secret JWK, or a set of them, of which the first seals and all open. */
async function readKeys(path: string): Promise<readonly Key[]> {
  const content = JSON.parse(await readFile(path, 'utf8')) as JWK | { readonly keys: readonly JWK[] };
  return keysOf('keys' in content && Array.isArray(content.keys) ? content.keys : [content as JWK], path);
}

function keysOf(jwks: readonly JWK[], path: string): readonly Key[] {
  return jwks.map(({ kty, k, kid }) => {
    const bytes = Buffer.from(k ?? '', 'base64url');
    if (kty !== 'oct' || kid === undefined || bytes.length !== KEY_BYTES) {
      throw new Error(
        `${path} must hold a secret JWK (kty oct, with kid, and k of ${String(KEY_BYTES)} bytes in base64url), or a set of such keys.`,
      );
    }
    return { kid, bytes };
  });
}
