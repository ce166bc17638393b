/** Something that came as a catalog and is none. `what` follows "The catalog can't be used: ". */
export class FaultyCatalog extends Error {
  constructor(what: string) {
    super(`The catalog can't be used: ${what}.`);
  }
}

/** The catalog could not be asked, or its answer is of no use. What is known of it may still be used for a while. */
export class CatalogUnavailable extends Error {
  constructor(
    message: string,
    /** When to ask again at the earliest, if the service said so. */
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }
}

/** The catalog says that this token is given nothing (any more): what is known of it must not be used either. */
export class CatalogRefused extends Error {}

/** The gateway could not be asked for its tools, or its answer is of no use. */
export class GatewayUnavailable extends Error {}

/** The message of a fault of whatever kind, without its causes, which may hold text from outside. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What the work gives; throws the signal's reason where that comes first, whether or not the work heeds it. */
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

/** What answers with more than this is cut off: it is no catalog, and no answer of a tool that a model could read. */
const MAX_BYTES = 16 * 1024 * 1024;

/** A fetch whose answers fail where they grow beyond the limit, whatever their length claims to be. */
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
    return new Response(body.pipeThrough(counted), { status, statusText, headers });
  };
}

const firstMs = 1_000;
const lastMs = 60_000;

/** Ever longer pauses between attempts; half of each is chance, so that many agents do not come back at once. */
export class Backoff {
  private failures = 0;

  /** Milliseconds to wait after one more failure; at least what the service asks for, up to a minute. */
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
