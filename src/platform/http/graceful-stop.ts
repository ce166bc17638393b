import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { Problem } from './problem.js';

const heartbeat = 20;

/** Ends the service without breaking off what is under way: SIGTERM finishes it and refuses the rest (docs/contract.md, section 10). */
@Injectable()
export class GracefulStop {
  private readonly controller = new AbortController();
  private running = 0;

  /** Aborted when the service begins to stop: open streams end then. */
  readonly signal: AbortSignal = this.controller.signal;

  install(instance: FastifyInstance): void {
    instance.addHook('onRequest', (_request, reply, done) => {
      this.running += 1;
      // Also where the caller went away before the answer was complete, as readers of streams do.
      reply.raw.once('close', () => {
        this.running -= 1;
      });
      if (this.signal.aborted) done(stopping());
      else done();
    });
  }

  /** Refuses new requests from now on and waits for those under way, at most so many milliseconds. */
  async drain(longest: number): Promise<void> {
    this.controller.abort();
    const end = Date.now() + longest;
    while (this.running > 0 && Date.now() < end) await sleep(heartbeat);
  }
}

/** What a request is refused with that the service no longer serves. */
export function stopping(): Problem {
  return new Problem(503, 'stopping', 'The service is stopping. Try again.', {
    headers: { 'retry-after': '1', connection: 'close' },
  });
}
