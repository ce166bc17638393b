import { Module } from '@nestjs/common';
import { GatewaysModule } from '../gateways/gateways.module.js';
import { DevelopmentGatewayController } from './development-gateway.routes.js';
import { GatewayEndpoint } from './gateway-endpoint.service.js';

/** The development gateway within the service. */
@Module({
  imports: [GatewaysModule],
  controllers: [DevelopmentGatewayController],
  providers: [GatewayEndpoint],
})
export class DevelopmentGatewayModule {}
