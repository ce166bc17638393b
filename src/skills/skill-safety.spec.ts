import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { corpus, describeWithCorpus, readCorpus } from '../../test/import-laws.js';
import { Invalid } from '../kernel/errors.js';
import { refuseUnsafe, refuseUnsafeFiles, refuseSecrets } from './skill-safety.js';

const of = { visibility: { hostId: 'host' } };

/** Line and kind of what is refused; empty where the words pass. */
async function refusedIn(contentMarkdown: string): Promise<string[]> {
  try {
    await refuseUnsafe({ contentMarkdown }, of);
    return [];
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    return error.faults.map(({ detail }) => detail.replace(/^line (\d+) .* \((.*?)\).*$/, '$1 $2'));
  }
}

describe('content of a skill', () => {
  it.each([
    ['# a\n<script>alert(1)</script>\n', '2 script'],
    ['Some <SCRIPT src=x> here', '1 script'],
    ['<div>\n<iframe src="https://a.example"></iframe></div>', '2 iframe'],
    ['<object data="x.swf"></object>', '1 object'],
    ['one\ntwo <img src="x"\n onerror="alert(1)"> three', '2 event-handler'],
    ['<!--><script>alert(1)</script>-->', '1 script'],
    ["<svg/onload='alert(1)'>", '1 event-handler'],
    ['for who decodes it first: &lt;script&gt;alert(1)&lt;/script&gt;', '1 script'],
    ['a\n- b <svg/onload=alert(1)>', '2 event-handler'],
    ['<svg><style><img src=x onerror=alert(1)></style></svg>', '1 event-handler'],
    ['<noscript><img src=x onerror=alert(1)></noscript>', '1 event-handler'],
    ['<![CDATA[><script>alert(1)</script>]]>', '1 script'],
    ['<textarea>\n<iframe src=x>', '2 iframe'],
    ['&lt;img src=x onerror=alert(1)', '1 event-handler'],
    ["<img title='a' onload", '1 event-handler'],
    ['<img/src/onerror=alert(1)>', '1 event-handler'],
    ['<!-- a --!><script>', '1 script'],
    ['[a](javascript:alert(1))', '1 script-link'],
    ['one\n[a]\n\n[a]: JavaScript:alert(1)', '2 script-link'],
    ['<a href="java&#115;cript:alert(1)">x</a>', '1 script-link'],
    ['[a](java&#x09;script:alert(1))', '1 script-link'],
    ['![a](data:text/html;base64,PHNjcmlwdD4=)', '1 script-link'],
    ['<javascript:alert(1)>', '1 script-link'],
    ['a\nPay \u202Eevil\u202C now', '2 bidi-control'],
    ['zero\u200Bwidth', '1 invisible-character'],
    ['a \u{E0069}\u{E0067}\u{E006E}', '1 invisible-character'],
    ['x\u{FE01}\u{FE02}\u{FE03}', '1 invisible-character'],
    ['x\u{E0163}', '1 invisible-character'],
    ['a\nb \u001B[2K', '2 control-character'],
    ['a\nb \u009B2K', '2 control-character'],
    ['\u{1F3F4}\u{E0061}\u{E007F}', '1 invisible-character'],
    ['\u1820\u180B\u180C', '1 invisible-character'],
    ['x\u180B', '1 invisible-character'],
    ['x\u{E0FFF}', '1 invisible-character'],
  ])('is refused: %j', async (content, refused) => {
    expect(await refusedIn(content)).toEqual([refused]);
  });

  it.each([
    'Write `<script>` as code, and `[a](javascript:x)`.',
    '```html\n<script>alert(1)</script>\n<img onerror="x">\n```\n',
    '<details>\n<summary>More</summary>\n\n- one\n\n</details>',
    'Run <path only> <N once> with <object>.',
    '<!-- a note with <script> in it -->\nText <b class="x">bold</b><br>',
    '[a](https://a.example/javascript:x) ![i](data:image/png;base64,AA==) <a href="mailto:a@b.example">m</a>',
    '\uFEFFText 👩‍💻 ❤️ 🏴󠁧󠁢󠁳󠁣󠁴󠁿 می‌خواهم',
    'Tabs\tand\r\nlines\u0085and more',
    'Don\u0092t \u0093quote\u0094 \u0096 as a reader of another encoding did\u0080',
    'API\u200cها \u061c-١٢ \u200fשלום ᠮᠠ\u180bᠩ Stra\u034fuss ភាសាខ្មែរ 🏴󠁧󠁢󠁥󠁮󠁧󠁿🏴󠁧󠁢󠁷󠁬󠁳󠁿 ❤️\u200d🔥',
  ])('passes: %j', async (content) => {
    expect(await refusedIn(content)).toEqual([]);
  });

  it.each(Array.from('\u0090\u0098\u009B\u009C\u009D\u009E\u009F'))(
    'is refused for what begins or ends a sequence of a terminal: %j',
    async (character) => {
      expect(await refusedIn(`a${character}b`)).toEqual(['1 control-character']);
    },
  );

  it('is refused by each character that is to be removed, once a line', async () => {
    const faults = [
      'line 2 holds what runs or hides (invisible-character): remove U+200B, U+E0041',
      'line 1 holds what runs or hides (control-character): remove U+009B',
    ].map((detail) => ({ pointer: '/contentMarkdown', detail }));
    const contentMarkdown = '\u009B2K\u009B\na\u200B\u200B\u{E0041}';
    await expect(refuseUnsafe({ contentMarkdown }, of)).rejects.toMatchObject({ faults });
  });

  it('is looked through as fully where it is long', async () => {
    const long = 'A line.\n'.repeat(20_000);
    expect(await refusedIn(`${long}<script>`)).toEqual(['20001 script']);
    expect(await refusedIn(`${long}\`<script>\``)).toEqual([]);
    const many = await refusedIn(`${long}${'<b onclick=x>\n'.repeat(200)}`);
    expect([many.length, many.at(-1)]).toEqual([101, 'these are the first 100 of 200 faults']);
  });

  it('is refused by pointer: whatever agents are shown and Markdown files too, other files for what hides only', async () => {
    const refusal = (pointer: string) =>
      expect.objectContaining({
        code: 'skill_contains_unsafe_text',
        faults: [expect.objectContaining({ pointer })],
      }) as Error;
    const script = '<script>alert(1)</script>';
    await expect(refuseUnsafe({ description: script }, of)).rejects.toThrow(refusal('/description'));
    for (const text of [script, '<img src=x onerror=alert(1)>', '[a](javascript:alert(1))']) {
      for (const name of ['notes', 'approvalWorkflow', 'semanticNamespace'])
        await expect(refuseUnsafe({ config: { [name]: text } }, of)).rejects.toThrow(
          refusal(`/config/${name}`),
        );
      for (const name of ['examples', 'domains'])
        await expect(refuseUnsafe({ config: { [name]: ['a', text] } }, of)).rejects.toThrow(
          refusal(`/config/${name}/1`),
        );
    }
    await expect(refuseUnsafeFiles({ 'references/a.md': script }, of)).rejects.toThrow(
      refusal('/references~1a.md'),
    );
    await expect(refuseUnsafeFiles({ 'assets/a.html': script }, of)).resolves.toEqual([]);
    await expect(refuseUnsafeFiles({ 'run.sh': 'a\u202E' }, of)).rejects.toThrow(refusal('/run.sh'));
  });
});

