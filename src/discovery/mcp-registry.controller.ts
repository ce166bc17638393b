import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Operation } from '../platform/http/operation.js';
import { Problem } from '../platform/http/problem.js';
import { DiscoveryReply, type Found } from './discovery-reply.service.js';
import {
  discovered,
  discoveryExamples,
  serverAnswer,
  serversAnswer,
  serversQuery,
} from './discovery.schemas.js';
import type { ShownGateway } from './shown.js';
import { serverName } from './standards/names.js';
import { registryServer, registryServers, type ServersQuery } from './standards/server-json.js';

const type = 'application/json; charset=utf-8';
const latest = 'latest';
const anyName = { type: 'string', minLength: 1, maxLength: 200 } as const;
const names = { params: { serverName: anyName } };

/** The MCP Registry API v0.1, of the public gateways: read only. */
@Controller('v0.1/servers')
export class McpRegistryController {
  constructor(private readonly replies: DiscoveryReply) {}

  @Get()
  @Operation({
    id: 'listMcpServers',
    summary: 'List public MCP servers',
    description: 'MCP Registry API v0.1: public gateways as server.json of 2025-12-11.',
    ...{ ...discovered, query: serversQuery, answer: serversAnswer },
    example: { query: { version: latest }, answer: discoveryExamples.servers },
  })
  list(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Query() query: ServersQuery,
  ): Promise<void> {
    const since = query.updated_since;
    const asked = { ...query, ...(since !== undefined && { updated_since: new Date(since).toISOString() }) };
    return this.send(request, reply, ({ shown, origin }) => registryServers(origin, shown.gateways, asked));
  }

  @Get(':serverName/versions')
  @Operation({
    id: 'listMcpServerVersions',
    summary: 'List the versions of a public MCP server',
    description: 'There is one at a time: that of its present state.',
    ...{ ...discovered, ...names, answer: serversAnswer, example: { answer: discoveryExamples.servers } },
  })
  versions(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('serverName') name: string,
  ): Promise<void> {
    return this.send(request, reply, (found) => {
      const gateway = gatewayNamed(found, name);
      return gateway && registryServers(found.origin, [gateway], {});
    });
  }

  @Get(':serverName/versions/:serverVersion')
  @Operation({
    id: 'getMcpServerVersion',
    summary: 'Get a version of a public MCP server',
    description: 'Its name as it is listed, encoded (%2F); `latest` is a version, too.',
    ...{ ...discovered, params: { serverName: anyName, serverVersion: anyName } },
    ...{ answer: serverAnswer, example: { answer: discoveryExamples.server } },
  })
  version(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('serverName') name: string,
    @Param('serverVersion') version: string,
  ): Promise<void> {
    return this.send(request, reply, (found) => {
      const gateway = gatewayNamed(found, name);
      const isThere = version === latest || version === gateway?.version;
      return gateway && isThere ? registryServer(found.origin, gateway) : undefined;
    });
  }

  /** Refuses as that API does: with a member `error`. */
  private async send(
    request: FastifyRequest,
    reply: FastifyReply,
    make: (found: Found) => object | undefined,
  ): Promise<void> {
    try {
      await this.replies.send(request, reply, (found) => ({ type, body: make(found) }));
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 404) throw error;
      void reply.code(404).type(type).send({ error: 'Server not found' });
    }
  }
}

function gatewayNamed({ shown, origin }: Found, name: string): ShownGateway | undefined {
  return shown.gateways.find((each) => serverName(origin, each.name) === name);
}
