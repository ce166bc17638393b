import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, type JWK } from 'jose';

/** The algorithm of keys that the service makes for itself. */
export const ownAlgorithm = 'ES256';
const ownerOnly = 0o600;
const others = 0o077;

/**
 * A key in the data directory, readable by its owner alone; made by whoever comes first.
 *
 * @param make makes one; unless said otherwise, a private key that signs
 */
export async function ownKey(
  directory: string,
  name: string,
  make: () => JWK | Promise<JWK> = signingKey,
): Promise<JWK> {
  const file = join(directory, name);
  try {
    return await readKey(file);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  await mkdir(directory, { recursive: true });
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, JSON.stringify(await make()), { mode: ownerOnly, flag: 'wx' });
  await link(draft, file).catch(() => undefined);
  await unlink(draft);
  return readKey(file);
}

async function signingKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair(ownAlgorithm, { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: randomUUID(), alg: ownAlgorithm };
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
