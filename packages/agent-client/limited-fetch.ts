/** What answers with more than this is cut off: it is no catalog, and no answer of a tool that a model could read. */
export const mostBytes = 16 * 1024 * 1024;

/** A fetch whose answers fail where they grow beyond the limit, whatever their length claims to be. */
export function limitedFetch(inner: typeof fetch, most = mostBytes): typeof fetch {
  return async (input, init) => {
    const response = await inner(input, init);
    const { body, status, statusText, headers } = response;
    if (body === null) return response;
    let seen = 0;
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        seen += chunk.byteLength;
        if (seen > most) controller.error(new Error(`The answer is larger than ${most} bytes.`));
        else controller.enqueue(chunk);
      },
    });
    return new Response(body.pipeThrough(counted), { status, statusText, headers });
  };
}
