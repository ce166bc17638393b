import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from 'jose';
import { readConfig } from '../../platform/config/config.js';
import { createLog } from '../../platform/logging/log.js';
import { CatalogSignature } from './catalog-signature.service.js';

describe('a service in production that is given no key', () => {
  let directory: string;
  const logged: string[] = [];
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'portal-catalog-signature-'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  const signatureIn = (place: string): CatalogSignature =>
    new CatalogSignature(
      readConfig({
        ...{ NODE_ENV: 'production', DATA_DIR: place, DATABASE_URL: 'postgresql://db/catalog' },
        ...{ AUTH_JWKS_URI: 'https://a.example/jwks', AUTH_ISSUER: 'https://a.example', AUTH_AUDIENCE: 'a' },
      }),
      createLog('warn', { write: (line: string) => void logged.push(line) }),
    );

  it('signs with one that it keeps, and says that other instances do not know it', async () => {
    const jws = await signatureIn(directory).sign(Buffer.from('{}'));
    const published = (await signatureIn(directory).published()) as unknown as JSONWebKeySet;
    const { payload } = await compactVerify(jws, createLocalJWKSet(published));
    expect(Buffer.from(payload).toString()).toBe('{}');
    expect(logged.join()).toContain('SIGNING_KEY_FILE');
  });

  it('signs nothing where it can keep none', async () => {
    const file = join(directory, 'file');
    await writeFile(file, '');
    const without = signatureIn(file);
    const refusal = expect.objectContaining({ status: 406, code: 'signing_not_configured' }) as Error;
    await expect(without.sign(Buffer.from('{}'))).rejects.toThrow(refusal);
    expect(await without.published()).toEqual({ keys: [] });
  });
});
