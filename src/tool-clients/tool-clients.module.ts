import { Module } from '@nestjs/common';
import { ToolClients } from './tool-clients.routes.js';

/** Packages for those who implement tools. */
@Module({ controllers: [ToolClients] })
export class ToolClientsModule {}
