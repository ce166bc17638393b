import { lookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import { Agent, type RequestInit as UndiciRequestInit } from 'undici';
import { inSpan, type Said, traceHeaders } from '../../kernel/spans.js';
import { CONFIG, type Config } from '../config/config.js';
import { ending } from './ending.js';
import { OutboundRules } from './outbound-rules.js';
import { send, UnsendableRequest } from './plain-request.js';

/** The one way out: whatever the service connects to, other than its database and its token issuer, goes through here. */
@Injectable()
export class Outbound {
  private readonly rules: OutboundRules;

  constructor(@Inject(CONFIG) { outboundAllow }: Pick<Config, 'outboundAllow'>) {
    this.rules = new OutboundRules(outboundAllow);
  }

  /** Lets `work` send requests to the origin of `url`, and ends them all when it is done. */
  async with<T>(
    url: URL,
    limits: OutboundLimits,
    work: (session: OutboundSession) => Promise<T>,
  ): Promise<T> {
    const session = new OutboundSession(url, this.rules, limits);
    try {
      return await work(session);
    } finally {
      await session.close();
    }
  }
}

export interface OutboundLimits {
  /** Milliseconds from the first to the last byte of all requests together. */
  readonly timeMs: number;
  /** Most bytes of all answers together, unpacked. */
  readonly bytes: number;
}

/**
 * Requests to one origin, under the guard: a name is resolved, all its addresses are checked, and the connection goes to
 * one of them and no other (so that a second look-up can't lead elsewhere). No redirect is followed, and time and size
 * are limited for the session as a whole. Close it when done.
 */
export class OutboundSession {
  /** The first fault, for callers whose library wraps it beyond recognition. */
  fault: OutboundFault | undefined;
  private readonly agent: Agent;
  private readonly ended = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private closed = false;
  private readonly origin: string;
  private received = 0;

  constructor(
    url: URL,
    private readonly rules: OutboundRules,
    private readonly limits: OutboundLimits,
    resolve: Resolve = lookup,
  ) {
    this.origin = url.origin;
    // Not AbortSignal.timeout(): joined with another signal it is collected as garbage, and never aborts.
    this.timer = setTimeout(() => {
      this.ended.abort(new DOMException('The session took too long.', 'TimeoutError'));
    }, limits.timeMs).unref();
    this.agent = new Agent({
      connect: { lookup: checkedLookup(rules, resolve), timeout: limits.timeMs },
      headersTimeout: limits.timeMs,
      bodyTimeout: limits.timeMs,
      maxHeaderSize: 16_384,
    });
  }

  /**
   * Like the global `fetch`, but sends a GET with a body, too. Throws OutboundFault, or AbortError where the caller's own signal ended
   * the request.
   */
  readonly fetch = (target: string | URL, init: RequestInit = {}): Promise<Response> => {
    const method = init.method ?? 'GET';
    const said = (): Said => ({
      name: method,
      kind: 'client',
      attributes: { 'http.request.method': method, 'server.address': new URL(this.origin).hostname },
    });
    return inSpan(said, async (span) => {
      const answer = await this.fetched(target, init);
      span?.set({ 'http.response.status_code': answer.status });
      return answer;
    });
  };

  private async fetched(target: string | URL, init: RequestInit): Promise<Response> {
    try {
      const url = this.checked(new URL(target));
      const { signal: own } = this.ended;
      const signal = init.signal ? AbortSignal.any([own, init.signal]) : own;
      const options = {
        ...init,
        headers: continuing(init.headers),
        signal,
        redirect: 'manual',
        dispatcher: this.agent,
      } as UndiciRequestInit;
      const answer = await send(url, options);
      if (answer.status >= 300 && answer.status < 400 && answer.status !== 304) {
        await answer.body?.cancel();
        throw new OutboundFault('redirected', `${this.origin} redirects elsewhere, which is not followed.`);
      }
      const { status, statusText } = answer;
      const headers = [...answer.headers].filter(([name]) => name !== 'content-encoding');
      const body = answer.body as ReadableStream<Uint8Array> | null;
      return new Response(this.counted(body && ending(body, signal)), { status, statusText, headers });
    } catch (error) {
      throw this.noted(error);
    }
  }

  /** Ends what is still under way. */
  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    this.ended.abort();
    await this.agent.destroy();
  }

  private checked(url: URL): URL {
    if (url.protocol !== 'https:' && url.protocol !== 'http:')
      throw new OutboundFault('refused', `${url.protocol} is not spoken here, only https and http.`);
    if (url.origin !== this.origin)
      throw new OutboundFault('refused', `${url.origin} is another place than ${this.origin}.`);
    // An address is not looked up, so it is checked here.
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(host) !== 0 && !this.rules.admits(host, host)) throw forbidden(host);
    return url;
  }

  private counted(body: ReadableStream<Uint8Array> | null): ReadableStream<Uint8Array> | null {
    if (body === null) return null;
    const reader = body.getReader();
    return new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read();
          if (done) {
            controller.close();
            return;
          }
          this.received += value.byteLength;
          if (this.received > this.limits.bytes) throw this.tooLarge();
          controller.enqueue(value);
        } catch (error) {
          controller.error(this.noted(error));
          await reader.cancel().catch(() => undefined);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    });
  }

  private tooLarge(): OutboundFault {
    return new OutboundFault(
      'too_large',
      `${this.origin} answers more than ${String(this.limits.bytes)} bytes.`,
    );
  }

  /** Counts nothing that was broken off by the caller, or because the session was closed. */
  private noted(error: unknown): unknown {
    // The caller has given up its own request: that says nothing of the place that was asked.
    if (isAbort(error) && !this.ended.signal.aborted) return error;
    const fault = outboundFault(error, this.origin);
    if (!this.closed) this.fault ??= fault;
    return fault;
  }
}

