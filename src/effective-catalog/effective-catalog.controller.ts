import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { isNotModified } from '../platform/http/write-context.js';
import type { DeclaredRoute, OperationSpec, RouteSettings } from '../platform/http/operation.js';
import { present } from '../platform/http/parameters.js';
import { CatalogCache } from './delivery/catalog-cache.service.js';
import { CatalogDeltas } from './delivery/catalog-deltas.service.js';
import { CatalogSignature } from './delivery/catalog-signature.service.js';
import { DisclosureLog } from './disclosure/disclosure-log.service.js';
import { catalogExample } from './effective-catalog.example.js';
import { questionOf, type CatalogQuestion, type MadeCatalog } from './effective-catalog.queries.js';
import { catalogAnswer, catalogQuery, type CatalogQuery } from './effective-catalog.schemas.js';
import { momentOf, PastCatalogs } from './past.lookup.js';

const getEffectiveAgentCatalog: OperationSpec = {
  id: 'getEffectiveAgentCatalog',
  summary: 'The skills and tools that an agent is given',
  description:
    'What this agent may see of what its skills offer, judged by the rules of the catalog and by the token. ' +
    'Send the ETag as If-None-Match: 304 says that nothing has changed. 404 where the agent is not registered ' +
    'for the service and the environment.',
  scope: ['catalog:agent', 'catalog:read'],
  query: catalogQuery,
  answer: catalogAnswer,
  example: {
    query: { serviceId: catalogExample.serviceId, envTag: catalogExample.envTag },
    answer: catalogExample,
  },
  tag: 'agents',
};

/** A bare Fastify route: no controller declares it. */
export const effectiveCatalogRoute: DeclaredRoute = {
  method: 'GET',
  url: '/v1/hosts/:hostId/agents/:agentDefId/effective-catalog',
  operation: getEffectiveAgentCatalog,
};

interface CatalogRoute {
  Params: { readonly hostId: string; readonly agentDefId: string };
  Querystring: CatalogQuery;
}

const signed = 'application/jose';

/**
 * `GET …/agents/{agentDefId}/effective-catalog`, the path that agents poll: a bare Fastify route behind the same
 * stations as every other (docs/decisions/0009 has the figures).
 */
@Injectable()
export class EffectiveCatalogController implements OnModuleInit {
  constructor(
    private readonly catalogs: CatalogCache,
    private readonly past: PastCatalogs,
    private readonly deltas: CatalogDeltas,
    private readonly signature: CatalogSignature,
    private readonly log: DisclosureLog,
    private readonly adapterHost: HttpAdapterHost,
  ) {}

  onModuleInit(): void {
    const { method, url, operation } = effectiveCatalogRoute;
    const instance = this.adapterHost.httpAdapter.getInstance<FastifyInstance>();
    instance.route<CatalogRoute>({
      method,
      url,
      config: { operation } satisfies RouteSettings,
      handler: (request, reply) => {
        const { params, query, caller } = request;
        const question = questionOf(present(caller, 'caller'), params.agentDefId, query);
        const catalog = this.read(question, query);
        return catalog instanceof Promise
          ? catalog.then((made) => this.answer(request, reply, question, made))
          : this.answer(request, reply, question, catalog);
      },
    });
  }

  private read(question: CatalogQuestion, { asOf }: CatalogQuery): MadeCatalog | Promise<MadeCatalog> {
    return asOf === undefined ? this.catalogs.read(question) : this.past.read(question, momentOf(asOf));
  }

  private answer(
    request: FastifyRequest<CatalogRoute>,
    reply: FastifyReply,
    question: CatalogQuestion,
    made: MadeCatalog,
  ): FastifyReply | Promise<FastifyReply> {
    const isSigned = prefersSigned(request.headers.accept);
    const etag = isSigned ? signedTag(made.etag) : made.etag;
    void reply
      .header('etag', etag)
      .header('cache-control', 'private, no-cache')
      .header('vary', 'Authorization, Accept');
    const isKnown = isNotModified(request.headers['if-none-match'], etag);
    this.log.given(request.id, present(request.caller, 'caller'), made, !isKnown);
    if (isKnown) return reply.code(304).send();
    if (isSigned) return this.sendSigned(reply, made.bytes);
    const { since, withheld, examples, asOf } = request.query;
    if (since !== undefined && !withheld && !examples && asOf === undefined)
      return this.sendDelta(reply, question, since, made);
    return sendJson(reply, made.bytes);
  }

  /** The same bytes, provable. */
  private async sendSigned(reply: FastifyReply, bytes: Buffer): Promise<FastifyReply> {
    const jws = await this.signature.sign(bytes);
    return reply.type(signed).send(jws);
  }

  private async sendDelta(
    reply: FastifyReply,
    question: CatalogQuestion,
    since: string,
    made: MadeCatalog,
  ): Promise<FastifyReply> {
    const patch = await this.deltas.since(question, since, made);
    return patch === undefined
      ? sendJson(reply, made.bytes)
      : reply.type('application/json-patch+json').send(patch);
  }
}

/** Whether a JWS is what the reader likes best of the two forms (RFC 9110, 12.5.1); most readers don't speak of it. */
function prefersSigned(accept: string | undefined): boolean {
  if (accept === undefined || !/jose/i.test(accept)) return false;
  return new Negotiator({ headers: { accept } }).mediaType(['application/json', signed]) === signed;
}

/** Another form has another tag; a weak one, since each signature has bytes of its own. */
function signedTag(etag: string): string {
  return `W/${etag.slice(0, -1)}.jws"`;
}

function sendJson(reply: FastifyReply, bytes: Buffer): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(bytes);
}
