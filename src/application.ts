import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { openApiDocument } from './openapi.js';
import type { Config } from './platform/config/config.js';
import { CatalogAdapter } from './platform/http/catalog-adapter.js';
import { serveDocuments } from './platform/http/document-routes.js';
import { NestLog, type Log } from './platform/logging/log.js';

/** The service, ready to listen: database open and migrated, routes in place. */
export async function createApplication(config: Config, log: Log): Promise<NestFastifyApplication> {
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.forRoot(config, log),
    new CatalogAdapter(config.bodyLimit),
    { bodyParser: false, abortOnError: false, logger: new NestLog(log) },
  );
  serveDocuments(app.getHttpAdapter().getInstance(), openApiDocument());
  return app.init();
}
