import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { greeting, listeningAddress } from './greeting.js';
import { developmentRules } from './platform/auth/issuers.js';
import { TokenVerifier } from './platform/auth/token-verifier.js';
import { readConfig } from './platform/config/config.js';
import { sample } from './sample/sample-ids.js';
import { bearing } from '../test/token-issuer.js';

const address = 'http://127.0.0.1:3000';
const { hostId, agentDefId, agentServiceId, envTag } = sample;
const request = `curl -s -H "Authorization: Bearer $TOKEN" '${address}/v1/hosts/${hostId}/agents/${agentDefId}/effective-catalog?serviceId=${agentServiceId}&envTag=${envTag}'`;

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'portal-catalog-greeting-'));
});
afterEach(async () => {
  await rm(directory, { recursive: true });
});

const greet = (toPerson: boolean, variables: NodeJS.ProcessEnv = {}): Promise<string> =>
  greeting(readConfig({ DATA_DIR: directory, ...variables }), address, toPerson);

it('gives a person the address, a request to try, and a token for it that the service takes', async () => {
  const said = await greet(true);
  expect(said).toContain(`listens on ${address}\n`);
  expect(said).toContain(`Open it in a browser: ${address}/\n`);
  expect(said).toContain(`  ${request}\n`);
  const token = /^ {2}TOKEN=(\S+)$/m.exec(said)?.[1] ?? '';
  const caller = await new TokenVerifier(await developmentRules(directory)).callerOf(
    bearing(`Bearer ${token}`),
  );
  expect(caller).toMatchObject({ hostId, services: [agentServiceId], environments: [envTag] });
  expect([...caller.scopes]).toEqual(['catalog:agent', 'catalog:read']);
});

it('keeps tokens out of logs: there it names the command that mints one', async () => {
  const said = await greet(false);
  expect(said).toContain(`  TOKEN=$(DATA_DIR='${directory}' npx portal-catalog token --host ${hostId} `);
  expect(said).toContain(`  ${request}\n`);
  expect(await readdir(directory)).toEqual([]);
});

it('names what the command line takes for everything, with or without the sample', async () => {
  for (const variables of [{}, { SAMPLE_DATA: 'off' }]) {
    const said = await greet(true, variables);
    expect(said).toMatch(/export PORTAL_TOKEN=\$\(DATA_DIR='[^']+' npx portal-catalog token --host /);
    expect(said).toContain('catalog:write');
  }
});

it('leaves the data directory unsaid where it is the preset', async () => {
  const config = readConfig({ DATA_DIR: '.data' });
  expect(await greeting(config, address, false)).toContain('  TOKEN=$(npx portal-catalog token --host ');
});

it.each([
  ['http://127.0.0.1:3000', false],
  ['http://127.0.0.1:3911', true],
])('at %s says what the command line needs to find it', async (where, isSaid) => {
  const said = await greeting(readConfig({ DATA_DIR: directory }), where, false);
  expect(said.includes(`export PORTAL_URL=${where}\n`)).toBe(isSaid);
});

it('leaves the token to whoever has an issuer', async () => {
  const own = { AUTH_JWKS_URI: 'https://a.example/keys', AUTH_ISSUER: 'a', AUTH_AUDIENCE: 'b' };
  const said = await greet(true, own);
  expect(said).toContain('a token of your issuer in TOKEN');
  expect(said).toContain(`  ${request}\n`);
  expect(await readdir(directory)).toEqual([]);
});

it.each([{ SAMPLE_DATA: 'off' }, { DATABASE_URL: 'postgresql://localhost/a' }])(
  'without the sample, %j, says how to bring something in',
  async (variables) => {
    const said = await greet(true, variables);
    expect(said).toContain('npx portal-catalog import --help');
    expect(said).not.toContain('curl');
  },
);

it.each([
  ['0.0.0.0', 'IPv4', 'http://0.0.0.0:3000', 'http://127.0.0.1:3000'],
  ['::', 'IPv6', 'http://[::]:3000', 'http://[::1]:3000'],
  ['10.1.2.3', 'IPv4', 'http://10.1.2.3:3000', 'http://10.1.2.3:3000'],
])(
  'says of %s where it really listens, and how this machine gets there',
  async (host, family, bound, here) => {
    const shown = listeningAddress({ address: () => ({ address: host, family, port: 3000 }) });
    expect(shown).toBe(bound);
    const said = await greeting(readConfig({ DATA_DIR: directory }), shown, false);
    expect(said).toContain(`listens on ${bound}\n`);
    expect(said).toContain(`${here}/docs\n`);
    expect(said).toContain(`'${here}/v1/`);
  },
);
