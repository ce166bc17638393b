import { redacting } from './redacted-answers.js';

const { jest } = import.meta;

const secret = 'a/Secret+of=the~gateway';

async function answered(type: string, chunks: readonly string[], headers: Record<string, string> = {}) {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(Buffer.from(chunk));
      controller.close();
    },
  });
  const said = { status: 500, headers: { 'content-type': type, ...headers } };
  const fetch = redacting(() => Promise.resolve(new Response(body, said)), [secret]);
  return fetch('https://api.example');
}

const escaped = Array.from(secret, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`).join(
  '',
);
/** Some letters by their number, and the others as they are: no writing that is looked for as a whole. */
const escapedInPart = secret.replace('Se', '\\u0053\\u0065');

describe('an answer', () => {
  it.each([
    ['text/plain', ['Bearer ', secret.slice(0, 5), secret.slice(5), ' é']],
    ['application/json', [JSON.stringify({ a: [secret] })]],
    ['application/json', [`{"big": 12345678901234567890, "a": "${escaped}"}`]],
    ['application/json', [`{"a": "${secret.replace('/', '\\/')}"}`]],
    ['application/json', [`{"a": {"Bearer ${escapedInPart}": 1, "é": [{"${escaped}": null}]}}`]],
    ['text/html', [encodeURIComponent(secret)]],
    ['text/plain', [Buffer.from(`Bearer ${secret}`).toString('base64')]],
    ['application/octet-stream', ['\0', secret]],
    ['text/event-stream', ['data: a\n\ndata: ', secret.slice(0, 3), secret.slice(3), '\n\nlast ', secret]],
  ])('as %s holds no credential: %j', async (type, chunks) => {
    const answer = await answered(type, chunks);
    const text = await answer.text();
    expect(answer.status).toBe(500);
    expect(text).toContain('[redacted]');
    expect(text).not.toContain(secret);
    expect(text).not.toContain(escaped);
    expect(text).not.toContain(escapedInPart);
  });

  it('holds none in its headers, and is as it came otherwise', async () => {
    const answer = await answered('application/json', ['{"a": "\\u00e9", "b": 1.0}'], {
      'x-echo': `<${secret}>`,
    });
    expect(answer.headers.get('x-echo')).toBe('<[redacted]>');
    expect(await answer.text()).toBe('{"a": "\\u00e9", "b": 1.0}');
  });

  it('is not waited for longer than an event takes', async () => {
    let send: (text: string) => void = () => undefined;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        send = (text) => {
          controller.enqueue(Buffer.from(text));
        };
      },
    });
    const headers = { 'content-type': 'text/event-stream' };
    const fetch = redacting(() => Promise.resolve(new Response(body, { headers })), [secret]);
    const reader = (await fetch('https://api.example')).body?.getReader();
    send('data: 1\n\nda');
    const { value } = (await reader?.read()) ?? {};
    expect(Buffer.from(value ?? []).toString()).toBe('data: 1\n\n');
    await reader?.cancel();
  });

  const byNumber = (text: string, written: (code: number) => string, signs = /[^A-Za-z0-9]/g): string =>
    text.replace(signs, (sign) => written(sign.charCodeAt(0)));
  const base64 = (text: string): string => Buffer.from(text).toString('base64');

  it.each<[what: string, body: string | Buffer, left: string]>([
    ['base64', base64(secret), '[redacted]'],
    ['base64 after one byte', base64(`x${secret}`), 'eG[redacted]'],
    ['base64 after two bytes', base64(`xx${secret}xx`), 'eHh[redacted]Xh4'],
    [
      'base64 of a header',
      base64(`authorization: Bearer ${secret} and more`),
      'YXV0aG9yaXphdGlvbjog[redacted]',
    ],
    ['base64 for URLs', Buffer.from(`Bearer ${secret}`).toString('base64url'), '[redacted]'],
    ['hexadecimal', Buffer.from(secret).toString('hex'), '[redacted]'],
    [
      'a URI in small digits',
      encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
      '[redacted]',
    ],
    ['a URI with each sign by its code', encodeURIComponent(secret).replace('~', '%7E'), '[redacted]'],
    ['a form', new URLSearchParams({ a: secret }).toString(), 'a=[redacted]'],
    ['HTML', byNumber(secret, (code) => `&#${String(code)};`), '[redacted]'],
    [
      'HTML in hexadecimal',
      byNumber(secret, (code) => `&#x${code.toString(16).toUpperCase()};`),
      '[redacted]',
    ],
    ['JSON without its type', `{"a":"${escaped}"}`, '{"a":"[redacted]"}'],
    ['JSON, some signs', byNumber(secret, (code) => `\\u00${code.toString(16)}`), '[redacted]'],
    [
      'JSON within JSON',
      JSON.stringify({ a: JSON.stringify(secret).replace('/', '\\/') }),
      '{"a":"\\"[redacted]\\""}',
    ],
    ['UTF-16', Buffer.from(secret, 'utf16le'), '[redacted]'],
    ['UTF-16, the other way', Buffer.from(secret, 'utf16le').swap16(), '[redacted]'],
  ])('holds no credential in %s', async (_what, body, left) => {
    for (const type of ['text/plain', 'text/event-stream']) {
      const fetch = redacting(
        () =>
          Promise.resolve(
            new Response(new Uint8Array(Buffer.from(body)), { headers: { 'content-type': type } }),
          ),
        [secret],
      );
      expect(await (await fetch('https://api.example')).text()).toContain(left);
    }
  });

  it('is copied and looked through a few times, however small its pieces are', async () => {
    const workOf = async (count: number): Promise<number> => {
      const pieces = Array.from({ length: count }, () => 'a'.repeat(16));
      const copying = jest.spyOn(Buffer.prototype, 'copy');
      const looking = jest.spyOn(String.prototype, 'lastIndexOf');
      try {
        const answer = await answered('text/event-stream', [...pieces, secret, '\n']);
        expect((await answer.text()).length).toBe(count * 16 + '[redacted]\n'.length);
        const looked = looking.mock.contexts.map((text) => String(text).length);
        return [...copying.mock.results.map(({ value }) => Number(value)), ...looked].reduce(
          (a, b) => a + b,
          0,
        );
      } finally {
        copying.mockRestore();
        looking.mockRestore();
      }
    };
    const [some, more] = [await workOf(500), await workOf(2_000)];
    expect(more).toBeLessThan(some * 6);
  });

  it('breaks off where a line is longer than an answer may be', async () => {
    const pieces = Array.from({ length: 5 }, () => 'a'.repeat(1024 * 1024));
    const { body } = await answered('text/event-stream', ['data: 1\n', ...pieces, secret]);
    const reader = body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('data: 1\n');
    await expect(reader?.read()).rejects.toThrow('The API answers a line of more than 4194304 bytes');
  });
});
