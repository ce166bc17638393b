import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isLoopback } from '../config/config.js';
import { Problem } from './problem.js';

/** Set by what stands between: the connection then ends on this machine, and its user may be anywhere. */
const forwarding = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/** Serves `POST`: a token of the development issuer, for the page of `/docs` in a browser on this machine and for nobody else. */
export function serveToken(instance: FastifyInstance, path: string, mint: () => Promise<string>): void {
  instance.post(path, async (request, reply) => {
    refuseOthers(request);
    const token = await mint();
    return reply.header('cache-control', 'no-store').send({ token });
  });
}

/**
 * Throws Problem 403 unless all of it is loopback: the connection, the `Host` (a foreign name may be bound to this address) and
 * the `Origin`, which every browser sends with a `POST` and no page can choose.
 */
function refuseOthers({ headers, socket }: FastifyRequest): void {
  const { host = '', origin = '' } = headers;
  const isDirect = isLoopback(socket.remoteAddress ?? '') && !forwarding.some((name) => name in headers);
  if (isDirect && origin === `http://${host}` && isLoopbackOrigin(origin)) return;
  throw new Problem(
    403,
    'page_only',
    'This token is for the page /docs alone, opened in a browser on the machine of the service. Elsewhere: portal-catalog token.',
  );
}

function isLoopbackOrigin(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { hostname, origin: canonical } = new URL(origin);
  return canonical === origin && isLoopback(hostname.replace(/^\[|\]$/g, ''));
}
