/** Takes the credential that a call goes out with out of what comes back: an API that repeats it must not hand it to the model. */
import type { OutboundSession } from '../platform/network/outbound.js';

type Fetch = OutboundSession['fetch'];

const REDACTED = '[redacted]';
/** Characters of a credential at least: a shorter one is no secret, and stands in any text. */
const MIN_LENGTH = 4;

/** The same as `fetch`, whose answers hold none of the secrets: not in their bodies, nor in their headers. */
export function redacting(fetch: Fetch, secrets: readonly string[]): Fetch {
  const written = [...new Set(secrets.flatMap(writings))].sort((a, b) => b.length - a.length);
  if (written.length === 0) return fetch;
  const redacted = (text: string): string =>
    written.reduce((left, secret) => left.replaceAll(secret, REDACTED), text);
  return async (target, init) => {
    const answer = await fetch(target, init);
    const { status } = answer;
    const headers = [...answer.headers]
      .filter(([name]) => name !== 'content-length')
      .map(([name, value]): [string, string] => [name, redacted(value)]);
    const said = { status, statusText: redacted(answer.statusText), headers };
    if (answer.body === null) return new Response(null, said);
    const type = answer.headers.get('content-type') ?? '';
    if (/^text\/event-stream\b/i.test(type))
      return new Response(answer.body.pipeThrough(byLine(redacted)), said);
    const plain = redacted(Buffer.from(await answer.arrayBuffer()).toString('latin1'));
    const body = Buffer.from(plain, 'latin1');
    return new Response(/[/+]json\b/i.test(type) ? unescaped(body, redacted) : body, said);
  };
}

/** How an answer may write a secret. */
function writings(secret: string): readonly string[] {
  if (secret.length < MIN_LENGTH) return [];
  const base64 = (text: string): string => Buffer.from(text).toString('base64').replace(/=+$/, '');
  const encoded = [secret, `Bearer ${secret}`].map(base64);
  return [secret, encodeURIComponent(secret), secret.replaceAll('/', String.raw`\/`), ...encoded];
}

/** JSON may write any character of a secret by its number. */
function unescaped(
  body: Buffer<ArrayBuffer>,
  redacted: (text: string) => string,
): Buffer<ArrayBuffer> | string {
  if (!body.includes(String.raw`\u`)) return body;
  const found: string[] = [];
  try {
    const value: unknown = JSON.parse(body.toString(), (_name, member: unknown) => {
      if (typeof member !== 'string' || redacted(member) === member) return member;
      found.push(member);
      return redacted(member);
    });
    return found.length > 0 ? JSON.stringify(value) : body;
  } catch {
    // What can't be parsed is told as it is.
    return body;
  }
}

/** Events are lines, each of which goes on as soon as it is whole. */
function byLine(redacted: (text: string) => string): TransformStream<Uint8Array, Uint8Array> {
  let open = '';
  const sent = (text: string): Uint8Array => Buffer.from(redacted(text), 'latin1');
  return new TransformStream({
    transform(chunk, controller) {
      open += Buffer.from(chunk).toString('latin1');
      const end = Math.max(open.lastIndexOf('\n'), open.lastIndexOf('\r')) + 1;
      if (end === 0) return;
      controller.enqueue(sent(open.slice(0, end)));
      open = open.slice(end);
    },
    flush(controller) {
      if (open !== '') controller.enqueue(sent(open));
    },
  });
}
