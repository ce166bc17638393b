import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { EffectiveCatalogModule } from '../effective-catalog/effective-catalog.module.js';
import { CatalogCodeController } from './catalog-code.controller.js';
import { CatalogCode } from './catalog-code.service.js';
import { CodeOperations } from './code-operations.service.js';

/** The catalog as code. */
@Module({
  imports: [DiscoveryModule, EffectiveCatalogModule],
  controllers: [CatalogCodeController],
  providers: [CatalogCode, CodeOperations],
})
export class CatalogCodeModule {}
