import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { developmentClaims } from './development-claims.js';
import { openApiDocument } from './openapi.js';
import { mintToken } from './platform/auth/issuers.js';
import type { Config } from './platform/config/config.js';
import { CatalogAdapter } from './platform/http/catalog-adapter.js';
import { pageClient, serveDocuments } from './platform/http/docs.js';
import { servePortal } from './platform/http/portal.js';
import { NestLog, type Log } from './platform/logging/log.js';

/** The service, ready to listen: database open and migrated, routes in place. */
export async function createApplication(config: Config, log: Log): Promise<NestFastifyApplication> {
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.forRoot(config, log),
    new CatalogAdapter(config.bodyLimit),
    { bodyParser: false, abortOnError: false, logger: new NestLog(log) },
  );
  const mint = config.tokens.kind === 'development' ? () => docsToken(config) : undefined;
  const instance = app.getHttpAdapter().getInstance();
  serveDocuments(instance, openApiDocument(), mint);
  if (!servePortal(instance, config.publicUrl)) instance.get('/', (_, reply) => reply.redirect('/docs'));
  try {
    return await app.init();
  } catch (error) {
    // Its database is open, and would keep its directory.
    await app.close();
    throw error;
  }
}

const hour = 3600;

/** For what is tried on the page `/docs`. */
function docsToken({ dataDirectory }: Config): Promise<string> {
  return mintToken(dataDirectory, { ...developmentClaims, client_id: pageClient }, hour);
}
