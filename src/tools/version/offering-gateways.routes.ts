import { Controller, Get, Inject, Param } from '@nestjs/common';
import type { JSONSchema } from 'json-schema-to-ts';
import { DATABASE, type Database } from '../../kernel/sql.js';
import type { Visibility } from '../../platform/auth/visibility.js';
import { Operation } from '../../platform/http/operation.js';
import { VisibleTo } from '../../platform/http/parameters.js';
import { requireTool } from '../tool/tools.filter.js';
import { movesAnswer } from './version-moves.schemas.js';
import { VersionLinks } from './version-links.port.js';

const answer = {
  type: 'object',
  required: ['items'],
  properties: { items: movesAnswer.properties.gateways },
} as const satisfies JSONSchema;

/** Which gateways offer a tool: of those that list it to agents. */
@Controller('v1/hosts/:hostId/tools/:toolId/gateways')
export class OfferingGateways {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(VersionLinks) private readonly links: VersionLinks,
  ) {}

  @Get()
  @Operation({
    id: 'listGatewaysOfTool',
    summary: 'List the gateways that offer a tool',
    description: 'The active ones that have selected it and that the token covers, by service.',
    scope: 'catalog:read',
    confined: 'refused',
    answer,
    example: {
      answer: {
        items: [
          {
            gatewayId: '0198c0de-0000-7000-8000-00000000e001',
            serviceId: 'com.example.gateway-1.0.0',
            envTag: 'prod',
          },
        ],
      },
    },
  })
  async list(@VisibleTo() visibility: Visibility, @Param('toolId') toolId: string): Promise<object> {
    const sql = this.database.of(visibility.hostId);
    await requireTool(sql, visibility, toolId);
    return { items: await this.links.gateways(sql, visibility, toolId) };
  }
}
