import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';
import { exportSPKI, importJWK, type CryptoKey, type JWK, type JWTPayload } from 'jose';
import { bearing, hostId, newKey, TokenIssuer } from '../../../test/token-issuer.js';
import type { Caller } from './caller.js';
import { publishedKeys, type IssuerKeys, type TokenRules } from './issuers.js';
import { TokenVerifier } from './token-verifier.js';
import { inSeconds } from '../../../test/dates.js';

const second = 1000;
const { jest } = import.meta;
let issuer: TokenIssuer;
let verifier: TokenVerifier;
let connection: object;
/** How often a key was looked for, to verify a signature with. */
let verifications: number;

beforeEach(async () => {
  jest.useFakeTimers({
    doNotFake: [
      'nextTick',
      'queueMicrotask',
      'setImmediate',
      'clearImmediate',
      'setTimeout',
      'clearTimeout',
      'setInterval',
      'clearInterval',
      'performance',
      'hrtime',
    ],
  });
  issuer = await TokenIssuer.start();
  verifier = new TokenVerifier(rules());
  connection = {};
  verifications = 0;
});

afterEach(async () => {
  jest.useRealTimers();
  await issuer.stop();
});

function rules(changes: Partial<TokenRules> = {}): TokenRules {
  const keys = publishedKeys(issuer.jwksUri);
  const find: IssuerKeys['find'] = (header, token) => {
    verifications += 1;
    return keys.find(header, token);
  };
  return {
    keys: { ...keys, find },
    issuer: issuer.issuer,
    audience: [issuer.audience],
    algorithms: ['ES256', 'RS256'],
    requireAtJwt: true,
    ...changes,
  };
}

async function verify(token: string, by = verifier, on = connection): Promise<Caller> {
  return by.callerOf(bearing(`Bearer ${token}`, on));
}

const now = (): number => inSeconds(0);
/** Moves the clock, and nothing else: the keys come over a real network. */
function later(milliseconds: number): void {
  jest.setSystemTime(jest.now() + milliseconds);
}

/** A JWT by hand, for what no library signs. */
function compact(header: object, claims: object, signature: (input: string) => string): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const input = `${part(header)}.${part(claims)}`;
  return `${input}.${signature(input)}`;
}

function claims(): JWTPayload {
  return {
    iss: issuer.issuer,
    aud: issuer.audience,
    exp: now() + 60,
    host: hostId,
    sid: 's',
    env: 'e',
    scope: '',
  };
}

const refused = (code: string, status = 401): object => expect.objectContaining({ status, code }) as object;

describe('a token that is all right', () => {
  it('gives the caller', async () => {
    await expect(verify(await issuer.sign())).resolves.toMatchObject({
      actor: { user: 'ada', clientId: 'console' },
      issuer: issuer.issuer,
      services: ['tidewell.accounts-1.0.0'],
      environments: ['dev'],
    });
  });

  it('may name several audiences, ours among them', async () => {
    await expect(verify(await issuer.sign({ aud: ['another', issuer.audience] }))).resolves.toBeDefined();
  });
});

describe('no token', () => {
  it.each([undefined, 'Basic YTpi', 'Bearer', 'Bearer a b', 'Bearer not-a-jwt', 'Bearer a.b.c.d.e'])(
    'refuses the header %p and says how to authenticate',
    async (header) => {
      const error: unknown = await Promise.resolve()
        .then(() => verifier.callerOf(bearing(header)))
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ status: 401 });
      expect(error).toHaveProperty(['headers', 'www-authenticate'], expect.stringMatching(/^Bearer /));
    },
  );

  it('refuses a token under another scheme', async () => {
    const token = await issuer.sign();
    await expect(verifier.callerOf(bearing(`Basic ${token}`))).rejects.toThrow('Bearer');
  });

  it('takes the scheme in any case', async () => {
    const token = await issuer.sign();
    await expect(verifier.callerOf(bearing(`bearer ${token}`))).resolves.toBeDefined();
  });
});

