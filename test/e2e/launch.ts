import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApplication } from '../../src/application.js';
import { readConfig } from '../../src/platform/config/config.js';
import { createLog } from '../../src/platform/logging/log.js';
import type { Home } from './home.js';

/** Gateways and webhooks of the tests are on this machine, and no answer is late only because the machine is busy. */
export const usual = { OUTBOUND_ALLOW: '127.0.0.1', GATEWAY_TIMEOUT: '120000' } as const;

type Out = Parameters<typeof createLog>[1];

export interface Launched {
  readonly app: NestFastifyApplication;
  readonly address: string;
}

/** The whole service in this process, over real HTTP. It logs errors alone, unless `environment` says otherwise. */
export async function launch(home: Home, environment: NodeJS.ProcessEnv, log: Out): Promise<Launched> {
  const config = readConfig({
    ...{ PORT: '0', LOG_LEVEL: 'error', SAMPLE_DATA: 'off' },
    ...home.environment,
    ...environment,
  });
  const app = await createApplication(config, createLog(config.logLevel, log));
  await app.listen({ port: 0, host: '127.0.0.1' });
  return { app, address: await app.getUrl() };
}
