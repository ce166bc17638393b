import type { Readable } from 'node:stream';
import { Controller, Get, Headers, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Invalid } from '../../eventsourcing/errors.js';
import type { Caller } from '../auth/caller.js';
import { OpenStreams } from '../http/open-streams.js';
import { Operation } from '../http/operation.js';
import { CallerOf } from '../http/parameters.js';
import {
  eventExample,
  historyQuery,
  logAnswer,
  logQuery,
  streamQuery,
  type LogQuery,
  type StreamQuery,
} from './event-log.schemas.js';
import { EventLogReader } from './event-log.reader.js';

const json = 'application/json; charset=utf-8';
const text = { type: 'string', minLength: 1, maxLength: 255 } as const;

/** The log of a host, as it is and as it grows (contract 3). */
@Controller('v1/hosts/:hostId')
export class EventLogController {
  constructor(
    private readonly log: EventLogReader,
    private readonly streams: OpenStreams,
  ) {}

  @Get('events')
  @Operation({
    id: 'listEvents',
    summary: 'Read the log',
    description:
      'In order of position. A page may hold fewer than `limit` events, but none only at the end of the log.',
    scope: 'catalog:admin',
    confined: 'refused',
    query: logQuery,
    answer: logAnswer,
    example: { query: { after: 56, limit: 1 }, answer: { items: [eventExample] } },
  })
  async list(
    @CallerOf() { hostId }: Caller,
    @Query() { after, limit }: LogQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return itemsOf(await this.log.page(hostId, after, limit), reply);
  }

  @Get('events/stream')
  @Operation({
    id: 'followEvents',
    summary: 'Follow the log',
    description:
      'Server-sent events: `id` is the position, `event` the type, `data` the event. Ends with `expired` when the token does.',
    scope: 'catalog:admin',
    confined: 'refused',
    query: streamQuery,
    answer: { type: 'string' },
    answerType: 'text/event-stream',
    example: {
      query: { after: 56 },
      answer: `id: 57\nevent: ${eventExample.type}\ndata: ${JSON.stringify(eventExample)}\n\n`,
    },
    tag: 'events',
  })
  follow(
    @CallerOf() caller: Caller,
    @Query() { after }: StreamQuery,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Readable {
    const from = lastEventId === undefined ? after : positionOf(lastEventId);
    void reply.type('text/event-stream').headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
    return this.streams.events(caller, (ended) => this.log.follow(caller.hostId, from, ended));
  }

  @Get('streams/:aggregateType/:aggregateId')
  @Operation({
    id: 'getEventHistory',
    summary: 'Read the history of one record',
    description: 'Its events in order of version.',
    scope: 'catalog:admin',
    confined: 'refused',
    params: { aggregateType: text, aggregateId: text },
    query: historyQuery,
    answer: logAnswer,
    example: { query: { after: 3, limit: 1 }, answer: { items: [eventExample] } },
    tag: 'events',
  })
  async history(
    @CallerOf() { hostId }: Caller,
    @Param() { aggregateType, aggregateId }: Readonly<Record<'aggregateType' | 'aggregateId', string>>,
    @Query() { after, limit }: LogQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return itemsOf(await this.log.history({ hostId, aggregateType, aggregateId }, after, limit), reply);
  }
}

function itemsOf(items: string, reply: FastifyReply): string {
  void reply.type(json);
  return `{"items":${items}}`;
}

function positionOf(lastEventId: string): number {
  if (/^\d{1,15}$/.test(lastEventId)) return Number(lastEventId);
  throw new Invalid(
    'invalid_last_event_id',
    'Last-Event-ID must be the id of an event of this stream: a position.',
  );
}
