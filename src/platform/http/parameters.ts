import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../auth/caller.js';
import type { Visibility } from '../auth/visibility.js';
import type { Writer } from '../use-cases/use-case.js';
import { present } from './request.js';
import type { KeyedContext } from '../idempotency/idempotency.js';

export type { Writer };

const requestOf = (context: ExecutionContext): FastifyRequest =>
  context.switchToHttp().getRequest<FastifyRequest>();

/** `@CallerOf() caller: Caller` */
export const CallerOf = createParamDecorator((_: unknown, context): Caller =>
  present(requestOf(context).caller, 'caller'),
);

/** `@VisibleTo() visibility: Visibility`: the agent scope of a narrowed token is read only where this is asked for. */
export const VisibleTo = createParamDecorator((_: unknown, context): Promise<Visibility> =>
  present(requestOf(context).visibility, 'visibility')(),
);

/** `@Context() context: KeyedContext` of a write. */
export const Context = createParamDecorator((_: unknown, context): KeyedContext =>
  present(requestOf(context).writeContext, 'write context'),
);

/** `@WriterOf() writer: Writer` of a write whose rules are about the caller's claims. */
export const WriterOf = createParamDecorator(async (_: unknown, context): Promise<Writer> => {
  const request = requestOf(context);
  return {
    context: present(request.writeContext, 'write context'),
    caller: present(request.caller, 'caller'),
    visibility: await present(request.visibility, 'visibility')(),
  };
});

/** Who reads what is logged. */
export interface Reader {
  readonly caller: Caller;
  readonly visibility: Visibility;
  readonly requestId: string;
}

/** `@ReaderOf() reader: Reader` of a read that leaves a line in the log. */
export const ReaderOf = createParamDecorator(async (_: unknown, context): Promise<Reader> => {
  const request = requestOf(context);
  return {
    caller: present(request.caller, 'caller'),
    visibility: await present(request.visibility, 'visibility')(),
    requestId: request.id,
  };
});