/** The headers, with those by which the trace goes on where there is one. */
function continuing(headers: RequestInit['headers']): RequestInit['headers'] {
  const trace = Object.entries(traceHeaders());
  if (trace.length === 0) return headers;
  const all = new Headers(headers);
  for (const [name, value] of trace) all.set(name, value);
  return all;
}

function isAbort(error: unknown): boolean {
  return causesOf(error).some((link) => memberOf(link, 'name') === 'AbortError');
}

/** Finds all addresses of a name. */
type Resolve = (
  host: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

function checkedLookup(rules: OutboundRules, resolve: Resolve): LookupFunction {
  return (host, options, callback) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error !== null) {
        callback(error, '', 0);
        return;
      }
      const [first = { address: '', family: 0 }] = addresses;
      const refused = addresses.find(({ address }) => !rules.admits(host, address));
      if (refused !== undefined) callback(forbidden(host), '', 0);
      else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/** Leaves the address out of the message: it may reveal the inside of a network. */
function forbidden(host: string): OutboundFault {
  return new OutboundFault(
    'refused',
    `${host} is not at a public address. Name it, or its network, in OUTBOUND_ALLOW of the service (or of the program that connects, gateway serve) and start it again, if it may be reached.`,
  );
}

/** Why an outbound connection came to nothing. */
export type OutboundFaultKind =
  /** The guard does not let it go there. */
  | 'refused'
  /** No connection: no such host, nobody listens, no trust. */
  | 'unreachable'
  | 'timeout'
  | 'redirected'
  | 'too_large'
  /** The answer breaks HTTP, or breaks off. */
  | 'broken';

/** A failed outbound connection. The message names the place, never what was sent. */
export class OutboundFault extends Error {
  constructor(
    readonly kind: OutboundFaultKind,
    message: string,
    cause?: unknown,
    /** Whether the request can't even be made, which says nothing of the place. */
    readonly isUnsent = false,
  ) {
    super(message, { cause });
  }
}

const kinds: readonly (readonly [RegExp, OutboundFaultKind])[] = [
  [/TIMEOUT|TIMEDOUT/, 'timeout'],
  [
    /^E(CONNREFUSED|NOTFOUND|AI_|HOSTUNREACH|NETUNREACH|ADDRNOTAVAIL|ACCES|PERM|PROTO)|CERT|SSL|TLS/,
    'unreachable',
  ],
];

/** Finds why a `fetch` failed, whatever the error is wrapped in. */
function outboundFault(error: unknown, place: string): OutboundFault {
  const chain = causesOf(error);
  const own = chain.find((link) => link instanceof OutboundFault);
  if (own !== undefined) return own;
  if (chain.some((link) => /^(Timeout|Abort)Error$/.test(memberOf(link, 'name')))) {
    return new OutboundFault('timeout', `${place} did not answer in time.`, error);
  }
  if (error instanceof UnsendableRequest)
    return new OutboundFault(
      'broken',
      `The request to ${place} can't be made, so it was not sent.`,
      error,
      true,
    );
  const code = chain.map((link) => memberOf(link, 'code')).findLast((each) => each !== '') ?? 'no code';
  const kind = kinds.find(([pattern]) => pattern.test(code))?.[1] ?? 'broken';
  const what = {
    timeout: 'did not answer in time',
    unreachable: 'can’t be reached',
    broken: 'gave an answer that is no valid HTTP, or broke it off',
  }[kind as 'timeout' | 'unreachable' | 'broken'];
  return new OutboundFault(kind, `${place} ${what} (${code}).`, error);
}

/** The error, its cause, and so on; of several at once (happy eyeballs) the first. */
function causesOf(error: unknown): readonly unknown[] {
  const chain: unknown[] = [];
  for (let link = error; link !== undefined && link !== null && chain.length < 10;) {
    chain.push(link);
    link = link instanceof AggregateError ? (link.errors[0] as unknown) : Reflect.get(Object(link), 'cause');
  }
  return chain;
}

function memberOf(link: unknown, name: string): string {
  const value: unknown = Reflect.get(Object(link), name);
  return typeof value === 'string' ? value : '';
}
