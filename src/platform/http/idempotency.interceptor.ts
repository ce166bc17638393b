import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { finalize, from, of, switchMap, type Observable } from 'rxjs';
import { Idempotency } from '../idempotency/idempotency.js';
import { OPERATION, type OperationSpec } from './operation.js';

/** Answers a repeated write with what it was answered with, before its handler looks at it (contract 1). */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(private readonly idempotency: Idempotency) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { writeContext } = context.switchToHttp().getRequest<FastifyRequest>();
    const { useCase } = Reflect.getMetadata(OPERATION, context.getHandler()) as OperationSpec;
    if (writeContext?.idempotency === undefined || useCase === true) return next.handle();
    const { hostId, idempotency: key } = writeContext;
    return from(this.idempotency.begin(hostId, key)).pipe(
      switchMap((kept) => {
        const answer = kept === undefined ? next.handle() : of(kept);
        return answer.pipe(
          finalize(() => {
            this.idempotency.end(hostId, key);
          }),
        );
      }),
    );
  }
}
