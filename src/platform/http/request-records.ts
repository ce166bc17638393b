import type { FastifyInstance, FastifyRequest } from 'fastify';
import { hostHash, serverSpan } from '../../kernel/spans.js';
import type { Log } from '../logging/log.js';
import type { Metrics } from '../metrics/metrics.js';

const unobserved: ReadonlySet<string | undefined> = new Set(['/health/live', '/health/ready', '/metrics']);

/** Answers are data for programs: nothing in them is framed, sniffed or run. `/docs` has a policy of its own. */
const everyAnswer = {
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
};

/**
 * Measures every request by its route template and logs it by its path, never its query or body; a refused one with its
 * code, and with who was refused. Successful reads are logged at debug: there are thousands a second.
 */
export function recordRequests(instance: FastifyInstance, log: Log, metrics: Metrics): void {
  instance.addHook('onRequest', (request, reply, done) => {
    reply.headers(everyAnswer);
    // A read that went well needs no tracing unless its caller traces; a problem gets its id where it is answered.
    const traced = request.method !== 'GET' || request.headers['x-request-id'] !== undefined;
    if (traced) reply.header('x-request-id', request.id);
    const span = unobserved.has(request.routeOptions.url)
      ? undefined
      : serverSpan(request.method, request.headers);
    request.span = span ?? null;
    within(request, done);
  });
  // What reads the body loses the span under way.
  instance.addHook('preValidation', (request, _reply, done) => {
    within(request, done);
  });
  instance.addHook('onResponse', (request, reply, done) => {
    const { method, id } = request;
    const { statusCode: status, elapsedTime } = reply;
    const route = request.routeOptions.url;
    metrics.requests.observe({ method, route: route ?? 'none', status }, elapsedTime / 1000);
    endSpan(request, status);
    const read = status < 400 && (method === 'GET' || method === 'HEAD');
    const level = read || unobserved.has(route) ? 'debug' : 'info';
    if (log.isLevelEnabled(level)) {
      const [path] = request.url.split('?');
      const ms = Math.round(elapsedTime * 10) / 10;
      log[level]({ requestId: id, method, path, status, ms, ...refusalOf(request) }, 'request');
    }
    done();
  });
}

function within({ span }: FastifyRequest, work: () => void): void {
  if (span === null) work();
  else span.within(work);
}

/** Says of a request what the conventions of OpenTelemetry ask for: its route, never its path, which holds ids and names. */
function endSpan({ span, method, routeOptions, problemCode, caller }: FastifyRequest, status: number): void {
  if (span === null) return;
  const { url: route } = routeOptions;
  span.named(route === undefined ? method : `${method} ${route}`);
  span.set({
    'http.request.method': method,
    'http.response.status_code': status,
    ...(route !== undefined && { 'http.route': route }),
    ...(caller !== null && { 'portal_catalog.host.hash': hostHash(caller.hostId) }),
    ...(problemCode !== null && { 'portal_catalog.problem.code': problemCode }),
  });
  if (status >= 500) span.failed(problemCode ?? String(status));
  span.end();
}

/** Members of a refusal in the log: its code, and the caller by the token, else by the address. */
function refusalOf({ problemCode, caller, ip }: FastifyRequest): object {
  if (problemCode === null) return {};
  return { code: problemCode, ...(caller === null ? { address: ip } : caller.actor) };
}
