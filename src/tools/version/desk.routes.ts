import { Controller, Get, Inject, Injectable, Query } from '@nestjs/common';
import { DATABASE, type Database } from '../../kernel/sql.js';
import type { Caller } from '../../platform/auth/caller.js';
import { visibilityOf } from '../../platform/auth/visibility.js';
import { visibleRows } from '../../platform/database/conditions.js';
import { listPage } from '../../platform/database/page.js';
import { Operation } from '../../platform/http/operation.js';
import { CallerOf } from '../../platform/http/parameters.js';
import { listAnswer } from '../../platform/http/schemas.js';
import { type DeskQuery, deskQuery, waitingVersion, waitingVersionExample } from './desk.schemas.js';
import { type VersionDecision, VersionDecisions } from './version-decisions.lookup.js';

interface Waiting {
  readonly toolId: string;
  readonly version: string;
  readonly origin: string | null;
  readonly since: string;
}

/** What waits for a review, over all tools. */
@Injectable()
export class Desk {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly decisions: VersionDecisions,
  ) {}

  async list(
    caller: Caller,
    { state, apiId, name, limit, cursor }: DeskQuery,
  ): Promise<{ readonly items: readonly object[]; readonly nextCursor?: string }> {
    const where = visibleRows(visibilityOf(caller), { limits: ['services', 'environments', 'tiers'] });
    where.add('state = ?', state);
    if (apiId !== undefined) where.add('api_id = ?', apiId);
    if (name !== undefined) where.add('name = ?', name);
    const { rows, ...next } = await listPage<Waiting>(this.database.of(caller.hostId), {
      select: `name, waiting_id, tool_id AS "toolId", version, origin, since`,
      from: `(SELECT t.host_id, t.name, t.tool_id, t.service_id, t.env_tag, t.sensitivity_tier, t.api_id, v.version, v.state, v.origin,
                     v.update_ts AS since, t.tool_id::text || ' ' || v.version AS waiting_id
              FROM tool_version_t v JOIN tool_t t ON t.host_id = v.host_id AND t.tool_id = v.tool_id) AS waiting`,
      ...{ where, text: 'name', id: 'waiting_id', limit, cursor },
    });
    const decisions = await this.decisions.ofEach(caller, rows);
    const items = decisions.map((decision, at) => {
      const { origin = null, since } = rows[at] ?? {};
      return { ...itemOf(decision), origin, since };
    });
    return { items, ...next };
  }
}

function itemOf({ impact, evaluation, ...decision }: VersionDecision) {
  const { toolId, name, toolVersion, state, authors, digest, against, grade, numberFault, missing, lint } =
    decision;
  return {
    ...{ toolId, name, toolVersion, state, authors, digest, against, grade, numberFault, missing, lint },
    evaluated: evaluation?.passed ?? null,
    reach: {
      ...{ skills: impact.skills.length, agents: impact.agents.length },
      gateways: impact.gateways.length,
    },
  };
}

@Controller('v1/hosts/:hostId/tool-versions')
export class DeskController {
  constructor(private readonly desk: Desk) {}

  @Get()
  @Operation({
    id: 'listWaitingVersions',
    summary: 'List the versions that wait',
    description:
      'Over all tools: those in review, or drafts, by the name of the tool, with who wrote them, since when, what they change and for ' +
      'whom, and what is missing for an approval by the caller.',
    scope: 'catalog:read',
    confined: 'refused',
    query: deskQuery,
    answer: listAnswer(waitingVersion),
    example: { answer: { items: [waitingVersionExample] } },
    tag: 'tools',
  })
  list(@CallerOf() caller: Caller, @Query() query: DeskQuery): Promise<object> {
    return this.desk.list(caller, query);
  }
}
