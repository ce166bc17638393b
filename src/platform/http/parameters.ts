import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ServerSpan } from '../../kernel/spans.js';
import type { Caller } from '../auth/caller.js';
import type { Visibility } from '../auth/visibility.js';
import type { KeyedContext } from '../idempotency/idempotency.js';
import type { Writer } from '../use-cases/use-case.js';

/** Members that the hooks of the pipeline set on a request for later ones and for the handler. */
interface RequestNotes {
  /** Set once the token is verified. Its claims may yet not admit the request: then no handler runs. */
  caller: Caller | null;
  /** Reads the agent scope of a narrowed token when called. */
  visibility: (() => Promise<Visibility>) | null;
  /** Set before the handler of a write runs. */
  writeContext: KeyedContext | null;
  /** The body as it came. */
  bodyBytes: Buffer | null;
  /** Code of the problem that the request was answered with. */
  problemCode: string | null;
  /** The span of the request, where spans are made. */
  span: ServerSpan | null;
}

declare module 'fastify' {
  interface FastifyRequest extends RequestNotes {} // eslint-disable-line -- an interface can only be widened like this
}

export function decorateRequests(instance: FastifyInstance): void {
  const notes: readonly (keyof RequestNotes)[] = [
    'caller',
    'visibility',
    'writeContext',
    'bodyBytes',
    'problemCode',
    'span',
  ];
  for (const note of notes) instance.decorateRequest(note, null);
}

/** The value that an earlier hook must have set; without it the route is declared wrongly. */
export function present<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined)
    throw new Error(`No ${what} on this request: is the route an @Operation?`);
  return value;
}

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

/** A reader whose request is named in the log. */
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
