import { setTimeout as delay } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Domain } from './kernel/domain.js';
import { compileValidatorsAhead } from './platform/validation/validator.js';

/** Milliseconds for others between two steps. */
const PAUSE = 5;

/**
 * Does ahead what the first request of each kind would wait for, and everybody else with it, since it holds the event loop:
 * compiles the schemas of bodies, queries and events. In small steps, once the service listens.
 */
export async function warmUp(app: NestFastifyApplication): Promise<void> {
  for (const steps of [app.get(Domain).types.compileAhead(), compileValidatorsAhead()]) {
    while (steps.next().done !== true) await delay(PAUSE, undefined, { ref: false });
  }
}
