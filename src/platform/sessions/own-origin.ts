/** Which requests may use a session: those of pages that the service itself serves. */
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { isLoopback, type Config } from '../config/config.js';
import { Problem } from '../http/problem.js';

type Asked = Pick<FastifyRequest, 'method'> & { readonly headers: IncomingHttpHeaders };

const safe = ['GET', 'HEAD', 'OPTIONS'];

export function isSafe({ method }: Pick<FastifyRequest, 'method'>): boolean {
  return safe.includes(method);
}

/**
 * Throws Problem 403 `cross_site` for a request that another site has made, or may have made. Browsers say by `Sec-Fetch-Site` who
 * makes it, and by `Origin` with every method that is not safe; no page can write these. Without `Origin` nothing unsafe passes.
 */
export function refuseCrossSite(request: Asked, config: Pick<Config, 'publicUrl' | 'tokens'>): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  // What is typed into the address bar is nobody's ("none"); it can't be unsafe.
  const sites = isSafe(request) ? ['same-origin', 'none'] : ['same-origin'];
  if (site !== undefined && !sites.includes(site)) throw crossSite(`Sec-Fetch-Site is ${quoted(site)}`);
  if (origin === undefined) {
    if (isSafe(request)) return;
    throw crossSite('it has no Origin');
  }
  if (!ownOrigins(request, config).includes(origin)) throw crossSite(`its Origin is ${quoted(origin)}`);
}

/** Origins of the service's own pages: `PUBLIC_URL`; in development also the loopback address that the browser used. */
function ownOrigins(
  { headers: { host } }: Asked,
  { publicUrl, tokens }: Pick<Config, 'publicUrl' | 'tokens'>,
): string[] {
  const here = `http://${host ?? ''}`;
  return [
    ...(publicUrl === undefined ? [] : [publicUrl.origin]),
    ...(tokens.kind === 'development' && isLoopbackOrigin(here) ? [here] : []),
  ];
}

/** Whether a text is the origin of a loopback address, spelt as browsers spell it. */
export function isLoopbackOrigin(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { hostname, origin: canonical } = new URL(origin);
  return canonical === origin && isLoopback(hostname.replace(/^\[|\]$/g, ''));
}

/** Set by proxies: the connection ends on this machine then, but its user may be anywhere. */
const forwarding = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/**
 * Whether a request comes from a page of this service in a browser on this machine. All of it is loopback then: the connection, the
 * `Host` (a foreign name may be bound to this address) and the `Origin`, which every browser sends with a `POST` and no page can choose.
 */
export function isFromPageHere({ headers, socket }: Pick<FastifyRequest, 'headers' | 'socket'>): boolean {
  const { host = '', origin = '' } = headers;
  const isDirect = isLoopback(socket.remoteAddress ?? '') && !forwarding.some((name) => name in headers);
  return isDirect && origin === `http://${host}` && isLoopbackOrigin(origin);
}

function crossSite(what: string): Problem {
  const detail = `A session serves the pages of this service alone, and this request is not theirs: ${what}. Programs send a bearer token.`;
  return new Problem(403, 'cross_site', detail);
}

function quoted(text: string | readonly string[]): string {
  return JSON.stringify(String(text).slice(0, 100));
}
