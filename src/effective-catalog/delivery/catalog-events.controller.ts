import type { Readable } from 'node:stream';
import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Invalid } from '../../kernel/errors.js';
import type { Caller } from '../../platform/auth/caller.js';
import { OpenStreams } from '../../platform/http/event-stream.js';
import { Operation } from '../../platform/http/operation.js';
import { CallerOf } from '../../platform/http/parameters.js';
import { CatalogCache } from './catalog-cache.service.js';
import { CatalogChanges, changed } from './catalog-changes.service.js';
import { catalogExample } from '../effective-catalog.example.js';
import { questionOf } from '../effective-catalog.queries.js';
import { catalogEventsQuery, type CatalogEventsQuery } from '../effective-catalog.schemas.js';

const { serviceId, envTag, catalogVersion, catalogHash } = catalogExample;

/** Changes of one agent's catalog as they happen, so that nobody has to poll for them (docs/contract.md, section 7). */
@Controller('v1/hosts/:hostId/agents/:agentDefId/effective-catalog')
export class CatalogEventsController {
  constructor(
    private readonly catalogs: CatalogCache,
    private readonly changes: CatalogChanges,
    private readonly streams: OpenStreams,
  ) {}

  @Get('events')
  @Operation({
    id: 'followEffectiveAgentCatalog',
    summary: 'Follow the changes of an agent’s catalog',
    description:
      'Server-sent events: `catalog-changed` with the new version and hash, as `id` the version, whenever what this ' +
      'token is given has changed. `Last-Event-ID` or `after` name the version at hand: where the catalog is beyond ' +
      'it, that is said at once. Ends with `expired` when the token does. Without `serviceId` or `envTag` the agent is ' +
      'registered for any that the token covers.',
    scope: ['catalog:agent', 'catalog:read'],
    query: catalogEventsQuery,
    answer: { type: 'string' },
    answerType: 'text/event-stream',
    example: {
      query: { serviceId, envTag },
      answer: `id: ${String(catalogVersion)}\nevent: catalog-changed\ndata: ${JSON.stringify({ catalogVersion, catalogHash })}\n\n`,
    },
    tag: 'agents',
  })
  async follow(
    @CallerOf() caller: Caller,
    @Param('agentDefId') agentDefId: string,
    @Query() { serviceId, envTag, after }: CatalogEventsQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable> {
    const lastEventId = reply.request.headers['last-event-id'];
    const version = lastEventId === undefined ? after : versionOf(String(lastEventId));
    const question = questionOf(caller, agentDefId, { serviceId, envTag });
    // Says 404 before the stream begins.
    const given = await this.catalogs.read(question);
    void reply.type('text/event-stream').headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
    const beyond = version !== undefined && version < given.version;
    const follow = async function* (this: CatalogChanges, ended: AbortSignal) {
      if (beyond) yield changed(given);
      yield* this.follow(question, given, ended);
    };
    return this.streams.events(caller, follow.bind(this.changes));
  }
}

function versionOf(lastEventId: string): number {
  if (/^\d{1,15}$/.test(lastEventId)) return Number(lastEventId);
  throw new Invalid(
    'invalid_last_event_id',
    'Last-Event-ID must be the id of an event of this stream: a version.',
  );
}
