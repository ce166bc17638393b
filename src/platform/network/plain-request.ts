/** Sends requests: by `fetch`, or what HTTP allows and `fetch` does not (GET and HEAD with a body, and TRACE). */
import { ReadableStream } from 'node:stream/web';
import { fetch, Headers, type RequestInit, Response } from 'undici';

/** A request that can't be made at all: nothing of it was sent. */
export class UnsendableRequest extends Error {}

/** Sends one request, and follows no redirect where that is said. Throws what `fetch` throws, and UnsendableRequest. */
export async function send(url: URL, init: RequestInit): Promise<Response> {
  try {
    return await (isPlain(init) ? plainRequest(url, init) : fetch(url, init));
  } catch (error) {
    // Of a connection that fails, undici says the cause.
    if (!(error instanceof Error) || error.name !== 'TypeError' || error.cause !== undefined) throw error;
    throw new UnsendableRequest(error.message, { cause: error });
  }
}

function isPlain({ method = 'GET', body }: RequestInit): boolean {
  return /^TRACE$/i.test(method) || (/^(GET|HEAD)$/i.test(method) && body !== undefined && body !== null);
}

/** Statuses of answers that have no body. */
const bodiless = new Set([101, 103, 204, 205, 304]);

/** Sends one request, of which the body is a text or bytes, through the dispatcher; follows no redirect. */
async function plainRequest(url: URL, init: RequestInit): Promise<Response> {
  const { method = 'GET', headers, body, signal, dispatcher } = init;
  if (dispatcher === undefined) throw new TypeError('A plain request needs its dispatcher.');
  const answer = await dispatcher.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: method.toUpperCase(),
    headers: Object.fromEntries(new Headers(headers)),
    body: typeof body === 'string' || body instanceof Uint8Array ? body : null,
    signal: signal ?? null,
  });
  // Whoever reads the body is given its error; nobody may read it.
  answer.body.on('error', () => undefined);
  const status = answer.statusCode;
  const isEmpty = bodiless.has(status) || method.toUpperCase() === 'HEAD';
  if (isEmpty) await answer.body.dump();
  const read = Object.entries(answer.headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((each): [string, string] => [name, each]),
  );
  return new Response(isEmpty ? null : ReadableStream.from(answer.body), {
    status,
    headers: read,
  });
}
