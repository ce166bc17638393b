import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { HostSettingsController } from './host-settings.controller.js';
import { GetHostSettingsHandler } from './host-settings.queries.js';

@Module({
  imports: [CqrsModule],
  controllers: [HostSettingsController],
  providers: [GetHostSettingsHandler],
})
export class SettingsModule {}