describeWithCorpus('skills of the corpus', () => {
  it('pass', async () => {
    for (const folder of readdirSync(join(corpus, 'skills')))
      expect([
        folder,
        await refusedIn(Buffer.from(readCorpus(`skills/${folder}/SKILL.md`)).toString()),
      ]).toEqual([folder, []]);
  });
});

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

describe('an example in words of a skill', () => {
  const key = 'password: Xk29fjQ83nvB7aLp';
  const mark = 'accepted-finding: credential';

  it.each([
    `Log in.\n<!-- ${mark} -->\n${key}`,
    `Log in with ${key} <!-- ${mark}, from the manual -->`,
    `\`\`\`sh\n# ${mark}\n${key}\n\`\`\``,
    `# ${mark}\r\n${key}\r\n`,
    `// accepted-finding: privatekey\n-----BEGIN PRIVATE KEY-----\n${'ab+/'.repeat(16)}\n${'cd+/'.repeat(16)}`,
  ])('passes at the word of its author: %j', async (contentMarkdown) => {
    const [accepted, ...more] = await refuseSecrets({ contentMarkdown });
    expect([accepted?.pointer, more]).toEqual(['/contentMarkdown', []]);
    expect(accepted?.detail).toMatch(/^line \d+ .* its author says that it is an example$/);
  });

  it.each([
    `<!-- ${mark} -->\n\n${key}`,
    `${key}\n<!-- ${mark} -->`,
    `<!-- accepted-finding: github -->\n${key}`,
    `<!-- accepted-finding: credential-x -->\n${key}`,
    `<!-- accepted-finding -->\n${key}`,
    `<!-- ${mark} -->\nSend ${token}`,
  ])('is refused where the word is about something else: %j', async (contentMarkdown) => {
    expect(await refusalOf({ contentMarkdown })).toMatchObject({ code: 'skill_contains_secret' });
  });

  it('is told how to be taken', async () => {
    expect(await refusalOf({ contentMarkdown: key })).toMatchObject({
      message: expect.stringContaining('<!-- accepted-finding: credential -->') as string,
    });
  });

  it('may not run or hide, whatever its author says', async () => {
    const contentMarkdown = '<!-- accepted-finding: script -->\n<script>alert(1)</script>';
    expect(await refusedIn(contentMarkdown)).toEqual(['2 script']);
  });
});