describe('the algorithm (RFC 8725, 3.1 and 3.2)', () => {
  it('refuses none', async () => {
    const token = compact({ alg: 'none', typ: 'at+jwt' }, claims(), () => '');
    await expect(verify(token)).rejects.toEqual(refused('token_invalid'));
    const padded = compact({ alg: 'none', typ: 'at+jwt' }, claims(), () => 'AA');
    await expect(verify(padded)).rejects.toEqual(refused('token_invalid'));
  });

  it('refuses a public key used as the secret of an HMAC', async () => {
    const rsa = await newKey('rsa', 'RS256');
    issuer.published = [rsa.publicJwk];
    const pem = await exportSPKI((await importJWK({ ...rsa.publicJwk }, 'RS256')) as CryptoKey);
    for (const secret of [pem, JSON.stringify(rsa.publicJwk)]) {
      const token = compact({ alg: 'HS256', kid: 'rsa', typ: 'at+jwt' }, claims(), (input) =>
        createHmac('sha256', secret).update(input).digest('base64url'),
      );
      await expect(verify(token)).rejects.toEqual(refused('token_invalid'));
    }
  });

  it('refuses a shared secret that the issuer publishes', async () => {
    const secret = Buffer.from('a secret of thirty-two characters');
    issuer.published = [{ kty: 'oct', kid: 'shared', alg: 'HS256', k: secret.toString('base64url') }];
    const token = compact({ alg: 'HS256', kid: 'shared', typ: 'at+jwt' }, claims(), (input) =>
      createHmac('sha256', secret).update(input).digest('base64url'),
    );
    await expect(verify(token)).rejects.toEqual(refused('token_invalid'));
  });

  it('refuses a sound algorithm that is not on the list', async () => {
    const key = await newKey('first', 'ES384');
    issuer.published = [key.publicJwk];
    await expect(verify(await issuer.sign({}, {}, key))).rejects.toEqual(refused('token_invalid'));
  });

  it('refuses an RSA key of fewer than 2048 bits, also one that the issuer publishes (RFC 7518, 3.3)', async () => {
    const signedBy = (modulusLength: number): string => {
      const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength });
      const kid = String(modulusLength);
      issuer.published.push({ ...(publicKey.export({ format: 'jwk' }) as JWK), kid, alg: 'RS256' });
      return compact({ alg: 'RS256', kid, typ: 'at+jwt' }, claims(), (input) =>
        createSign('RSA-SHA256').update(input).sign(privateKey, 'base64url'),
      );
    };
    const [short, sufficient] = [signedBy(2040), signedBy(2048)];
    await expect(verify(short)).rejects.toEqual(refused('token_invalid'));
    await expect(verify(sufficient)).resolves.toBeDefined();
  });

  it('refuses a header with extensions that it does not understand', async () => {
    const token = compact(
      { alg: 'ES256', kid: 'first', typ: 'at+jwt', crit: ['odd'], odd: 1 },
      claims(),
      () => 'AA',
    );
    await expect(verify(token)).rejects.toEqual(refused('token_invalid'));
  });
});

describe('the claims of the issuer', () => {
  it.each([
    ['another issuer', { iss: 'https://another.test/' }],
    ['no issuer', { iss: undefined }],
    ['another audience', { aud: 'another' }],
    ['no audience', { aud: undefined }],
    ['audiences without ours', { aud: ['a', 'b'] }],
    ['no expiry', { exp: undefined }],
    ['an expiry that is a text', { exp: '9999999999' as unknown as number }],
    ['a time before which it is not valid', { nbf: now() + 30 }],
  ])('refuses %s', async (_, changes) => {
    await expect(verify(await issuer.sign(changes))).rejects.toEqual(refused('token_invalid'));
  });

  it('refuses what has expired', async () => {
    await expect(verify(await issuer.sign({ exp: now() - 1 }))).rejects.toEqual(refused('token_expired'));
  });

  it('does not say what would have passed', async () => {
    const error: unknown = await verify(await issuer.sign({ iss: 'x' })).catch((thrown: unknown) => thrown);
    expect(JSON.stringify(error) + String(error)).not.toContain(issuer.issuer);
  });
});

