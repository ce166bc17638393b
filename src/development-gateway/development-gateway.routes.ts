import { Controller, Get } from '@nestjs/common';
import { Operation } from '../platform/http/operation.js';
import { objectOf } from '../platform/http/schemas.js';
import { endpointPath, GatewayEndpoint } from './gateway-endpoint.service.js';

/** Says whether the service serves the development gateway, so that a page offers no more than there is. */
@Controller('v1/hosts/:hostId/development-gateway')
export class DevelopmentGatewayController {
  constructor(private readonly endpoint: GatewayEndpoint) {}

  @Get()
  @Operation({
    id: 'getDevelopmentGateway',
    summary: 'Say whether the service calls tools itself, for development',
    description:
      'While the development issuer is on, POST of MCP to the path serves any active gateway of the host, for tokens of its environment ' +
      'and for sessions: what is exposed on it is listed and called. Never in production.',
    scope: 'catalog:read',
    answer: objectOf({
      served: { type: 'boolean' },
      path: {
        type: ['string', 'null'],
        description: 'Below the address of the service, with {gatewayId} in it; null where it is not served.',
      },
    }),
    example: { answer: { served: true, path: endpointPath } },
    tag: 'gateways',
  })
  find(): object {
    const { isServed } = this.endpoint;
    return { served: isServed, path: isServed ? endpointPath : null };
  }
}
