import { Controller, Get, Header, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Visibility } from '../platform/auth/visibility.js';
import { Operation } from '../platform/http/operation.js';
import { VisibleTo } from '../platform/http/parameters.js';
import { routerConfigExample, toolsListExample } from './gateway.examples.js';
import { GetRouterConfig, GetToolsList, type ToolsList } from './gateway-exports.queries.js';

/** What a gateway is deployed with. */
@Controller('v1/hosts/:hostId/gateways/:gatewayId')
export class GatewayExportsController {
  constructor(private readonly queryBus: QueryBus) {}

  @Get('config')
  @Header('content-type', 'application/yaml; charset=utf-8')
  @Operation({
    id: 'getGatewayConfig',
    summary: 'Export the tools of a gateway as its configuration',
    description:
      'The `mcp-router.tools` part of values.yml: of the exposed tools that are offered, what the gateway needs to list, ' +
      'call and guard them. What the token does not cover is left out.',
    scope: 'catalog:admin',
    confined: 'refused',
    answer: { type: 'string' },
    answerType: 'application/yaml',
    example: { answer: routerConfigExample },
  })
  config(@VisibleTo() visibility: Visibility, @Param('gatewayId') gatewayId: string): Promise<string> {
    return this.queryBus.execute(new GetRouterConfig(visibility, gatewayId));
  }

  @Get('tools-list')
  @Operation({
    id: 'getGatewayToolsList',
    summary: 'Export the tools of a gateway as MCP tools/list',
    description: 'What the gateway should answer to tools/list: without what its policy blocks.',
    scope: 'catalog:admin',
    confined: 'refused',
    answer: {
      type: 'object',
      required: ['tools'],
      properties: {
        tools: {
          type: 'array',
          items: {
            type: 'object',
            required: ['name', 'description', 'inputSchema', 'annotations'],
            properties: {
              name: { type: 'string' },
              description: { type: 'string' },
              inputSchema: { type: 'object' },
              outputSchema: { type: 'object' },
              annotations: { type: 'object' },
            },
          },
        },
      },
    },
    example: { answer: toolsListExample },
  })
  toolsList(@VisibleTo() visibility: Visibility, @Param('gatewayId') gatewayId: string): Promise<ToolsList> {
    return this.queryBus.execute(new GetToolsList(visibility, gatewayId));
  }
}
