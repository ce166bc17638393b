import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuseNarrowed } from '../platform/auth/admission.js';
import { requireScope } from '../platform/auth/claims.js';
import type { Caller } from '../platform/auth/caller.js';
import { isNotModified } from '../platform/http/preconditions.js';
import type { RouteSettings } from '../platform/http/operation.js';
import { present } from '../platform/http/request.js';
import { CatalogCache, type CatalogQuestion, type KeptCatalog } from './catalog-cache.service.js';
import { effectiveCatalogRoute } from './effective-catalog.operation.js';
import type { CatalogQuery } from './effective-catalog.schemas.js';

interface CatalogRoute {
  Params: { readonly hostId: string; readonly agentDefId: string };
  Querystring: CatalogQuery;
}

/**
 * `GET …/agents/{agentDefId}/effective-catalog`, the path that agents poll: a bare Fastify route behind the same
 * stations as every other (docs/decisions/0009 has the figures).
 */
@Injectable()
export class EffectiveCatalogController implements OnModuleInit {
  constructor(
    private readonly catalogs: CatalogCache,
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
        const catalog = this.catalogs.read(questionOf(request));
        return catalog instanceof Promise
          ? catalog.then((made) => answer(request, reply, made))
          : answer(request, reply, catalog);
      },
    });
  }
}

/** Throws Problem 403 where more is asked for than the token may see. */
function questionOf(request: FastifyRequest<CatalogRoute>): CatalogQuestion {
  const caller = present(request.caller, 'caller');
  const { serviceId, envTag, withheld, examples, context } = request.query;
  if (withheld) requireDiagnostics(caller);
  return {
    hostId: caller.hostId,
    agentDefId: request.params.agentDefId,
    services: [serviceId.trim()],
    environments: [envTag.trim()],
    tokenTier: caller.maxTier,
    withheld,
    examples,
    context: context === undefined ? undefined : namesOf(context),
  };
}

function requireDiagnostics(caller: Caller): void {
  requireScope(caller, 'catalog:admin');
  refuseNarrowed(caller);
}

/** Sorted and without doubles, so that one context has one cache entry. */
function namesOf(context: string): string[] {
  const names = context.split(',').map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ''))].sort();
}

function answer(
  request: FastifyRequest<CatalogRoute>,
  reply: FastifyReply,
  { bytes, etag }: KeptCatalog,
): FastifyReply {
  void reply
    .header('etag', etag)
    .header('cache-control', 'private, no-cache')
    .header('vary', 'Authorization');
  if (isNotModified(request.headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.type('application/json; charset=utf-8').send(bytes);
}
