import { chmod, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bearing, goodClaims } from '../../../test/token-issuer.js';
import { developmentRules, mintToken } from './issuers.js';
import { TokenVerifier } from './token-verifier.js';

let directory: string;

beforeEach(async () => {
  directory = join(await mkdtemp(join(tmpdir(), 'development-issuer-')), 'data');
});
afterEach(async () => {
  await rm(join(directory, '..'), { recursive: true });
});

const verifierIn = async (place: string): Promise<TokenVerifier> =>
  new TokenVerifier(await developmentRules(place));
const keyFile = async (): Promise<string> => join(directory, (await readdir(directory))[0] ?? '');

it('mints tokens that its own service takes', async () => {
  const verifier = await verifierIn(directory);
  const token = await mintToken(directory, goodClaims, 60);
  await expect(verifier.callerOf(bearing(`Bearer ${token}`))).resolves.toMatchObject({
    actor: { user: 'ada' },
  });
});

it('keeps one key, for the owner alone', async () => {
  await mintToken(directory, goodClaims, 60);
  expect((await stat(await keyFile())).mode & 0o777).toBe(0o600);
  const key = await readFile(await keyFile());
  await mintToken(directory, goodClaims, 60);
  expect(await readFile(await keyFile())).toEqual(key);
});

it('agrees on one key where several start at once', async () => {
  const tokens = await Promise.all(Array.from({ length: 8 }, () => mintToken(directory, goodClaims, 60)));
  const verifier = await verifierIn(directory);
  for (const token of tokens)
    await expect(verifier.callerOf(bearing(`Bearer ${token}`))).resolves.toBeDefined();
  expect(await readdir(directory)).toHaveLength(1);
});

it('refuses a key that others can read', async () => {
  await mintToken(directory, goodClaims, 60);
  await chmod(await keyFile(), 0o644);
  await expect(mintToken(directory, goodClaims, 60)).rejects.toThrow('can be read by others');
});

it('does not trust the development issuer of another directory', async () => {
  const token = await mintToken(join(directory, 'another'), goodClaims, 60);
  const verifier = await verifierIn(join(directory, 'mine'));
  await expect(verifier.callerOf(bearing(`Bearer ${token}`))).rejects.toMatchObject({ status: 401 });
});

it('lets tokens expire', async () => {
  const verifier = await verifierIn(directory);
  const token = await mintToken(directory, goodClaims, -1);
  await expect(verifier.callerOf(bearing(`Bearer ${token}`))).rejects.toMatchObject({
    code: 'token_expired',
  });
});
