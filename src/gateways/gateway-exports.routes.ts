import { Controller, Get, Header, Param } from '@nestjs/common';
import { objectOf } from '../platform/http/schemas.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Operation } from '../platform/http/operation.js';
import { VisibleTo } from '../platform/http/parameters.js';
import type { ExposedTool } from './exposed-tools.lookup.js';
import { blockedBy } from './gateway.rules.js';
import { versionsListed } from './mcp-router.js';
import { OfferedTools } from './offered-tools.lookup.js';

const routerConfigExample = `mcp-router.tools:
  - name: getAccountByNo
    description: Reads one account.
    protocol: https
    serviceId: com.example.accounts-1.0.0
    envTag: dev
    path: /accounts/{accountNo}
    method: get
    endpoint: /accounts/{accountNo}@get
    apiType: openapi
    inputSchema:
      type: object
    toolMetadata:
      routing:
        sensitivityTier: internal
        parameters: {}
`;

const toolsListExample = {
  tools: [
    {
      name: 'getAccountByNo',
      description: 'Reads one account.',
      inputSchema: { type: 'object', properties: { accountNo: { type: 'string' } }, required: ['accountNo'] },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    },
  ],
};

/** Exports the configuration that a gateway is deployed with. */
@Controller('v1/hosts/:hostId/gateways/:gatewayId')
export class GatewayExports {
  constructor(private readonly offered: OfferedTools) {}

  @Get('config')
  @Header('content-type', 'application/yaml; charset=utf-8')
  @Operation({
    id: 'getGatewayConfig',
    summary: 'Export the tools of a gateway as its configuration',
    description:
      'The `mcp-router.tools` part of values.yml: of the exposed tools that are offered, what the gateway needs to list, ' +
      'call and guard them; and under `versions` the older ones that skills keep to. What the token does not cover is left out.',
    scope: 'catalog:admin',
    confined: 'refused',
    answer: { type: 'string' },
    answerType: 'application/yaml',
    example: { answer: routerConfigExample },
  })
  config(@VisibleTo() visibility: Visibility, @Param('gatewayId') gatewayId: string): Promise<string> {
    return this.offered.configOf(visibility, gatewayId);
  }

  @Get('tools-list')
  @Operation({
    id: 'getGatewayToolsList',
    summary: 'Export the tools of a gateway as MCP tools/list',
    description:
      'What the gateway should answer to tools/list: without what its policy blocks. Where skills keep to older versions of a ' +
      'tool, these are in its `_meta`, under `portal-catalog/versions`.',
    scope: 'catalog:admin',
    confined: 'refused',
    answer: objectOf({
      tools: {
        type: 'array',
        items: objectOf(
          {
            name: { type: 'string' },
            description: { type: 'string' },
            inputSchema: { type: 'object' },
            outputSchema: { type: 'object' },
            annotations: { type: 'object' },
            _meta: { type: 'object' },
          },
          ['outputSchema', '_meta'],
        ),
      },
    }),
    example: { answer: toolsListExample },
  })
  async toolsList(
    @VisibleTo() visibility: Visibility,
    @Param('gatewayId') gatewayId: string,
  ): Promise<object> {
    const { gateway, tools } = await this.offered.of(visibility, gatewayId);
    const listed = tools.filter((tool) => blockedBy(tool, gateway.maxSensitivityTier) === undefined);
    return { tools: listed.map(definitionOf) };
  }
}

function definitionOf({
  name,
  description,
  inputSchema,
  outputSchema,
  metadata,
  versions,
}: ExposedTool): object {
  const { readOnly, destructive, idempotent } = metadata.safety ?? {};
  return {
    name,
    description,
    inputSchema,
    ...(outputSchema === null ? {} : { outputSchema }),
    annotations: {
      readOnlyHint: readOnly === true,
      destructiveHint: destructive === true,
      idempotentHint: idempotent === true,
    },
    ...(versions.length > 0 && { _meta: versionsListed(versions) }),
  };
}
