import { redacting } from './redacted-answers.js';

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

describe('an answer', () => {
  it.each([
    ['text/plain', ['Bearer ', secret.slice(0, 5), secret.slice(5), ' é']],
    ['application/json', [JSON.stringify({ a: [secret] })]],
    ['application/json', [`{"big": 12345678901234567890, "a": "${escaped}"}`]],
    ['application/json', [`{"a": "${secret.replace('/', '\\/')}"}`]],
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
});
