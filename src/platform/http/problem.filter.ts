import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LOG, type Log } from '../logging/log.js';
import { logFailure } from './failure-log.js';
import { answerProblem } from './problem-details.js';

/** Answers every failed request, wherever it failed, with problem details. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(@Inject(LOG) private readonly log: Log) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    if (reply.sent || reply.raw.headersSent) {
      this.log.error({ requestId: request.id, err: error }, 'answer broken off');
      reply.raw.destroy();
      return;
    }
    logFailure(this.log, request.id, error, answerProblem(error, request, reply));
  }
}
