import { Inject, Injectable } from '@nestjs/common';
import { listEndpoints } from '../endpoints/public.js';
import { openFindings } from '../gateways/public.js';
import { DATABASE, type Database, type Sql } from '../kernel/sql.js';
import type { Caller } from '../platform/auth/caller.js';
import { satisfies } from '../platform/auth/claims.js';
import { isNarrowed, type Visibility } from '../platform/auth/visibility.js';
import { Desk } from '../reviews/public.js';
import { lastEvaluations } from '../search/public.js';
import { listTools } from '../tools/public.js';
import { deadLetters } from '../webhooks/public.js';
import { diagnoseSkills } from './diagnostics.queries.js';
import { begunOf, countsOf, withheldAmong } from './overview.queries.js';
import type { OverviewAnswer } from './overview.schemas.js';

type Waiting = OverviewAnswer['waiting'];
type Kind<Name extends keyof Waiting> = NonNullable<Waiting[Name]>;

/** Of each kind so many are shown. */
const LIMIT = 5;
/** Changed tools that are looked through for those that are not in review. */
const LOOKED = 50;

/** What there is, and what of it waits or is broken, in one answer. */
@Injectable()
export class Overview {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly desk: Desk,
  ) {}

  /** Kinds that the token does not reach are left out. */
  async of(caller: Caller, visibility: Visibility): Promise<OverviewAnswer> {
    const sql = this.database.of(caller.hostId);
    const counts = await countsOf(sql, visibility);
    if (isNarrowed(visibility)) return { counts, begun: { inactiveSkill: null, agent: null }, waiting: {} };
    const begun = await begunOf(sql, visibility);
    return { counts, begun, waiting: await this.waiting(sql, caller, visibility) };
  }

  private async waiting(sql: Sql, caller: Caller, visibility: Visibility): Promise<Waiting> {
    const mayAdminister = satisfies(caller, 'catalog:admin');
    const reviews = await this.reviews(caller);
    const changedTools = await changed(sql, visibility);
    const conflicts = await inConflict(sql, visibility);
    const evaluations = await worse(sql, caller);
    if (!mayAdminister) return { reviews, changedTools, conflicts, evaluations };
    const { items: ailing, nextCursor } = await diagnoseSkills(sql, visibility, { limit: LIMIT });
    return {
      ...{ reviews, changedTools, conflicts, evaluations },
      gateways: fewOf((await openFindings(sql, visibility)).map((found) => ({ ...found }))),
      skills: { items: ailing, more: nextCursor !== undefined },
      webhooks: fewOf((await deadLetters(sql, caller.hostId, LIMIT + 1)).map((found) => ({ ...found }))),
    };
  }

  private async reviews(caller: Caller): Promise<Kind<'reviews'>> {
    const { items, nextCursor } = await this.desk.list(caller, { state: 'in_review', limit: LIMIT });
    return {
      items: items.map(({ toolId, name, toolVersion: version, authors, evaluated, reach }) => ({
        ...{ toolId, name, version, authors: [...authors], evaluated, reach },
      })),
      more: nextCursor !== undefined,
    };
  }
}

function fewOf<Item>(all: readonly Item[]): { items: Item[]; more: boolean } {
  return { items: all.slice(0, LIMIT), more: all.length > LIMIT };
}

async function changed(sql: Sql, visibility: Visibility): Promise<Kind<'changedTools'>> {
  const page = { limit: LOOKED, changed: true, active: 'true' } as const;
  const { items, nextCursor } = await listTools(sql, visibility, page);
  const open = items.filter(({ inReview }) => !inReview.some(({ state }) => state === 'in_review'));
  const few = open.slice(0, LIMIT).map(({ toolId, name }) => ({ toolId, name }));
  const withheld = await withheldAmong(
    sql,
    visibility.hostId,
    few.map(({ toolId }) => toolId),
  );
  return {
    items: few.map((tool) => ({ ...tool, withheld: withheld.has(tool.toolId) })),
    more: open.length > LIMIT || nextCursor !== undefined,
  };
}

async function inConflict(sql: Sql, visibility: Visibility): Promise<Kind<'conflicts'>> {
  const page = { limit: LIMIT, conflict: true, active: 'true' } as const;
  const { items, nextCursor } = await listEndpoints(sql, visibility, page);
  return {
    items: items.map(({ endpointId, name, apiId, endpoint }) => ({ endpointId, name, apiId, endpoint })),
    more: nextCursor !== undefined,
  };
}

/** Of each data set the last run, where it found less than the run before it, or what it must not find. */
async function worse(sql: Sql, caller: Caller): Promise<Kind<'evaluations'>> {
  const runs = await lastEvaluations(sql, caller);
  const found = runs.flatMap((last, at) => {
    const isSame = (run: (typeof runs)[number]): boolean =>
      run.dataSet === last.dataSet && run.agentDefId === last.agentDefId;
    if (runs.findIndex(isSame) < at) return [];
    const former = runs.slice(at + 1).find(isSame);
    const { hit1, forbiddenHits } = last.metrics;
    const before = former === undefined ? null : former.metrics.hit1;
    if (forbiddenHits === 0 && (before === null || hit1 >= before)) return [];
    return [{ id: last.id, dataSet: last.dataSet, hit1, forbiddenHits, before }];
  });
  return fewOf(found);
}
