import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  RouteOptions,
} from 'fastify';
import { rememberMethods } from './problem-details.js';
import { admission } from '../auth/admission.js';
import type { Caller } from '../auth/caller.js';
import type { TokenVerifier } from '../auth/token-verifier.js';
import { visibilityOf, type AgentScopes } from '../auth/visibility.js';
import type { Config } from '../config/config.js';
import { checkMediaType, parseJsonBody } from './request-body.js';
import type { OperationSpec, RouteSettings } from './operation.js';
import { Problem } from './problem.js';
import type { RateLimiter } from './rate-limiter.js';
import type { Sessions } from '../sessions/sessions.js';
import { requestChecks } from './request-checks.js';
import { decorateRequests, present } from './parameters.js';
import { writeContextOf } from './write-context.js';

/** What the pipeline needs of the rest of the platform. */
export interface PipelineParts {
  readonly verifier: TokenVerifier;
  readonly sessions: Pick<Sessions, 'isAsked' | 'callerOf'>;
  readonly limiter: RateLimiter;
  readonly limits: Pick<Config, 'bodyLimit' | 'uploadLimit'>;
  /** Asked for only when a narrowed token reads. */
  readonly agentScopes: () => AgentScopes;
}

/**
 * Puts the same stations in front of every route that carries an operation, Nest's and bare Fastify ones: token or session
 * (401), claims (403), media type (415), size (413), claims against the body (403), path, query, headers and body
 * (400). Only then the handler runs, which may find nothing (404).
 */
export function installPipeline(instance: FastifyInstance, parts: PipelineParts): void {
  decorateRequests(instance);
  rememberMethods(instance);
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    readBody(request, body, done);
  });
  instance.addHook('onRoute', (route) => {
    const operation = operationOf(route);
    if (operation !== undefined) equip(route, operation, parts);
    else if (route.url.startsWith('/v1'))
      throw new Error(`${route.url} has no @Operation: it would be open to all.`);
  });
}

function operationOf(route: RouteOptions): OperationSpec | undefined {
  return (route.config as Partial<RouteSettings> | undefined)?.operation;
}

function equip(route: RouteOptions, operation: OperationSpec, parts: PipelineParts): void {
  const check = requestChecks(operation);
  const { byPath, byBody } = admission(operation);
  const { bodyLimit, uploadLimit } = parts.limits;
  route.bodyLimit = operation.upload && operation.upload !== 'form' ? uploadLimit : bodyLimit;
  if (operation.scope === 'none') {
    addStation(route, 'onRequest', (request, reply) => {
      checkMediaType(request, operation);
      return operation.optionalToken ? recognise(request, reply, parts) : undefined;
    });
    addStation(route, 'preValidation', check);
    return;
  }
  const writes = route.method !== 'GET' && route.method !== 'HEAD' && operation.reads !== true;
  const admit = (caller: Caller, request: FastifyRequest): void => {
    know(request, caller, parts, writes ? 'write' : 'read');
    byPath(caller, request);
    checkMediaType(request, operation);
  };
  addStation(route, 'onRequest', (request, reply) => {
    const { limiter, verifier } = parts;
    const known = limiter.isOff ? verifier.knownOn(request.raw) : undefined;
    if (known !== undefined) {
      admit(known, request);
      return;
    }
    return authenticate(request, reply, parts).then((caller) => {
      admit(caller, request);
    });
  });
  addStation(route, 'preValidation', (request) => {
    const caller = present(request.caller, 'caller');
    byBody(caller, request);
    check(request);
    if (writes) request.writeContext = writeContextOf(request, caller, operation);
  });
}

/** Sets the caller of a request, and what that caller sees. */
function know(
  request: FastifyRequest,
  caller: Caller,
  parts: PipelineParts,
  purpose: 'read' | 'write',
): void {
  request.caller = caller;
  request.visibility = async () => {
    const confined = caller.agentDefId !== undefined;
    const within = confined ? await parts.agentScopes().agentScopeOf(caller) : undefined;
    return visibilityOf(caller, within, purpose);
  };
}

/** Finds out who asks where a token came; who brings none has a rate by address. */
async function recognise(request: FastifyRequest, reply: FastifyReply, parts: PipelineParts): Promise<void> {
  if (request.headers.authorization === undefined) {
    reply.headers(await parts.limiter.take(`address ${request.ip}`));
    return;
  }
  know(request, await authenticate(request, reply, parts), parts, 'read');
}

/** A promise only where there is something to wait for: most requests of a known caller have nothing. */
type Station = (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>;

function addStation(route: RouteOptions, place: 'onRequest' | 'preValidation', station: Station): void {
  const before = route[place] ?? [];
  const hook: onRequestHookHandler = (request, reply, done) => {
    let waiting: void | Promise<void>;
    try {
      waiting = station(request, reply);
    } catch (error) {
      done(error as Error);
      return;
    }
    if (waiting === undefined) done();
    else
      waiting.then(() => {
        done();
      }, done);
  };
  route[place] = [...(Array.isArray(before) ? before : [before]), hook];
}

async function authenticate(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: PipelineParts,
): Promise<Caller> {
  try {
    const { sessions, verifier } = parts;
    const caller = await (sessions.isAsked(request)
      ? sessions.callerOf(request)
      : verifier.callerOf(request.raw));
    request.caller = caller;
    reply.headers(await parts.limiter.take(caller.fingerprint));
    return caller;
  } catch (error) {
    if (error instanceof Problem && error.status === 401) await parts.limiter.take(`address ${request.ip}`);
    throw error;
  }
}

function readBody(
  request: FastifyRequest,
  body: Buffer,
  done: (error: Error | null, body?: unknown) => void,
): void {
  try {
    const operation = (request.routeOptions.config as Partial<RouteSettings>).operation;
    request.bodyBytes = body;
    if (body.length === 0) done(null, undefined);
    else done(null, operation?.upload ? body : parseJsonBody(body));
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)));
  }
}