describe('a claim of time', () => {
  it.each([
    ['exp', '1e400'],
    ['exp', '253402300800'],
    ['exp', '1e300'],
    ['exp', '9007199254740993'],
    ['nbf', '-1e400'],
    ['nbf', '-1'],
    ['nbf', '1e400'],
    ['nbf', '"0"'],
    ['iat', '1e400'],
    ['iat', '-1e400'],
    ['iat', 'true'],
  ])('%s that reads %s is refused', async (name, number) => {
    const token = await issuer.signText({ [name]: '@' }, (text) => text.replace('"@"', number));
    await expect(verify(token)).rejects.toEqual(refused('token_invalid'));
  });

  it('may be the last second of the year 9999, and a fraction', async () => {
    const token = await issuer.sign({ exp: 253_402_300_799, nbf: 0, iat: now() - 0.5 });
    await expect(verify(token)).resolves.toMatchObject({ expiresAt: 253_402_300_799 });
  });
});

describe('the spelling of a token (RFC 7515, 2)', () => {
  const spellings: readonly (readonly [string, (part: string) => string])[] = [
    ['padding', (part) => `${part}==`],
    ['one sign of padding', (part) => `${part}=`],
    ['a blank behind', (part) => `${part} `],
    ['a blank within', (part) => `${part.slice(0, 9)} ${part.slice(9)}`],
    ['a tab within', (part) => `${part.slice(0, 9)}\t${part.slice(9)}`],
    ['a line break within', (part) => `${part.slice(0, 9)}\n${part.slice(9)}`],
    ['a sign of no alphabet', (part) => `${part.slice(0, 9)}!${part.slice(9)}`],
    ['spare bits', (part) => part.slice(0, -1) + spare(part.slice(-1))],
    ['the other alphabet', (part) => part.replaceAll('-', '+').replaceAll('_', '/')],
  ];
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  /** Another last letter that stands for the same bytes: the lowest four bits of 86 letters are none of 64 bytes. */
  const spare = (letter: string): string => alphabet[alphabet.indexOf(letter) + 1] ?? '';

  it.each(spellings)('refuses a signature with %s', async (_, respell) => {
    let token: string;
    // Until there is something to write in the other alphabet.
    do token = await issuer.sign({ jti: String(Math.random()) });
    while (!/[-_][^.]*$/.test(token));
    const [header = '', payload = '', signature = ''] = token.split('.');
    await expect(verify(`${header}.${payload}.${respell(signature)}`)).rejects.toEqual(
      refused('token_invalid'),
    );
    await expect(verify(token)).resolves.toBeDefined();
  });

  it.each([0, 1])('refuses part %d with padding', async (index) => {
    const parts = (await issuer.sign()).split('.');
    parts[index] = `${parts[index] ?? ''}=`;
    await expect(verify(parts.join('.'))).rejects.toEqual(refused('token_invalid'));
  });
});

describe('two headers', () => {
  it('are refused, whichever holds the token, also on a connection that sent it before', async () => {
    const good = `Bearer ${await issuer.sign()}`;
    const pairs = [
      [good, 'Bearer x'],
      ['Bearer x', good],
      [good, good],
    ] as const;
    await verifier.callerOf(bearing(good, connection));
    await verifier.callerOf(bearing(good, connection));
    for (const [first, second] of pairs) {
      const rawHeaders = ['authorization', first, 'Accept', '*/*', 'AUTHORIZATION', second];
      const request = { headers: { authorization: first }, rawHeaders, socket: connection };
      await expect(verifier.callerOf(request)).rejects.toEqual(refused('token_invalid'));
    }
  });
});

