/**
 * The body of an answer that ends with the signal of its request: `fetch` alone forgets it where the request is
 * collected as garbage while the answer goes on.
 */
export function ending(body: ReadableStream<Uint8Array>, signal: AbortSignal): ReadableStream<Uint8Array> {
  return body.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), { signal });
}
