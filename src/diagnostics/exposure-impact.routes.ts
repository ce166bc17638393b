import { Body, Controller, Inject, Param, Post } from '@nestjs/common';
import type { FromSchema } from 'json-schema-to-ts';
import { requireGateway } from '../gateways/public.js';
import { DATABASE, type Database } from '../kernel/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Operation } from '../platform/http/operation.js';
import { VisibleTo } from '../platform/http/parameters.js';
import { exposureImpact } from './exposure-impact.queries.js';
import { type ExposureImpact, impactAnswer, selection } from './exposure-impact.schemas.js';

const toolId = '0198c0de-0000-7000-8000-00000000c001';

@Controller('v1/hosts/:hostId/gateways/:gatewayId/exposures')
export class ExposureImpactController {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  @Post('impact')
  @Operation({
    id: 'getExposureImpact',
    summary: 'Say what a selection of tools would change at a gateway, and for whom',
    description:
      'Nothing is written. Agents are those that the gateway stands before: it is named in their profile, or serves their environment where ' +
      'none is. An inactive gateway stands before nobody. Other reasons to withhold a tool from an agent are not looked at.',
    scope: 'catalog:admin',
    confined: 'refused',
    reads: true,
    body: selection,
    answer: impactAnswer,
    example: {
      body: { toolIds: [toolId] },
      answer: {
        added: [{ toolId, name: 'getAccountByNo' }],
        removed: [],
        skills: [],
        agents: [
          {
            agentDefId: '0198c0de-0000-7000-8000-00000000a001',
            ...{ name: 'account-agent', serviceId: 'com.example.helper-1.0.0', envTag: 'dev' },
            ...{ loses: [], gains: ['getAccountByNo'] },
          },
        ],
      },
    },
    tag: 'gateways',
  })
  async impact(
    @VisibleTo() visibility: Visibility,
    @Param('gatewayId') gatewayId: string,
    @Body() { toolIds }: FromSchema<typeof selection>,
  ): Promise<ExposureImpact> {
    const sql = this.database.of(visibility.hostId);
    await requireGateway(sql, visibility, gatewayId);
    return exposureImpact(sql, visibility, { gatewayId, toolIds });
  }
}
