import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { GracefulStop } from './platform/http/graceful-stop.js';
import type { Log } from './platform/logging/log.js';
import type { Tracing } from './platform/telemetry/tracing.js';

/** Milliseconds that a stop may take: for requests under way, and in all, since a database may hang, or a disk be full. */
export const stopLimits = { drain: 25_000, inAll: 35_000 };

/**
 * Finishes what is under way, refuses the rest with 503, closes the database, and ends the process with 0 (docs/contract.md, section 10);
 * with 1 where that takes too long.
 */
export async function stop(
  app: NestFastifyApplication,
  log: Log,
  limits = stopLimits,
  tracing?: Tracing,
): Promise<void> {
  setTimeout(() => {
    log.error('what was under way did not end in time, and is broken off');
    process.exit(1);
  }, limits.inAll);
  await app.get(GracefulStop).drain(limits.drain);
  await app.close();
  await tracing?.stop();
  log.info('stopped');
  process.exit(0);
}
