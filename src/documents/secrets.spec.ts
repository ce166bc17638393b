import { readFlat } from '../../test/flat-endpoints.js';
import { findSecrets } from '../platform/validation/secrets.js';

/** Put together here, so that no scanner takes the test for a leak. */
const secrets: [kind: string, secret: string][] = [
  ['github', `ghp_${'a1B2'.repeat(9)}`],
  ['privatekey', `-----BEGIN PRIVATE KEY-----\n${'MIIEowIBAAKCAQEAuEPz'.repeat(3)}`],
  [
    'privatekey',
    `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEowIBAAKCAQEAuEPz\n'.repeat(20)}-----END RSA PRIVATE KEY-----`,
  ],
  ['npm', `npm_${'aB3d'.repeat(9)}`],
  ['slack', `xoxb-${'1'.repeat(12)}-${'2'.repeat(12)}-${'aB3'.repeat(8)}`],
  ['aws-access-key', `AKIAABCDEFGH23456765`],
  ['google-api-key', `AIza${'aB3-_'.repeat(7)}`],
  ['stripe-key', `sk_live_${'aB3d'.repeat(6)}`],
  ['openai-key', `sk-${'aB3d'.repeat(12)}`],
  ['openai-key', `sk-proj-${'aB3-_'.repeat(10)}`],
  ['hugging-face-token', `hf_${'aB'.repeat(17)}`],
  ['gitlab-token', `glpat-${'aB3-_'.repeat(4)}`],
  ['jwt', `eyJ${'hbGci'.repeat(4)}.eyJ${'zdWIi'.repeat(4)}.c2lnbmF0dXJl`],
];

describe('findSecrets', () => {
  it.each(secrets)('finds %s where it stands', async (kind, secret) => {
    const [found, ...others] = await findSecrets(`See ${secret} there`);
    expect(found).toMatchObject({ kind, start: 4 });
    expect(found?.end).toBe(4 + secret.length);
    expect(others).toEqual([]);
  });

  it.each([
    ['url-credentials', 'postgresql+x://', 'joe:hunter2', '@db.example.test/x'],
    ['bearer-token', 'Authorization: Bearer ', 'a1b2c3d4e5f6a7b8c9d0', ' end'],
    ['basic-credentials', 'Authorization: Basic ', 'am9lOmh1bnRlcjI=', ''],
  ])('finds %s, and leaves what stands around it', async (kind, before, secret, after) => {
    const [found] = await findSecrets(before + secret + after);
    expect(found).toEqual({ kind, start: before.length, end: before.length + secret.length });
  });

  it.each([
    'Bearer authentication is required for every request to this endpoint.',
    'Use Basic authentication.',
    'https://example.test:8080/path@2x.png',
    'urn:uuid:f3e0e76e-e4a8-466e-ab9c-ae36c15b8e97',
    'secretlint-disable',
    'Use the classes sk-loading-indicator-with-three-bouncing-dots and hf_tokenizer.',
  ])('finds none in: %s', async (text) => {
    expect(await findSecrets(text)).toEqual([]);
  });

  it.each([
    ['AWS', ['AKIAIOSFODNN7', 'EXAMPLE'].join('')],
    ['AWS, the secret', ['wJalrXUtnFEMI/K7MDENG/bPxRfiCY', 'EXAMPLEKEY'].join('')],
    ['Stripe', ['sk_test', '4eC39HqLyjWDarjtT1zdp7dc'].join('_')],
    ['RFC 7617', ['Authorization: Basic', 'QWxhZGRpbjpvcGVuIHNlc2FtZQ=='].join(' ')],
    [
      'jwt.io',
      [
        'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9',
        'eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ',
        'SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c',
      ].join('.'),
    ],
  ])('takes an example that a manual prints for none: %s', async (_, example) => {
    expect(await findSecrets(`For example ${example} here`)).toEqual([]);
  });

  it('finds what stands in another word, after what only begins like it, and far down a long text', async () => {
    const jwt = `eyJ${'hbGci'.repeat(4)}.eyJ${'zdWIi'.repeat(4)}.c2lnbmF0dXJl`;
    const key = `sk-${'aB3d'.repeat(12)}`;
    const text = `${'eyJ-'.repeat(60_000)} token-${jwt} ${'sk-a '.repeat(6_000)}sk-ant-x-${key} ${'x\n'.repeat(9)}${jwt}`;
    expect((await findSecrets(text)).map(({ start, end }) => text.slice(start, end))).toEqual([
      jwt,
      key,
      jwt,
    ]);
    for (let at = 262_100; at < 262_150; at += 7) {
      expect(await findSecrets(`${' '.repeat(at)}${jwt} and more`)).toEqual([
        { kind: 'jwt', start: at, end: at + jwt.length },
      ]);
    }
  });

  it('can not be switched off by a comment', async () => {
    expect(await findSecrets(`/* secretlint-disable */ ghp_${'a1B2'.repeat(9)}`)).toHaveLength(1);
  });
});

describe('secrets of a document', () => {
  const token = `ghp_${'a1B2'.repeat(9)}`;
  const random = 'fT7x9Qz2Lm4Vb8Nc';

  it('go from wherever they stand, each with its place', async () => {
    const document = {
      openapi: '3.1.0',
      info: { title: 'A', description: `One ${token}, two ${token}.` },
      servers: [{ url: 'https://joe:hunter2secret@api.example.test' }],
      paths: {
        [`/hooks/${token}`]: {
          get: {
            parameters: [
              {
                name: 'X-Api-Key',
                in: 'header',
                example: random,
                schema: { type: 'string', default: random },
              },
              { name: 'page', in: 'query', example: random },
            ],
            requestBody: {
              content: {
                'application/json': {
                  schema: {
                    type: 'object',
                    properties: { password: { type: 'string', example: random }, note: { example: random } },
                  },
                },
              },
            },
          },
        },
      },
    };
    const { text, warnings, endpoints } = await readFlat(document, { format: 'auto' });
    for (const secret of [token, 'hunter2secret']) expect(text).not.toContain(secret);
    expect(text).toContain('One [redacted:github], two [redacted:github].');
    expect(text.split(random)).toHaveLength(3);
    expect(endpoints[0]?.path).toBe('/hooks/[redacted:github]');
    expect(JSON.stringify(endpoints[0]?.extras)).toContain('[redacted:url-credentials]@api.example.test');
    expect(warnings.map(({ code, pointer }) => [code, pointer.split('/').slice(-2).join('/')])).toEqual(
      expect.arrayContaining([
        ['secret_redacted', 'info/description'],
        ['secret_redacted', '0/url'],
        ['secret_redacted', '/paths'],
        ['secret_redacted', '0/example'],
        ['secret_redacted', 'password/example'],
      ]),
    );
  });
});