describe('the type (RFC 8725, 3.11)', () => {
  const lenient = (): TokenVerifier => new TokenVerifier(rules({ requireAtJwt: false }));

  it.each(['JWT', 'logout+jwt', undefined])('refuses %p where at+jwt is asked for', async (typ) => {
    await expect(verify(await issuer.sign({}, { typ }))).rejects.toEqual(refused('token_invalid'));
  });

  it.each(['at+jwt', 'AT+JWT', 'application/at+jwt'])('takes %p', async (typ) => {
    await expect(verify(await issuer.sign({}, { typ }))).resolves.toBeDefined();
  });

  it.each(['JWT', 'at+jwt', undefined])('takes %p where it is not', async (typ) => {
    await expect(verify(await issuer.sign({}, { typ }), lenient())).resolves.toBeDefined();
  });

  it('refuses tokens made for another purpose even then', async () => {
    await expect(verify(await issuer.sign({}, { typ: 'logout+jwt' }), lenient())).rejects.toEqual(
      refused('token_invalid'),
    );
  });
});

describe('the keys', () => {
  it('refuses a signature by another key under a known kid', async () => {
    const forged = await newKey('first');
    await expect(verify(await issuer.sign({}, {}, forged))).rejects.toEqual(refused('token_invalid'));
  });

  it('refuses two known keys swapped', async () => {
    const second = await newKey('second');
    issuer.published = [issuer.key.publicJwk, second.publicJwk];
    await expect(verify(await issuer.sign({}, { kid: 'second' }))).rejects.toEqual(refused('token_invalid'));
  });

  it('refuses claims changed after signing', async () => {
    const [header, , signature] = (await issuer.sign()).split('.');
    const altered = Buffer.from(JSON.stringify({ ...claims(), scope: 'catalog:admin' })).toString(
      'base64url',
    );
    await expect(verify(`${header ?? ''}.${altered}.${signature ?? ''}`)).rejects.toEqual(
      refused('token_invalid'),
    );
  });

  it('ignores keys and addresses of keys in the header', async () => {
    const own = await newKey('own');
    const header = { jwk: own.publicJwk, jku: 'http://127.0.0.1:1/', x5u: 'http://127.0.0.1:1/' };
    await expect(verify(await issuer.sign({}, header, own))).rejects.toEqual(refused('token_invalid'));
  });

  it('asks again for an unknown kid, at most once in 30 s', async () => {
    await verify(await issuer.sign());
    expect(issuer.fetches).toBe(1);
    const unknown = await newKey('unknown');
    const attack = async (): Promise<void> => {
      await expect(verify(await issuer.sign({}, {}, unknown))).rejects.toEqual(refused('token_invalid'));
    };
    await attack();
    expect(issuer.fetches).toBe(1);
    later(31 * second);
    await attack();
    await attack();
    expect(issuer.fetches).toBe(2);
  });

  it('takes a token of a new key once it is published', async () => {
    await verify(await issuer.sign());
    const next = await newKey('next');
    issuer.published.push(next.publicJwk);
    later(31 * second);
    await expect(verify(await issuer.sign({}, {}, next))).resolves.toBeDefined();
  });

  it('says 503 while no keys can be had', async () => {
    issuer.status = 500;
    await expect(verify(await issuer.sign())).rejects.toEqual(refused('keys_unavailable', 503));
    issuer.status = 200;
    await expect(verify(await issuer.sign())).resolves.toBeDefined();
  });

  it('holds on to the keys last seen for an hour', async () => {
    await verify(await issuer.sign());
    issuer.status = 500;
    later(3000 * second);
    await expect(verify(await issuer.sign({ sub: 'b' }))).resolves.toBeDefined();
    later(3601 * second);
    await expect(verify(await issuer.sign({ sub: 'c' }))).rejects.toEqual(refused('keys_unavailable', 503));
  });

  const noKeySets = [
    ...[
      '{"keys":{}}',
      '{"keys":[]}',
      '{"keys":[null]}',
      '{"keys":["a"]}',
      '{"keys":[{}]}',
      '{}',
      '[]',
      'null',
    ],
    ...['"down"', '<html>down</html>', ''],
  ];

  it.each(noKeySets)('holds on to them where the issuer answers %j', async (body) => {
    await verify(await issuer.sign());
    issuer.body = body;
    later(301 * second);
    await expect(verify(await issuer.sign({ sub: 'b' }))).resolves.toBeDefined();
    issuer.status = 500;
    later(301 * second);
    await expect(verify(await issuer.sign({ sub: 'c' }))).resolves.toBeDefined();
    later(3601 * second);
    await expect(verify(await issuer.sign({ sub: 'd' }))).rejects.toEqual(refused('keys_unavailable', 503));
  });

  it.each(noKeySets)('says 503 where it never had any and the issuer answers %j', async (body) => {
    issuer.body = body;
    await expect(verify(await issuer.sign())).rejects.toEqual(refused('keys_unavailable', 503));
    issuer.body = undefined;
    await expect(verify(await issuer.sign())).resolves.toBeDefined();
  });

  it('that the issuer takes out of its set hold no longer than six minutes', async () => {
    await verify(await issuer.sign());
    issuer.published = [(await newKey('next')).publicJwk];
    later(299 * second);
    const last = await issuer.sign({ sub: 'b' });
    await expect(verify(last)).resolves.toBeDefined();
    later(61 * second);
    await expect(verify(last)).rejects.toEqual(refused('token_invalid'));
  });

  it('refuses a set of keys that is too large', async () => {
    issuer.body = `{"keys":[],"x":"${'x'.repeat(2 << 20)}"}`;
    await expect(verify(await issuer.sign())).rejects.toEqual(refused('keys_unavailable', 503));
  });
});

