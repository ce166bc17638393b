import { Inject, Injectable } from '@nestjs/common';
import type { Statistics } from '../../../packages/ranking/document.js';
import { type Asked, askedOf, rank, type Ranked } from '../../../packages/ranking/rank.js';
import { FollowerRunner } from '../../kernel/follower-runner.js';
import { Invalid } from '../../kernel/errors.js';
import { Turns } from '../../kernel/pace.js';
import { DATABASE, type Database, type Sql } from '../../kernel/sql.js';
import type { Caller } from '../../platform/auth/caller.js';
import { visibilityOf, type Visibility } from '../../platform/auth/visibility.js';
import type { Conditions } from '../../platform/database/conditions.js';
import { SlowReads, timedSql, timedTransaction } from '../../platform/work/slow-reads.js';
import { neighbourhoodOf } from '../documents/catalog-documents.js';
import {
  corpusStatistics,
  candidateStatement,
  candidateValues,
  everyTerm,
  MAX_CANDIDATES,
  MAX_RANKED,
  relatedStatement,
  withWords,
  termGroups,
} from './host-search.queries.js';
import type { Found } from '../../../packages/ranking/word-search.js';
import { countedName, countedStatement, rowsStatement } from './indexed-rows.statement.js';
import type { HostIndex } from './host-index.lookup.js';
import { HostIndexes } from './host-indexes.service.js';
import { fewRows, countStatement, nearStatement } from '../embeddings/embeddings.statement.js';
import {
  bestOf,
  type CandidateRow,
  countedFindable,
  type CountedRow,
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

/** Events that are not in the documents yet, beyond which a search says so at once: a large import takes seconds. */
const MANY = 1_000;

/** Milliseconds that the database may take over one search, and that one waits for an index instead. */
const MAX_TIME = 10_000;

/** Best by words beyond those asked for, whose vectors may raise them among these. */
const MORE = 20;

/** What is looked for of one kind, and the conditions on its documents. */
interface Wanted {
  readonly hostId: string;
  readonly kind: Kind;
  readonly asked: Asked;
  readonly where: Conditions;
}

/** What an index has found of one kind. */
interface Indexed {
  readonly kind: Kind;
  readonly indexed: readonly Found[];
  readonly vector: PromptVector | undefined;
}

/** A question with what its ranking needs, and the index that leads to the documents; without one the database does. */
interface Search {
  readonly question: SearchBody;
  readonly vector: PromptVector | undefined;
  readonly statistics: (kind: Kind) => Statistics;
  readonly index: HostIndex | undefined;
}

/**
 * Searches all of a host that the token may read: its index in memory, or else the database, filters and finds candidates, which are
 * ranked here from their rows; so that the answer is the same.
 */
@Injectable()
export class HostSearch {
  private readonly turns = new Turns();

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly followers: FollowerRunner,
    private readonly vectors: PromptVectors,
    private readonly slowReads: SlowReads,
    private readonly indexes: HostIndexes,
  ) {}

  /** Throws Invalid `search_too_slow`, and Problem 429 where too many are under way. */
  async search(caller: Caller, question: SearchBody): Promise<SearchAnswer> {
    const { prompt, limit, explain } = question;
    const { hostId } = caller;
    // The model is asked outside of the slow reads: it may take long.
    const [fresh, vector] = await Promise.all([
      this.followers.reach(searchDocuments, hostId, { patience, most: MANY }),
      this.vectors.of(hostId, prompt),
    ]);
    const index = await this.indexFor(caller, fresh);
    const answer = (sql: Sql) => this.answered(sql, visibilityOf(caller), { question, index, vector });
    // With an index a few rows are read by their keys.
    const isQuick = index !== undefined && vector?.terms.alone !== true;
    const { ranked, around, isPartial } = isQuick
      ? await answer(timedSql(this.database, hostId, MAX_TIME, tooSlow))
      : await this.slowReads.run(caller, () =>
          timedTransaction(this.database, hostId, { most: MAX_TIME, tooSlow }, answer),
        );
    if (!fresh) this.indexes.advance(hostId);
    const items = bestOf(
      ranked.map((one) => foundItem(one, around, explain)),
      limit,
    );
    const missing = [
      ...(vector === undefined ? ['vectors' as const] : []),
      ...(fresh && !isPartial ? [] : ['index' as const]),
    ];
    return { items, ...(missing.length > 0 && { degraded: missing }) };
  }

  /**
   * While much of an import is not in the documents, nobody waits for an index: it goes on behind the answer. Where none is there in
   * time, rows answer as many as may read them at once. The others wait for the index, which is made sooner than their turn would come.
   */
  private async indexFor(caller: Caller, fresh: boolean): Promise<HostIndex | undefined> {
    const { hostId } = caller;
    const index = fresh ? await this.indexes.of(hostId) : this.indexes.peek(hostId);
    await this.turns.next();
    if (index !== undefined || this.slowReads.hasRoom(caller)) return index;
    const later = fresh ? await this.indexes.of(hostId, MAX_TIME) : await this.indexes.made(hostId, MAX_TIME);
    await this.turns.next();
    return later;
  }

  private async answered(
    sql: Sql,
    visibility: Visibility,
    { question, index, vector }: Omit<Search, 'statistics'>,
  ) {
    const { prompt, kinds } = question;
    const statistics =
      index === undefined
        ? await corpusStatistics(sql, visibility, { prompt, kinds })
        : (kind: Kind) => index.of(kind).statistics(visibility);
    const ranked = await this.ranked(sql, visibility, { question, vector, statistics, index });
    const around = await this.around(sql, visibility, ranked);
    const hasMany = kinds.some((kind) => statistics(kind).documents > MAX_RANKED);
    return {
      ranked,
      around,
      isPartial: index === undefined && this.indexes.mayHave(visibility.hostId) && hasMany,
    };
  }

  private async ranked(sql: Sql, visibility: Visibility, search: Search): Promise<Ranked<Findable>[]> {
    const { question, vector, statistics } = search;
    const ranked: Ranked<Findable>[] = [];
    for (const kind of question.kinds) {
      const asked = askedOf(question.prompt, statistics(kind));
      const where = askedDocuments(visibleDocuments(visibility), { ...question, kinds: [kind] });
      const wanted = { hostId: visibility.hostId, kind, asked, where };
      const { candidates, known } = await this.candidates(sql, visibility, wanted, search);
      ranked.push(...rank(asked, candidates, known, vector?.terms).slice(0, question.limit));
    }
    return ranked;
  }

  /** The best by words, and the nearest of a model that knows meaning; each with the likeness of its vector. */
  private async candidates(
    sql: Sql,
    visibility: Visibility,
    wanted: Wanted,
    { question, vector, statistics, index }: Search,
  ): Promise<{ candidates: Findable[]; known: Statistics }> {
    const { hostId, kind, asked, where } = wanted;
    const most = vector?.terms.alone === true ? MAX_CANDIDATES : question.limit + MORE;
    const indexed = index?.of(kind).best(visibility, question, asked, most);
    // What an answer explains is told by the words themselves.
    if (indexed !== undefined && vector?.terms.alone !== true && !question.explain) {
      const candidates = await this.counted(sql, visibility, { kind, indexed, vector });
      return { candidates, known: statistics(kind) };
    }
    const [byWords, near] = await Promise.all([
      indexed === undefined ? this.byWords(sql, wanted, statistics(kind)) : this.rows(sql, wanted, indexed),
      vector?.terms.alone !== true ? [] : this.near(sql, where, vector),
    ]);
    const worded = byWords.map((row) => findable(row));
    const words = [...byWords, ...near].flatMap((row) => row.words.examples.flat());
    const known =
      index === undefined
        ? await withWords(sql, visibility, { kind, words }, statistics(kind))
        : statistics(kind);
    const best = rank(asked, worded, known).slice(0, most);
    const all = [...best.map(({ candidate }) => candidate), ...near.map((row) => findable(row))];
    const distinct = [...new Map(all.map((each) => [each.id, each])).values()];
    const ids = distinct.map(({ id }) => id);
    const cosines = await this.vectors.cosines(hostId, vector, { kinds: [kind], ids }, sql);
    const candidates = distinct.map((each) => ({ ...each, ...cosines.get(each.id) }));
    return { candidates, known };
  }

  private async counted(
    sql: Sql,
    visibility: Visibility,
    { kind, indexed, vector }: Indexed,
  ): Promise<Findable[]> {
    if (indexed.length === 0) return [];
    const where = visibleDocuments(visibility);
    const counts = new Map(indexed.map(({ id, counted }) => [id, counted]));
    const rows = await sql.query<CountedRow>(
      countedStatement(where.sql(), where.values.length + 1),
      [...where.values, kind, [...counts.keys()], vector?.model ?? null, vector?.vector ?? null],
      countedName(visibility),
    );
    return rows.flatMap((row) => {
      const counted = counts.get(row.entity_id);
      return counted === undefined ? [] : [countedFindable(row, counted)];
    });
  }

  private rows(sql: Sql, { kind, where }: Wanted, found: readonly Found[]): Promise<CandidateRow[]> {
    if (found.length === 0) return Promise.resolve([]);
    const ids = found.map(({ id }) => id);
    return sql.query(rowsStatement(where.sql(), where.values.length + 1), [...where.values, kind, ids]);
  }

  /** All that hold a word of the prompt; where there are many documents, those that a rough count prefers. */
  private byWords(
    sql: Sql,
    { hostId, kind, asked, where }: Wanted,
    statistics: Statistics,
  ): Promise<CandidateRow[]> {
    const { terms } = asked.prompt;
    if (terms.length === 0) return Promise.resolve([]);
    const many = statistics.documents > MAX_RANKED;
    const groups = many ? termGroups(hostId, terms, statistics) : everyTerm(hostId, terms);
    const statement = candidateStatement(where.sql(), where.values.length + 1);
    const values = candidateValues(kind, groups, many ? MAX_CANDIDATES : MAX_RANKED);
    return sql.query(statement, [...where.values, ...values]);
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
