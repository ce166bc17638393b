import { Controller, Get, Inject, Param, Query, Req, type Type } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { DATABASE, type Database, type Sql } from '../../kernel/sql.js';
import type { Visibility } from '../auth/visibility.js';
import { Operation, type OperationSpec } from '../http/operation.js';
import { VisibleTo, WriterOf } from '../http/parameters.js';
import { receiptReply } from '../http/replies.js';
import {
  injected,
  type ProvidersOf,
  type Receipt,
  type UseCase,
  type Writer,
} from '../use-cases/use-case.js';
import type { Reply } from '../idempotency/kept-replies.js';

/** The parameters of a path. */
export type Params = Readonly<Record<string, string>>;

/** The request of a read. */
export interface Asked<Q> {
  readonly visibility: Visibility;
  readonly params: Params;
  readonly query: Q;
}

/** A request as a route takes it, from whichever door: checked against the operation, and in its parts. */
export interface SharedRequest {
  readonly writer: Writer;
  readonly params: Params;
  readonly query: object;
  readonly body: object;
}

/** A controller whose route answers at other doors, too. */
export abstract class SharedRoute {
  /** The body of the route's answer. */
  abstract answerAnywhere(request: SharedRequest): Promise<object>;
}

/** The controller of one read, at a path below the host. `needs` are given to the read, too. */
export function readRoute<Q extends object, const Needs extends readonly unknown[] = []>(
  path: string,
  operation: OperationSpec,
  read: (sql: Sql, asked: Asked<Q>, ...needs: Needs) => Promise<object>,
  ...needs: ProvidersOf<Needs>
): Type {
  @Controller(`v1/hosts/:hostId/${path}`)
  class ReadRoute extends SharedRoute {
    private readonly needs: Needs;

    constructor(
      @Inject(DATABASE) private readonly database: Database,
      ...given: unknown[]
    ) {
      super();
      this.needs = given as unknown as Needs;
    }

    answerAnywhere({ writer: { visibility }, params, query }: SharedRequest): Promise<object> {
      return this.read(visibility, params, query);
    }

    @Get()
    @Operation(operation)
    read(
      @VisibleTo() visibility: Visibility,
      @Param() params: Params,
      @Query() query: object,
    ): Promise<object> {
      const asked = { visibility, params, query: query as Q };
      return read(this.database.of(visibility.hostId), asked, ...this.needs);
    }
  }
  return injected(ReadRoute, 1, needs);
}

/** Makes the answer from the result of a use case. */
export type Replying<Result> = (result: Result, params: Params) => Reply;

/** The input of a route that takes documents, beside the parameters of its path. */
export interface Uploaded<Q extends object = object> {
  readonly body: Buffer;
  readonly mediaType: string;
  readonly query: Q;
}

/** The controller of one write: its input is the parameters of the path and the members of the body; with `upload` see {@link Uploaded}. */
export function writeRoute<Result extends object = Receipt>(
  [method, path]: readonly [method: () => MethodDecorator, path: string],
  operation: OperationSpec,
  useCase: new (writer: Writer, input: never) => UseCase<unknown, Result>,
  reply: Replying<Result> = (result) => receiptReply(result as unknown as Receipt, operation),
): Type {
  @Controller(`v1/hosts/:hostId/${path}`)
  class WriteRoute extends SharedRoute {
    constructor(private readonly commandBus: CommandBus) {
      super();
    }

    async answerAnywhere({ writer, params, body }: SharedRequest): Promise<object> {
      const { body: answer } = await this.carryOut(writer, params, body);
      return JSON.parse(answer) as object;
    }

    @method()
    @Operation(operation)
    async write(
      @WriterOf() writer: Writer,
      @Req() request: FastifyRequest<{ Params: Params }>,
    ): Promise<Reply> {
      const { params, query, body, headers } = request;
      const mediaType = headers['content-type'] ?? '';
      const said = operation.upload ? { body, mediaType, query } : (body as object);
      return this.carryOut(writer, params, said);
    }

    private async carryOut(writer: Writer, params: Params, said: object): Promise<Reply> {
      const { hostId: _host, ...ids } = params;
      return reply(await this.commandBus.execute(new useCase(writer, { ...ids, ...said } as never)), params);
    }
  }
  return WriteRoute;
}
