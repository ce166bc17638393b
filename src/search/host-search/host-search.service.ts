import { Inject, Injectable } from '@nestjs/common';
import { promptOf } from '../../../packages/ranking/prompt.js';
import { rank, type Ranked } from '../../../packages/ranking/rank.js';
import { FollowerRunner } from '../../kernel/follower-runner.js';
import { Invalid } from '../../kernel/errors.js';
import { DATABASE, type Database, type Sql } from '../../kernel/sql.js';
import type { Caller } from '../../platform/auth/caller.js';
import { visibilityOf, type Visibility } from '../../platform/auth/visibility.js';
import type { Conditions } from '../../platform/database/conditions.js';
import { SlowReads, timedSql } from '../../platform/work/slow-reads.js';
import { neighbourhoodOf } from '../documents/catalog-documents.js';
import {
  corpusStatistics,
  candidateStatement,
  candidateValues,
  relatedStatement,
  type TermGroup,
  termGroups,
} from './host-search.queries.js';
import { fewRows, countStatement, nearStatement } from '../embeddings/embeddings.statement.js';
import {
  bestOf,
  type CandidateRow,
  findable,
  type Findable,
  foundItem,
  type Neighbourhood,
} from '../found.js';
import { PromptVectors, type PromptVector } from '../embeddings/prompt-vectors.service.js';
import type { Kind } from '../documents/search-document.js';
import { askedDocuments, visibleDocuments } from '../documents/search-documents.filter.js';
import { patience, searchDocuments } from '../documents/search-documents.follower.js';
import type { SearchAnswer, SearchBody } from '../search.schemas.js';

/** Nearest vectors that are ranked beside the documents that the words have found. */
const MAX_NEAR = 100;
/** Nearest vectors below which the walk along the index is followed by an exact comparison. */
const MIN_NEAR = 10;

/** Milliseconds that the database may take over one search. */
const MAX_TIME = 10_000;

/** Groups of words, and the kind of records in which they are looked for. */
interface Wanted {
  readonly hostId: string;
  readonly kind: Kind;
  readonly groups: readonly TermGroup[];
}

/** A question with the vector and the statistics for its ranking. */
interface Asked {
  readonly question: SearchBody;
  readonly vector: PromptVector | undefined;
  readonly statistics: Awaited<ReturnType<typeof corpusStatistics>>;
}

/**
 * Searches all of a host that the token may read: the database filters and finds candidates, which are ranked here.
 */
@Injectable()
export class HostSearch {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly followers: FollowerRunner,
    private readonly vectors: PromptVectors,
    private readonly slowReads: SlowReads,
  ) {}

  /** Throws Invalid `search_too_slow`, and Problem 429 where too many are under way. */
  async search(caller: Caller, question: SearchBody): Promise<SearchAnswer> {
    const { prompt, kinds, limit, explain } = question;
    const { hostId } = caller;
    const fresh = await this.followers.reach(searchDocuments, hostId, patience);
    const visibility = visibilityOf(caller);
    const sql = timedSql(this.database, hostId, MAX_TIME, tooSlow);
    // The model is asked outside of the slow reads: it may take long.
    const [vector, statistics] = await Promise.all([
      this.vectors.of(hostId, prompt),
      this.slowReads.run(caller, () => corpusStatistics(sql, visibility, { prompt, kinds })),
    ]);
    const [ranked, around] = await this.slowReads.run(caller, async () => {
      const best = await this.ranked(sql, visibility, { question, vector, statistics });
      return [best, await this.around(sql, visibility, best)] as const;
    });
    const items = bestOf(
      ranked.map((one) => foundItem(one, around, explain)),
      limit,
    );
    const missing = [
      ...(vector === undefined ? ['vectors' as const] : []),
      ...(fresh ? [] : ['index' as const]),
    ];
    return { items, ...(missing.length > 0 && { degraded: missing }) };
  }

  private async ranked(
    sql: Sql,
    visibility: Visibility,
    { question, vector, statistics }: Asked,
  ): Promise<Ranked<Findable>[]> {
    const { prompt, kinds, limit } = question;
    const { hostId } = visibility;
    const ranked: Ranked<Findable>[] = [];
    for (const kind of kinds) {
      const asked = askedDocuments(visibleDocuments(visibility), { ...question, kinds: [kind] });
      const groups = termGroups(hostId, promptOf(prompt, statistics(kind)).terms, statistics(kind));
      const candidates = await this.candidates(sql, asked, { hostId, kind, groups }, vector);
      ranked.push(...rank(prompt, candidates, statistics(kind), vector?.terms).slice(0, limit));
    }
    return ranked;
  }

  private async candidates(
    sql: Sql,
    asked: Conditions,
    { hostId, kind, groups }: Wanted,
    vector: PromptVector | undefined,
  ): Promise<Findable[]> {
    const [byWords, near] = await Promise.all([
      groups.length === 0 ? [] : this.byWords(sql, asked, { hostId, kind, groups }),
      vector?.terms.alone !== true ? [] : this.near(sql, asked, vector),
    ]);
    const rows = [...new Map([...byWords, ...near].map((row) => [row.entity_id, row])).values()];
    const ids = rows.map(({ entity_id: id }) => id);
    const cosines = await this.vectors.cosines(hostId, vector, { kinds: [kind], ids });
    return rows.map((row) => findable(row, cosines.get(row.entity_id)));
  }

  private byWords(sql: Sql, asked: Conditions, { kind, groups }: Wanted): Promise<CandidateRow[]> {
    const statement = candidateStatement(asked.sql(), asked.values.length + 1);
    return sql.query(statement, [...asked.values, ...candidateValues(kind, groups)]);
  }

  private async near(sql: Sql, asked: Conditions, { model, vector }: PromptVector): Promise<CandidateRow[]> {
    const [where, next] = [asked.sql(), asked.values.length + 1];
    const [passing] = await sql.query<{ count: number }>(countStatement(where, next), [
      ...asked.values,
      fewRows,
    ]);
    const nearest = (exact: boolean) =>
      sql.query<CandidateRow>(nearStatement(where, next, exact), [...asked.values, model, vector, MAX_NEAR]);
    const walked = (passing?.count ?? 0) < fewRows ? [] : await nearest(false);
    return walked.length < MIN_NEAR ? nearest(true) : walked;
  }

  /** Reads the records that the found ones refer to and that the caller may see. */
  private async around(
    sql: Sql,
    visibility: Visibility,
    ranked: readonly Ranked<Findable>[],
  ): Promise<Neighbourhood> {
    const relations = ranked.map(({ candidate }) => candidate.related);
    const keys = relations.flatMap(({ dependencies, fallback }) => [
      ...dependencies.map(({ endpoint }) => endpoint),
      ...(fallback === undefined ? [] : [fallback]),
    ]);
    const skills = relations.flatMap((each) => each.skills);
    if (keys.length + skills.length === 0) return neighbourhoodOf([]);
    const where = visibleDocuments(visibility);
    const statement = relatedStatement(where.sql(), where.values.length + 1);
    return neighbourhoodOf(
      await sql.query<Parameters<typeof neighbourhoodOf>[0][number]>(statement, [
        ...where.values,
        keys,
        skills,
      ]),
    );
  }
}

function tooSlow(): Invalid {
  return new Invalid(
    'search_too_slow',
    'The search took too long. Ask with fewer words, or narrow it: kinds, filters, serviceId.',
  );
}
