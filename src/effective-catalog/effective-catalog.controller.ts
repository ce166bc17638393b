import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { refuseConfined, requireScope } from '../platform/auth/claims.js';
import type { Caller } from '../platform/auth/caller.js';
import { isNotModified } from '../platform/http/preconditions.js';
import type { RouteSettings } from '../platform/http/operation.js';
import { present } from '../platform/http/request.js';
import { CatalogCache, type CatalogQuestion, type MadeCatalog } from './catalog-cache.service.js';
import { CatalogDeltas } from './catalog-deltas.service.js';
import { CatalogSignature } from './catalog-signature.service.js';
import { contextNames } from './context-names.js';
import { DisclosureLog } from './disclosure-log.service.js';
import { effectiveCatalogRoute } from './effective-catalog.operation.js';
import type { CatalogQuery } from './effective-catalog.schemas.js';
import { PastCatalogs } from './past-catalogs.service.js';
import { momentOf } from './past-rows.lookup.js';

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
        const question = questionOf(request);
        const catalog = this.read(question, request.query);
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

/** Throws Problem 403 where more is asked for than the token may see. */
function questionOf(request: FastifyRequest<CatalogRoute>): CatalogQuestion {
  const caller = present(request.caller, 'caller');
  const { serviceId, envTag, withheld, examples, context, asOf } = request.query;
  if (asOf !== undefined || withheld) requireAdministrator(caller);
  return {
    hostId: caller.hostId,
    agentDefId: request.params.agentDefId,
    services: [serviceId.trim()],
    environments: [envTag.trim()],
    tokenTier: caller.maxTier,
    withheld,
    examples,
    context: context === undefined ? undefined : contextNames(context),
  };
}

/** Contract 2: what is withheld and what was are not for a token with `agent_def_id`; a tier only narrows them. */
function requireAdministrator(caller: Caller): void {
  requireScope(caller, 'catalog:admin');
  refuseConfined(caller);
}

function sendJson(reply: FastifyReply, bytes: Buffer): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(bytes);
}
