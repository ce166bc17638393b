import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AddressInfo } from 'node:net';
import { publishedKeys } from '../src/platform/auth/issuers.js';
import { TokenVerifier } from '../src/platform/auth/token-verifier.js';
import { agentScopeWith } from './agent-scope.js';
import { CatalogAdapter } from '../src/platform/http/catalog-adapter.js';
import type { OperationSpec, RouteSettings } from '../src/platform/http/operation.js';
import { answerProblem } from '../src/platform/http/problem-details.js';
import { RateLimiter } from '../src/platform/http/rate-limiter.js';
import { installPipeline, type PipelineParts } from '../src/platform/http/request-pipeline.js';
import { listProperties } from '../src/platform/http/schemas.js';
import { hostId, TokenIssuer } from './token-issuer.js';

const text = { type: 'string' } as const;
const answer = { type: 'object' } as const;
const example = { answer: {} };
const named = { serviceId: text, envTag: { type: ['string', 'null'] }, agentDefId: text } as const;

const thing = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 5 },
    count: { type: 'integer', default: 3 },
    ...named,
    version: { type: 'object', additionalProperties: false, properties: named },
    items: { type: 'array', items: { type: 'object', additionalProperties: false, properties: named } },
    config: { type: 'object' },
  },
} as const;

const listOfThings = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...listProperties,
    ...named,
    names: { type: 'array', items: text },
    deep: { type: 'boolean' },
  },
} as const;

const routes: readonly (readonly [
  string,
  string,
  Omit<OperationSpec, 'id' | 'summary' | 'answer' | 'example'>,
])[] = [
  ['GET', '/v1/hosts/:hostId/things', { scope: 'catalog:read', query: listOfThings }],
  ['POST', '/v1/hosts/:hostId/things', { scope: 'catalog:write', body: thing }],
  ['POST', '/v1/hosts/:hostId/things/batch', { scope: 'catalog:write', body: thing, batch: true }],
  ['GET', '/v1/hosts/:hostId/things/:thingId', { scope: 'catalog:read' }],
  ['POST', '/v1/hosts/:hostId/things/:thingId/activate', { scope: 'catalog:write' }],
  ['GET', '/v1/hosts/:hostId/apis/:apiId', { scope: 'catalog:read' }],
  ['GET', '/v1/hosts/:hostId/agents/:agentDefId', { scope: ['catalog:agent', 'catalog:read'] }],
  [
    'POST',
    '/v1/hosts/:hostId/search',
    { scope: ['catalog:agent', 'catalog:read'], body: { ...thing, required: [] } },
  ],
  ['GET', '/v1/hosts/:hostId/events', { scope: 'catalog:admin', confined: 'refused' }],
  ['POST', '/v1/hosts/:hostId/documents', { scope: 'catalog:write', upload: 'document' }],
  ['GET', '/open', { scope: 'none' }],
  ['GET', '/public', { scope: 'none', optionalToken: true }],
];

export interface Call {
  /** Claims that are not the usual ones, or null for no token. */
  readonly claims?: Readonly<Record<string, unknown>> | null;
  readonly body?: unknown;
  /** Sent as it is. */
  readonly raw?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The stations of every request in front of routes that answer with what has come through. */
export class PipelineServer {
  private constructor(
    readonly instance: FastifyInstance,
    readonly issuer: TokenIssuer,
    readonly parts: PipelineParts,
    readonly address: string,
  ) {}

  static async start(rateLimit?: number): Promise<PipelineServer> {
    const issuer = await TokenIssuer.start();
    const instance = new CatalogAdapter(1 << 20).getInstance<FastifyInstance>();
    const rules = {
      issuer: issuer.issuer,
      audience: [issuer.audience],
      algorithms: ['ES256'],
      requireAtJwt: true,
    };
    const parts: PipelineParts = {
      verifier: new TokenVerifier({ ...rules, keys: publishedKeys(issuer.jwksUri) }),
      sessions: {
        isAsked: () => false,
        callerOf: () => Promise.reject(new Error('There are no sessions here.')),
      },
      limiter: new RateLimiter(rateLimit),
      limits: { bodyLimit: 1 << 20, uploadLimit: 32 << 20 },
      agentScopes: () => ({
        agentScopeOf: ({ agentDefId = '' }) => Promise.resolve(agentScopeWith({ agentDefIds: [agentDefId] })),
      }),
    };
    installPipeline(instance, parts);
    instance.setErrorHandler((error, request, reply) => void answerProblem(error, request, reply));
    for (const [method, url, spec] of routes) {
      const operation = { id: 'probe', summary: 'Probe', answer, example, ...spec };
      instance.route({ method, url, config: { operation } satisfies RouteSettings, handler: echo });
    }
    await instance.listen({ port: 0, host: '127.0.0.1' });
    const { port } = instance.server.address() as AddressInfo;
    return new PipelineServer(instance, issuer, parts, `http://127.0.0.1:${String(port)}`);
  }

  /** `path` below the host, or from the root where it begins with two slashes. */
  async call(
    method: string,
    path: string,
    { claims = {}, body, raw, headers = {} }: Call = {},
  ): Promise<Response> {
    const authorization =
      claims === null ? {} : { authorization: `Bearer ${await this.issuer.sign(claims)}` };
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const url = path.startsWith('//') ? path.slice(1) : `/v1/hosts/${hostId}${path}`;
    return fetch(this.address + url, {
      method,
      headers: {
        ...authorization,
        ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: sent }),
    });
  }

  /** What a call came to: `200`, or `403 host_not_covered` from problem details that are complete. */
  async outcome(method: string, path: string, call?: Call): Promise<string> {
    const response = await this.call(method, path, call);
    const body = (await response.json()) as { code?: string };
    if (response.ok) return String(response.status);
    expect(response.headers.get('content-type')).toContain('application/problem+json');
    expect(body).toMatchObject({
      type: 'about:blank',
      status: response.status,
      title: expect.any(String),
      instance: expect.stringMatching(/^\//),
      detail: expect.any(String),
    });
    return `${String(response.status)} ${body.code ?? ''}`;
  }

  async json(method: string, path: string, call?: Call): Promise<Record<string, unknown>> {
    return (await (await this.call(method, path, call)).json()) as Record<string, unknown>;
  }

  async stop(): Promise<void> {
    await this.instance.close();
    await this.issuer.stop();
  }
}

async function echo(request: FastifyRequest): Promise<object> {
  const { body, query, params, writeContext } = request;
  const shown = Buffer.isBuffer(body) ? { bytes: body.length } : { body };
  return { ...shown, query, params, writeContext, visibility: await request.visibility?.() };
}
