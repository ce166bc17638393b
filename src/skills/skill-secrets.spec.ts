import { Invalid } from '../eventsourcing/errors.js';
import { refuseSecrets } from './skill-secrets.js';

const token = `ghp_${'a1B2'.repeat(9)}`;

async function refusalOf(words: object): Promise<unknown> {
  try {
    await refuseSecrets(words);
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('words of a skill', () => {
  it('pass where they hold no secret', async () => {
    const words = {
      name: 'Account Management',
      description: 'Ask for the password reset link, never for the password.',
      contentMarkdown: 'Send `Authorization: Bearer <token>`; the key is in the vault.',
      parentSkillId: null,
      config: { priority: 1, examples: ['Reset my password'] },
    };
    expect(await refusalOf(words)).toBeUndefined();
  });

  it.each([
    'Log in.\npassword: Xk29fjQ83nvB7aLp\n',
    'Set\nAPI_KEY=9f8e7d6c5b4a39281706',
    'The\n**API key**: `9f8e7d6c5b4a39281706`',
    'Use\nthe token: "Xk29fjQ83nvB7aLp"',
    'Sign with\nAKIA1234567890ABCDEF',
  ])('are refused for what its name tells: %j', async (contentMarkdown) => {
    const detail = expect.stringMatching(/^line 2 /) as string;
    expect(await refusalOf({ contentMarkdown })).toMatchObject({
      faults: [{ pointer: '/contentMarkdown', detail }],
    });
  });

  it.each([
    'password: your-password-12345',
    'API_KEY=$PRODUCTION_API_KEY_2',
    'api_key = process.env.CATALOG_KEY_1',
    'The password: at least 16 characters with 2 digits.',
    'secret: DATABASE_PASSWORD_2',
    'Tokens: input_tokens_16k_and_more',
  ])('pass where a name is given no value: %j', async (contentMarkdown) => {
    expect(await refusalOf({ contentMarkdown })).toBeUndefined();
  });

  it('are refused for a private key that is cut off', async () => {
    const refusal = await refusalOf({
      contentMarkdown: `Key:\n-----BEGIN RSA PRIVATE KEY-----\n${'MIIEow'.repeat(10)}`,
    });
    expect(refusal).toMatchObject({
      faults: [{ pointer: '/contentMarkdown', detail: 'line 2 holds what looks like a secret (privatekey)' }],
    });
    expect(
      await refusalOf({ contentMarkdown: 'It begins with -----BEGIN PRIVATE KEY----- and ends so.' }),
    ).toBeUndefined();
  });

  it('are refused with pointer, line and kind of each secret, without the secret', async () => {
    const refusal = await refusalOf({
      contentMarkdown: `# Use\n\nCall it with ${token}.\nOr postgres://admin:s3cretpassw0rd@db/accounts`,
      config: { examples: ['Close it', `With ${token}`] },
    });
    expect(refusal).toBeInstanceOf(Invalid);
    expect(refusal).toMatchObject({
      code: 'skill_contains_secret',
      faults: [
        { pointer: '/contentMarkdown', detail: expect.stringMatching(/^line 3 .*github/) as string },
        { pointer: '/contentMarkdown', detail: expect.stringMatching(/^line 4 /) as string },
        { pointer: '/config/examples/1', detail: expect.stringMatching(/^line 1 /) as string },
      ],
    });
    expect(JSON.stringify(refusal) + String(refusal)).not.toMatch(/ghp_|s3cret/);
  });

  it('are refused for the first hundred of very many secrets', async () => {
    const refusal = await refusalOf({
      contentMarkdown: `# Keys\n${'AKIAABCDEFGH23456765\n'.repeat(200_000)}`,
    });
    const { faults } = refusal as Invalid;
    expect(faults.slice(-2).map(({ detail }) => detail)).toEqual([
      'line 101 holds what looks like a secret (aws-access-key)',
      'these are the first 100 of 1000 or more faults',
    ]);
    expect(faults).toHaveLength(101);
  });
});
