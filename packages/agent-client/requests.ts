/** An invalid catalog. `what` follows "The catalog can't be used: ". */
export class FaultyCatalog extends Error {
  constructor(what: string) {
    super(`The catalog can't be used: ${what}.`);
  }
}

/** The catalog did not answer, or not usably. The known one may still be used for a while. */
export class CatalogUnavailable extends Error {
  constructor(
    message: string,
    /** Seconds after which to ask again, if the service said so. */
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }
}

/** The catalog refuses the token: the known catalog must not be used either. */
export class CatalogRefused extends Error {}

/** The gateway did not list its tools, or not usably. */
export class GatewayUnavailable extends Error {}

/** The message of a fault of whatever kind, without its causes, which may hold text from outside. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The message of the innermost cause: `fetch failed` says less than `connect ECONNREFUSED`. */
export function reasonOf(error: unknown): string {
  const { cause, code } = error as { cause?: unknown; code?: unknown };
  if (cause instanceof Error) return reasonOf(cause);
  // Of several addresses that were tried, none has a message of its own.
  return messageOf(error) || (typeof code === 'string' ? code : 'no answer');
}

/** Waits for the work, or throws the signal's reason where that comes first. */
export function inTime<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      reject(signal.reason as Error);
    };
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', stop);
    });
  });
}

/**
 * Aborts after so many milliseconds, or with `stop`. AbortSignal.timeout() joined with another signal is collected as
 * garbage, and never aborts.
 */
export function limited(milliseconds: number, stop: AbortSignal): AbortSignal {
  const late = new AbortController();
  setTimeout(() => {
    late.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
  }, milliseconds).unref();
  return AbortSignal.any([late.signal, stop]);
}

/** Bytes of an answer. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Makes a fetch whose answers fail beyond the limit, and end with their signal: Node's own forgets it where the request
 * is collected as garbage while the answer goes on.
 */
export function limitedFetch(inner: typeof fetch, limit = MAX_BYTES): typeof fetch {
  return async (input, init) => {
    const response = await inner(input, init);
    const { body, status, statusText, headers } = response;
    if (body === null) return response;
    let seen = 0;
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        seen += chunk.byteLength;
        if (seen > limit) controller.error(new Error(`The answer is larger than ${limit} bytes.`));
        else controller.enqueue(chunk);
      },
    });
    const whole = init?.signal ? { signal: init.signal } : {};
    return new Response(body.pipeThrough(counted, whole), { status, statusText, headers });
  };
}

const firstMs = 1_000;
const lastMs = 60_000;

/** Growing pauses between attempts, half of them random, so that many agents do not come back at once. */
export class Backoff {
  private failures = 0;

  /** Milliseconds to wait after a failure; at least what the service asks for, up to a minute. */
  next(askedSeconds = 0): number {
    const doubled = Math.min(firstMs * 2 ** this.failures, lastMs);
    this.failures += 1;
    return Math.max(doubled * (0.5 + Math.random() / 2), Math.min(askedSeconds * 1000, lastMs));
  }

  get hasFailed(): boolean {
    return this.failures > 0;
  }

  reset(): void {
    this.failures = 0;
  }
}