describe('the size', () => {
  it('refuses an oversized token before it is read', async () => {
    const token = await issuer.sign({ padding: 'x'.repeat(9000) });
    await expect(verify(token)).rejects.toEqual(refused('token_invalid'));
    expect(issuer.fetches).toBe(0);
  });
});

describe('what is remembered', () => {
  /** Known by its hash, and as the last one on the connection. */
  const remember = async (token: string): Promise<void> => {
    await verify(token);
    await verify(token);
  };

  it('is what each connection sent last, and nothing that another sends', async () => {
    const [ada, bob] = [await issuer.sign(), await issuer.sign({ sub: 'bob' })];
    await remember(ada);
    await remember(bob);
    await expect(verify(ada)).resolves.toMatchObject({ actor: { user: 'ada' } });
    await expect(verify(bob, verifier, {})).resolves.toMatchObject({ actor: { user: 'bob' } });
    await expect(verifier.callerOf(bearing(undefined, connection))).rejects.toMatchObject({ status: 401 });
  });

  it('is not verified again, whatever connection it comes on', async () => {
    const token = await issuer.sign();
    await remember(token);
    expect(verifier.knownOn(bearing(`Bearer ${token}`, connection))).toMatchObject({
      actor: { user: 'ada' },
    });
    expect(verifier.knownOn(bearing(`Bearer ${token}`))).toBeUndefined();
    await verify(token, verifier, {});
    expect(verifications).toBe(1);
  });

  it('is forgotten after 60 s', async () => {
    const token = await issuer.sign();
    await remember(token);
    later(59 * second);
    await remember(token);
    expect(verifications).toBe(1);
    later(2 * second);
    await remember(token);
    expect(verifications).toBe(2);
  });

  it('is forgotten when the token expires', async () => {
    const token = await issuer.sign({ exp: now() + 10 });
    await remember(token);
    later(11 * second);
    await expect(verify(token)).rejects.toEqual(refused('token_expired'));
  });

  it('is forgotten when the keys change', async () => {
    const old = await issuer.sign();
    await remember(old);
    const next = await newKey('next');
    issuer.published = [next.publicJwk];
    later(31 * second);
    await verify(await issuer.sign({}, {}, next));
    await expect(verify(old)).rejects.toEqual(refused('token_invalid'));
  });

  it('also holds refusals of the claims', async () => {
    const token = await issuer.sign({ env: ' ' });
    await expect(verify(token)).rejects.toEqual(refused('claim_invalid', 403));
    await expect(verify(token)).rejects.toEqual(refused('claim_invalid', 403));
    expect(() => verifier.knownOn(bearing(`Bearer ${token}`, connection))).toThrow('env must not be blank');
    expect(verifications).toBe(1);
  });
});
