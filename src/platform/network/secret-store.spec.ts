import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SecretStore, SecretUnavailable } from './secret-store.js';

const hostId = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e01';
let directory: string;
let store: SecretStore;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'portal-catalog-secrets-'));
  await mkdir(join(directory, hostId));
  const secret = { value: 's3cr3t', origins: ['https://gateway.example.com/'] };
  await writeFile(join(directory, hostId, 'gateway.json'), JSON.stringify(secret));
  await writeFile(join(directory, hostId, 'odd.json'), '{"value": "s3cr3t"}');
  await writeFile(join(directory, 'outside.json'), JSON.stringify(secret));
  store = new SecretStore({ secretsDirectory: directory });
});
afterAll(() => rm(directory, { recursive: true }));

const value = (name: string, origin = 'https://gateway.example.com', host = hostId) =>
  store.valueFor(host, name, origin);

test('gives a secret to its origins', async () => {
  expect(await value('gateway')).toBe('s3cr3t');
});

test.each([
  ['gateway', 'http://gateway.example.com', hostId],
  ['gateway', 'https://gateway.example.com:8443', hostId],
  ['gateway', 'https://gateway.example.com.evil.org', hostId],
  ['gateway', 'https://gateway.example.com', '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e02'],
  ['../outside', 'https://gateway.example.com', hostId],
  ['outside', 'https://gateway.example.com', '.'],
  ['missing', 'https://gateway.example.com', hostId],
  ['odd', 'https://gateway.example.com', hostId],
])('refuses %s for %s of %s, and does not say what is in it', async (name, origin, host) => {
  const refusal = value(name, origin, host);
  await expect(refusal).rejects.toThrow(SecretUnavailable);
  await expect(refusal).rejects.not.toThrow('s3cr3t');
});

test('has none without a directory', async () => {
  const bare = new SecretStore({});
  await expect(bare.valueFor(hostId, 'gateway', 'https://a.example')).rejects.toThrow('SECRETS_DIR');
});
