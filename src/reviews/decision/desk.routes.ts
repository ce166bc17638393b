import { Controller, Get, Inject, Injectable, Query } from '@nestjs/common';
import { DATABASE, type Database } from '../../kernel/sql.js';
import type { Caller } from '../../platform/auth/caller.js';
import { visibilityOf } from '../../platform/auth/visibility.js';
import { Operation } from '../../platform/http/operation.js';
import { CallerOf } from '../../platform/http/parameters.js';
import { listAnswer } from '../../platform/http/schemas.js';
import { waitingVersions } from '../../tools/public.js';
import { type DeskQuery, deskQuery, waitingVersion, waitingVersionExample } from './desk.schemas.js';
import { type VersionDecision, VersionDecisions } from './version-decisions.lookup.js';

/** What waits for a review, over all tools. */
@Injectable()
export class Desk {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly decisions: VersionDecisions,
  ) {}

  async list(
    caller: Caller,
    query: DeskQuery,
  ): Promise<{ readonly items: readonly ReturnType<typeof itemOf>[]; readonly nextCursor?: string }> {
    const sql = this.database.of(caller.hostId);
    const { rows, ...next } = await waitingVersions(sql, visibilityOf(caller), query);
    const decisions = await this.decisions.ofEach(caller, rows);
    const items = decisions.map((decision, at) => {
      const { origin = null, since } = rows[at] ?? {};
      return { ...itemOf(decision), origin, since };
    });
    return { items, ...next };
  }
}

function itemOf({ impact, evaluation, ...decision }: VersionDecision) {
  const { toolId, name, toolVersion, state, authors, digest, against, grade, numberFault } = decision;
  const { missing, needs, lint } = decision;
  return {
    ...{ toolId, name, toolVersion, state, authors, digest, against, grade, numberFault },
    ...{ missing, needs, lint },
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
