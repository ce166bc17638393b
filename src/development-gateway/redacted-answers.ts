/**
 * Takes the credential that a call goes out with out of what comes back: an API that repeats it must not hand it to the model.
 *
 * It is found as it is, in base64 (of both alphabets, wherever in the encoded text it stands, but for the outermost bits), in
 * hexadecimal, in UTF-16, and as URIs, forms, HTML and JSON write it. What an API does to it on purpose stays: other case, signs between its signs, parts on
 * several lines, encodings within encodings. That is a limit: such an API has the credential anyway, and can send it wherever it likes.
 */
import { isObject } from '../documents/json.js';
import type { OutboundSession } from '../platform/network/outbound.js';

type Fetch = OutboundSession['fetch'];

const REDACTED = '[redacted]';
/** Characters of a credential at least: a shorter one is no secret, and stands in any text. */
const MIN_LENGTH = 4;
/** Bytes of an event's line at most, as of a whole answer: it is kept until it ends, since a secret may stand in any pieces of it. */
const MAX_LINE = 4 * 1024 * 1024;

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

/** How an answer may write a secret, as bytes in latin1. */
function writings(secret: string): readonly string[] {
  if (secret.length < MIN_LENGTH) return [];
  const bytes = Buffer.from(secret);
  const uri = encodeURIComponent(secret);
  const base64 = (text: string): string => Buffer.from(text).toString('base64').replace(/=+$/, '');
  const texts = [
    secret,
    ...[uri, encodeURI(secret), new URLSearchParams({ '': secret }).toString().slice(1)].flatMap(asUri),
    secret.replaceAll('/', String.raw`\/`),
    secret.replaceAll('/', String.raw`\\/`),
    JSON.stringify(secret).slice(1, -1),
    ...byNumber(secret, /[^]/g),
    ...byNumber(secret, /[^A-Za-z0-9]/g),
    secret.replace(/[&<>"']/g, (sign) => namedEntities[sign] ?? sign),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    ...[secret, `Bearer ${secret}`].map(base64),
    ...inBase64(bytes),
    ...inBase64(Buffer.from(uri)),
  ];
  const utf16 = Buffer.from(secret, 'utf16le');
  return [
    ...texts.map((text) => Buffer.from(text).toString('latin1')),
    utf16.toString('latin1'),
    Buffer.from(utf16).swap16().toString('latin1'),
  ];
}

const namedEntities: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;' },
  ...{ '"': '&quot;', "'": '&#39;' },
};

/** Signs by their number, as JSON and HTML write them. */
function byNumber(secret: string, signs: RegExp): readonly string[] {
  const written = (each: (code: number) => string): string =>
    secret.replace(signs, (sign) => each(sign.charCodeAt(0)));
  const hex = (code: number): string => code.toString(16);
  return [
    written((code) => `\\u${hex(code).padStart(4, '0')}`),
    written((code) => `\\u${hex(code).padStart(4, '0').toUpperCase()}`),
    written((code) => `&#${String(code)};`),
    written((code) => `&#x${hex(code)};`),
    written((code) => `&#x${hex(code).toUpperCase()};`),
  ];
}

/** With the signs that some encode and others don't, and digits in either case. */
const asUri = (uri: string): readonly string[] => {
  const all = uri.replace(/[!'()*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  return [uri, all].flatMap((each) => [each, each.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())]);
};

/**
 * The signs of base64 that are of these bytes alone, for each place that they may have in what is encoded (three bytes are four signs):
 * what stands before and after has no part in them. Of those at the ends at most six bits of a byte are told.
 */
function inBase64(bytes: Buffer): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const first = Math.ceil((before * 8) / 6);
    const signs = encoded.slice(first, Math.floor(((before + bytes.length) * 8) / 6));
    return [signs, signs.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** JSON may write any character of a secret by its number, in names as in texts. */
function unescaped(
  body: Buffer<ArrayBuffer>,
  redacted: (text: string) => string,
): Buffer<ArrayBuffer> | string {
  if (!body.includes(String.raw`\u`)) return body;
  const found: string[] = [];
  const plain = (text: string): string => {
    const left = redacted(text);
    if (left !== text) found.push(left);
    return left;
  };
  try {
    const value: unknown = JSON.parse(body.toString(), (_name, member: unknown) => {
      if (typeof member === 'string') return plain(member);
      if (!isObject(member)) return member;
      return Object.fromEntries(Object.entries(member).map(([name, item]) => [plain(name), item]));
    });
    return found.length > 0 ? JSON.stringify(value) : body;
  } catch {
    // What can't be parsed is told as it is.
    return body;
  }
}

/** Events are lines, each of which goes on as soon as it is whole. One that does not end breaks the answer off. */
function byLine(redacted: (text: string) => string): TransformStream<Uint8Array, Uint8Array> {
  const open = new OpenLine();
  const sent = (text: string): Uint8Array => Buffer.from(redacted(text), 'latin1');
  return new TransformStream({
    transform(chunk, controller) {
      const piece = Buffer.from(chunk);
      const end = Math.max(piece.lastIndexOf('\n'), piece.lastIndexOf('\r')) + 1;
      if (end > 0) controller.enqueue(sent(open.taken() + piece.toString('latin1', 0, end)));
      open.add(piece.subarray(end));
      if (open.length > MAX_LINE)
        throw new Error(
          `The API answers a line of more than ${String(MAX_LINE)} bytes in a stream of events.`,
        );
    },
    flush(controller) {
      if (open.length > 0) controller.enqueue(sent(open.taken()));
    },
  });
}

/** What came of a line so far. However small its pieces are, all of them together are copied a few times. */
class OpenLine {
  length = 0;
  private kept = Buffer.alloc(1_024);

  add(piece: Buffer): void {
    const length = this.length + piece.length;
    if (length > this.kept.length) {
      const larger = Buffer.alloc(2 * length);
      this.kept.copy(larger, 0, 0, this.length);
      this.kept = larger;
    }
    piece.copy(this.kept, this.length);
    this.length = length;
  }

  /** The text, in latin1; there is none any more. */
  taken(): string {
    const text = this.kept.toString('latin1', 0, this.length);
    this.length = 0;
    return text;
  }
}
