import { request } from 'node:http';
import { hostId, TokenIssuer } from '../token-issuer.js';
import { OwnServer } from './own-server.js';

/** What a door answered: status and code. */
type Answer = readonly [number, string];

let issuer: TokenIssuer;
let server: OwnServer;

beforeAll(async () => {
  issuer = await TokenIssuer.start();
  server = await OwnServer.start('embedded', {
    AUTH_JWKS_URI: issuer.jwksUri.href,
    AUTH_ISSUER: issuer.issuer,
    AUTH_AUDIENCE: issuer.audience,
  });
});
afterAll(async () => {
  await server.stop();
  await issuer.stop();
});

const listTools = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
/** Its name, method, path and body. */
type Door = readonly [string, string, string, string | undefined];
const mcp: Door = ['MCP', 'POST', '/mcp', listTools];
const doors: readonly Door[] = [['HTTP', 'GET', `/v1/hosts/${hostId}/skills`, undefined], mcp];

function knock([, method, path, body]: Door, ...more: readonly string[]): Promise<Answer> {
  const { host, port, hostname } = new URL(server.address);
  const named = more.some((name, index) => index % 2 === 0 && name === 'Host');
  const headers = [
    ...(named ? [] : ['Host', host]),
    ...['Accept', 'application/json, text/event-stream', 'Content-Type', 'application/json'],
    ...['Content-Length', String(body?.length ?? 0), 'MCP-Protocol-Version', '2025-11-25', ...more],
  ];
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path, headers, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => {
        const [, code = ''] = /"code":"(\w+)"/.exec(text) ?? [];
        resolve([response.statusCode ?? 0, code]);
      });
    });
    sent.on('error', reject).end(body);
  });
}

const withTime = (name: string, number: string) => () =>
  issuer.signText({ [name]: '@' }, (text) => text.replace('"@"', number));
const respelled = (respell: (signature: string) => string) => async (): Promise<string> => {
  const [header = '', payload = '', signature = ''] = (await issuer.sign()).split('.');
  return `${header}.${payload}.${respell(signature)}`;
};

const invalid = [401, 'token_invalid'];
const refusals: readonly (readonly [string, () => Promise<string>, unknown])[] = [
  ['that never expires', withTime('exp', '1e400'), invalid],
  ['that expires after the year 9999', withTime('exp', '253402300800'), invalid],
  ['that holds from the beginning of time', withTime('nbf', '-1e400'), invalid],
  ['that is from no time', withTime('iat', '1e400'), invalid],
  ['with padding', respelled((text) => `${text}==`), invalid],
  ['with a blank in it', respelled((text) => `${text.slice(0, 9)} ${text.slice(9)}`), invalid],
  ['with a tab in it', respelled((text) => `${text.slice(0, 9)}\t${text.slice(9)}`), invalid],
  ['of a host in capitals', () => issuer.sign({ host: hostId.toUpperCase() }), [403, 'claim_invalid']],
  ['of a host that is none', () => issuer.sign({ host: 'abc' }), [403, 'claim_invalid']],
];

describe.each(doors)('%s', (...door) => {
  it('lets a good token in, and none where there are two', async () => {
    const good = `Bearer ${await issuer.sign()}`;
    expect(await knock(door, 'Authorization', good)).toEqual([200, '']);
    for (const pair of [
      [good, 'Bearer x'],
      ['Bearer x', good],
      [good, good],
    ] as const)
      expect(await knock(door, 'Authorization', pair[0], 'authorization', pair[1])).toEqual(invalid);
  });

  it.each(refusals)('refuses a token %s', async (_, sign, answer) => {
    expect(await knock(door, 'Authorization', `Bearer ${await sign()}`)).toEqual(answer);
  });
});

it('refuses a Host with more than a name and a port at /mcp', async () => {
  const good = `Bearer ${await issuer.sign()}`;
  const { host } = new URL(server.address);
  const refused = [403, 'host_not_allowed'];
  expect(await knock(mcp, 'Authorization', good, 'Host', `a:b@${host}`)).toEqual(refused);
});
