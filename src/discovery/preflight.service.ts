import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { routesOfController } from '../platform/http/operation.js';
import { crossOrigin } from './discovery-reply.service.js';
import { McpRegistryController } from './mcp-registry.controller.js';
import { WellKnownController } from './well-known.controller.js';

/** Browsers ask before they send a token or an ETag along: the same answer at every path, whatever is there. */
@Injectable()
export class Preflight implements OnModuleInit {
  constructor(private readonly adapterHost: HttpAdapterHost) {}

  onModuleInit(): void {
    const instance = this.adapterHost.httpAdapter.getInstance<FastifyInstance>();
    for (const { url } of [WellKnownController, McpRegistryController].flatMap(routesOfController))
      instance.options(url, (_request, reply) =>
        reply
          .code(204)
          .headers({ ...crossOrigin, 'access-control-max-age': '86400' })
          .send(),
      );
  }
}
