import { Body, Controller, Inject, Param, Post } from '@nestjs/common';
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { DATABASE, type Database } from '../kernel/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Operation } from '../platform/http/operation.js';
import { VisibleTo } from '../platform/http/parameters.js';
import { objectOf, uuid } from '../platform/http/schemas.js';
import { exposureImpact } from './exposure-impact.queries.js';

/** As many as a gateway may expose. */
const MAX_TOOLS = 5000;

const selection = {
  type: 'object',
  additionalProperties: false,
  required: ['toolIds'],
  properties: {
    toolIds: {
      type: 'array',
      maxItems: MAX_TOOLS,
      uniqueItems: true,
      items: uuid,
      description: 'All that the gateway shall expose.',
    },
  },
} as const satisfies JSONSchema;

const name = { type: 'string' } as const;
const names = { type: 'array', items: name } as const;
const tools = { type: 'array', items: objectOf({ toolId: uuid, name }) } as const;

const impactAnswer = objectOf({
  added: tools,
  removed: tools,
  skills: { type: 'array', items: objectOf({ skillId: uuid, name }), description: 'That lose tools.' },
  agents: {
    type: 'array',
    items: objectOf({
      ...{ agentDefId: uuid, name, serviceId: name, envTag: name },
      loses: { ...names, description: 'Tools that no other of its gateways exposes.' },
      gains: { ...names, description: 'Tools that none of its gateways exposes yet.' },
    }),
  },
});
export type ExposureImpact = FromSchema<typeof impactAnswer>;

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
  impact(
    @VisibleTo() visibility: Visibility,
    @Param('gatewayId') gatewayId: string,
    @Body() { toolIds }: FromSchema<typeof selection>,
  ): Promise<ExposureImpact> {
    return exposureImpact(this.database.of(visibility.hostId), visibility, { gatewayId, toolIds });
  }
}
