import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { openApiDocument } from './openapi.js';
import { mintToken } from './platform/auth/issuers.js';
import type { Config } from './platform/config/config.js';
import { CatalogAdapter } from './platform/http/catalog-adapter.js';
import { pageClient, serveDocuments } from './platform/http/docs.js';
import { sample } from './sample/sample-ids.js';
import { NestLog, type Log } from './platform/logging/log.js';

/** The service, ready to listen: database open and migrated, routes in place. */
export async function createApplication(config: Config, log: Log): Promise<NestFastifyApplication> {
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.forRoot(config, log),
    new CatalogAdapter(config.bodyLimit),
    { bodyParser: false, abortOnError: false, logger: new NestLog(log) },
  );
  const mint = config.tokens.kind === 'development' ? () => docsToken(config) : undefined;
  serveDocuments(app.getHttpAdapter().getInstance(), openApiDocument(), mint);
  try {
    return await app.init();
  } catch (error) {
    // Its database is open, and would keep its directory.
    await app.close();
    throw error;
  }
}

const hour = 3600;

/** For what is tried on the page `/docs`: all that may be done in the host of the sample, in the environments of the examples. */
function docsToken({ dataDirectory }: Config): Promise<string> {
  const claims = {
    ...{ sub: 'developer', client_id: pageClient },
    ...{ host: sample.hostId, sid: sample.apiServiceId, env: [sample.envTag, 'prod'] },
    scope: 'catalog:read catalog:write catalog:admin catalog:all-services',
  };
  return mintToken(dataDirectory, claims, hour);
}
