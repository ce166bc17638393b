import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { PortalRpc } from './portal-rpc.controller.js';
import { PortalTwins } from './portal-twins.service.js';

/** The reference system's way of asking. */
@Module({ imports: [DiscoveryModule], controllers: [PortalRpc], providers: [PortalTwins] })
export class PortalRpcModule {}
