import type { Readable } from 'node:stream';
import { Controller, Get, Headers, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { Invalid } from '../../kernel/errors.js';
import type { Caller } from '../auth/caller.js';
import { OpenStreams } from '../http/event-stream.js';
import { Operation } from '../http/operation.js';
import { CallerOf } from '../http/parameters.js';
import { dateTime, objectOf, uuid } from '../http/schemas.js';
import { EventLogReader } from './event-log.reader.js';

const count = { type: 'integer', minimum: 0 } as const;
const hex = { type: 'string', pattern: '^[0-9a-f]{64}$' } as const;

const logQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    after: { ...count, default: 0, description: 'Position of the last event already read.' },
    limit: { type: 'integer', minimum: 1, maximum: 500, default: 50 },
  },
} as const satisfies JSONSchema;
type LogQuery = FromSchema<typeof logQuery>;

const pageQuery = {
  ...logQuery,
  properties: {
    ...logQuery.properties,
    newestFirst: {
      type: 'boolean',
      default: false,
      description:
        'Reads from the end of the log back, or from `before` back; `after` counts for nothing then.',
    },
    before: {
      ...count,
      description: 'Position of the oldest event already read, where the newest come first.',
    },
  },
} as const satisfies JSONSchema;
type PageQuery = FromSchema<typeof pageQuery>;

const historyQuery = {
  ...logQuery,
  properties: {
    ...logQuery.properties,
    after: { ...count, default: 0, description: 'Version of the last event already read.' },
  },
} as const satisfies JSONSchema;

const streamQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    after: {
      ...count,
      description:
        'Position to go on from; the header Last-Event-ID goes before it. Else the log is read from its start.',
    },
    fromEnd: {
      type: 'boolean',
      default: false,
      description: 'Begins at the end of the log, where neither `after` nor Last-Event-ID says from where.',
    },
    data: {
      type: 'boolean',
      default: true,
      description:
        'False leaves the `data` of each event out, for those who want to know only what has changed.',
    },
  },
} as const satisfies JSONSchema;
type StreamQuery = FromSchema<typeof streamQuery>;

/** CloudEvents 1.0 with our extensions (docs/contract.md, section 3). */
const recordedEvent = objectOf(
  {
    specversion: { const: '1.0' },
    id: uuid,
    source: { type: 'string' },
    type: { type: 'string' },
    subject: { type: 'string' },
    time: dateTime,
    datacontenttype: { const: 'application/json' },
    dataschema: { type: 'string' },
    data: { type: ['object', 'null'], description: 'Null where it was erased; its digest stays.' },
    host: uuid,
    user: { type: 'string' },
    clientid: { type: 'string' },
    aggregatetype: { type: 'string' },
    aggregateid: { type: 'string' },
    aggregateversion: count,
    position: count,
    correlationid: { type: 'string' },
    causationid: uuid,
    datadigest: hex,
    hash: hex,
  },
  [
    'datacontenttype',
    'dataschema',
    'user',
    'clientid',
    'aggregatetype',
    'aggregateid',
    'aggregateversion',
    'correlationid',
    'causationid',
    'datadigest',
  ],
);

const logAnswer = objectOf({ items: { type: 'array', items: recordedEvent } });

const eventExample = {
  specversion: '1.0',
  id: '0192f0c4-8a10-7d21-9b3c-1f2e3d4c5b6a',
  source: 'urn:portal-catalog',
  type: 'SkillDeactivatedEvent',
  subject: '0192f0c4-8a10-7d21-9b3c-1f2e3d4c5b60',
  time: '2026-11-21T08:00:00.000Z',
  datacontenttype: 'application/json',
  dataschema: 'urn:portal-catalog:event:SkillDeactivatedEvent:1',
  data: {},
  host: '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e01',
  user: 'ada',
  aggregatetype: 'Skill',
  aggregateid: '0192f0c4-8a10-7d21-9b3c-1f2e3d4c5b60',
  aggregateversion: 4,
  position: 57,
  correlationid: '3f0f5a0e-5d0c-4f43-8d0e-4a8a3f3f7f11',
  datadigest: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
  hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
};

const json = 'application/json; charset=utf-8';
const text = { type: 'string', minLength: 1, maxLength: 255 } as const;

/** The log of a host, as it is and as it grows (docs/contract.md, section 3). */
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
      'In order of position, or the other way round. A page may hold fewer than `limit` events, but none only at the end of the log.',
    scope: 'catalog:admin',
    confined: 'refused',
    query: pageQuery,
    answer: logAnswer,
    example: { query: { after: 56, limit: 1 }, answer: { items: [eventExample] } },
  })
  async list(
    @CallerOf() { hostId }: Caller,
    @Query() { after, limit, newestFirst, before }: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const items = newestFirst
      ? await this.log.pageBack(hostId, before, limit)
      : await this.log.page(hostId, after, limit);
    return itemsOf(items, reply);
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
  async follow(
    @CallerOf() caller: Caller,
    @Query() { after, fromEnd, data }: StreamQuery,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable> {
    const { hostId } = caller;
    const said = lastEventId === undefined ? after : positionOf(lastEventId);
    // Before the stream opens: whoever sees it open misses nothing from then on.
    const from = said ?? (fromEnd ? await this.log.end(hostId) : 0);
    void reply.type('text/event-stream').headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
    return this.streams.events(caller, (ended) => this.log.follow({ hostId, from, data }, ended));
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
