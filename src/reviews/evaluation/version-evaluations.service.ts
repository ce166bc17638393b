import { Inject, Injectable } from '@nestjs/common';
import { v7 } from 'uuid';
import { NotFound, RuleBroken } from '../../kernel/errors.js';
import { FollowerRunner } from '../../kernel/follower-runner.js';
import { Heads } from '../../kernel/heads.js';
import { DATABASE, type Database, type Sql } from '../../kernel/sql.js';
import type { Caller } from '../../platform/auth/caller.js';
import { type Visibility, visibilityOf } from '../../platform/auth/visibility.js';
import { SlowReads } from '../../platform/work/slow-reads.js';
import { evalConfigDigest, evalConfigOf } from '../../registry/shared.js';
import {
  dataSetsOf,
  insertEvaluation,
  latencyOf,
  patience,
  type Ranking,
  RankingPool,
  searchDocuments,
  versionCatalogs,
} from '../../search/public.js';
import {
  confusionsOf,
  type Finds,
  madeQuestions,
  metricsOf,
  ownQuestions,
  type Question,
  type Result,
  resultOf,
} from '../../search/shared.js';
import { type KnownVersion, replacedBy, toolsSeen, versionsOf } from '../../tools/public.js';
import { dataSetsDigest } from './asked-data-sets.lookup.js';
import { shortOfGrounds } from './evaluation-grounds.js';
import type { VersionEvaluationBody } from './version-evaluation.schemas.js';
import { flipsOf, type Verdict, verdictOf } from './version-gate.js';
import { cutTo, questionsOf, refuseTooMany } from './version-questions.js';

const MAX_SHOWN = 100;
const MAX_CONFUSIONS = 20;

/** What was found of one version: what is recorded of it, and the prompts that it changes. */
export interface EvaluatedVersion {
  readonly digest: string;
  readonly evaluation: RecordedVersionEvaluation;
  readonly findings: VersionFindings;
}

/** What stays in the log: figures, since not all who see the tool see the others. */
export interface RecordedVersionEvaluation extends Verdict {
  readonly at: string;
  readonly against: string | null;
  readonly position: number;
  readonly margin: number;
  readonly asked: {
    readonly config: number;
    readonly configDigest: string | null;
    readonly dataSets: readonly string[];
    readonly allDataSets: boolean;
    readonly dataSetsDigest: string;
    readonly own: number;
    /** Of the tool's name and description; above 0 only where nothing else asks for it. */
    readonly made: number;
  };
  /** Whether no approval rests on it, whatever it has found. */
  readonly exploring: boolean;
  readonly evaluationId: string;
  readonly baselineId: string;
}

export type VersionFindings = ReturnType<typeof findingsOf>;

interface Subject {
  readonly version: KnownVersion;
  /** The version whose place it would take. */
  readonly replaced: KnownVersion | undefined;
  readonly envTag: string | null;
}

/** What was asked of one of the two catalogs, cut to what the caller sees. */
interface Run extends Pick<Answered, 'results' | 'latency'> {
  readonly id: string;
  readonly dataSet: string;
}

/**
 * Asks the catalog as it is, and with a version of a tool in the place of the one that agents are given: by words alone,
 * so that the same content at the same position gives the same answer.
 */
@Injectable()
export class VersionEvaluations {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly heads: Heads,
    private readonly followers: FollowerRunner,
    private readonly slowReads: SlowReads,
    private readonly rankings: RankingPool,
  ) {}

  /**
   * Judges by all tools of the tool's environment, whoever asks: only then it is cut to what the caller sees. Throws
   * NotFound for an unknown tool, version or data set, RuleBroken where there is nothing to ask, or too much, and what
   * {@link RankingPool.run} throws.
   */
  run(
    caller: Caller,
    version: { readonly toolId: string; readonly version: string },
    body: VersionEvaluationBody,
  ): Promise<EvaluatedVersion> {
    return this.rankings.run(caller.hostId, (ranking) => this.evaluated(caller, version, body, ranking));
  }

  private async evaluated(
    caller: Caller,
    { toolId, version: number }: { readonly toolId: string; readonly version: string },
    { config: sent, dataSets: named, margin }: VersionEvaluationBody,
    ranking: Ranking,
  ): Promise<EvaluatedVersion> {
    const sql = this.database.of(caller.hostId);
    const visibility = visibilityOf(caller);
    const subject = await subjectOf(sql, visibility, toolId, number);
    const { name, digest, evalConfig: kept } = subject.version;
    const config = sent === undefined ? kept : evalConfigOf(sent, name);
    const dataSets = await dataSetsOf(sql, caller.hostId, named);
    const position = await this.heads.position(caller.hostId);
    if (!(await this.followers.reach(searchDocuments, caller.hostId, { patience }))) throw behind();
    const { pages, sources, before, now, source, seen } = await versionCatalogs(
      sql,
      visibility,
      subject,
      (read) => this.slowReads.run(caller, read),
    );
    const tools = await ranking.count(pages, [before, now]);
    const own = await ownQuestions(source, sources(), ranking);
    const questions = questionsOf(config ?? undefined, dataSets, own);
    if (!questions.some(({ expect }) => expect.includes(name))) questions.push(...madeQuestions(source));
    refuseTooMany(questions, tools);
    const both = await ranking.ranked(pages, promptsOf(questions));
    const [former, next] = both.map((finds) => resultsOf(questions, finds)) as [Answered, Answered];
    const asked = questions.map(({ forbid = [], from }, place) => ({
      ...{ before: former.results[place] as Result, now: next.results[place] as Result },
      ...{ forbid, configured: from === 'config' },
    }));
    const verdict = verdictOf(asked, { tool: name, margin, thresholds: config?.thresholds ?? {} });
    const shown = (results: readonly Result[]): Result[] => cutTo(seen, questions, results);
    const [results, baseline] = [shown(next.results), shown(former.results)];
    const against = subject.replaced?.version ?? null;
    const [evaluationId, baselineId] = [v7(), v7()];
    const replaced = against === null ? `without ${name}` : `${name} ${against}`;
    await this.keep(caller, position, [
      { id: baselineId, dataSet: replaced, results: baseline, latency: former.latency },
      { id: evaluationId, dataSet: `${name} ${number}`, results, latency: next.latency },
    ]);
    const asking = {
      margin,
      asked: {
        ...{ config: countOf(questions, 'config'), configDigest: config && evalConfigDigest(config) },
        ...{ dataSets: dataSets.map((set) => set.name), allDataSets: named === undefined },
        dataSetsDigest: dataSetsDigest(dataSets),
        ...{ own: countOf(questions, 'own'), made: countOf(questions, 'made') },
      },
    };
    const evaluation: RecordedVersionEvaluation = {
      ...verdict,
      ...asking,
      ...{ at: new Date().toISOString(), against, position, evaluationId, baselineId },
      exploring: shortOfGrounds(asking, kept).length > 0,
    };
    return { digest, evaluation, findings: findingsOf(baseline, results) };
  }

  private keep(caller: Caller, position: number, runs: readonly Run[]): Promise<void> {
    return this.database.of(caller.hostId).transaction(async (tx) => {
      for (const { latency, ...run } of runs)
        await insertEvaluation(tx, caller, {
          ...{ ...run, agentDefId: null, position },
          metrics: { ...metricsOf(run.results), latency },
          confusions: confusionsOf(run.results, MAX_CONFUSIONS),
        });
    });
  }
}

const promptsOf = (asked: readonly { readonly prompt: string }[]): string[] =>
  asked.map(({ prompt }) => prompt);

function countOf(questions: readonly Question[], from: Question['from']): number {
  return questions.filter((each) => each.from === from).length;
}

async function subjectOf(sql: Sql, visibility: Visibility, toolId: string, number: string): Promise<Subject> {
  const [tool] = await toolsSeen(sql, visibility, { toolIds: [toolId] });
  if (tool === undefined) throw new NotFound('tool', toolId);
  const versions = await versionsOf(sql, visibility.hostId, [toolId]);
  const version = versions.find((known) => known.version === number);
  if (version === undefined) throw new NotFound(`version of tool ${toolId}`, number);
  if (version.state !== 'draft' && version.state !== 'in_review') {
    const detail = `Version ${number} of ${tool.name} is decided (${version.state}): only drafts and versions in review are evaluated.`;
    throw new RuleBroken('version_state', detail);
  }
  return { version, replaced: replacedBy(versions, number), envTag: tool.envTag };
}

type Answered = ReturnType<typeof resultsOf>;

function resultsOf(questions: readonly Question[], { found, times }: Finds) {
  const results = questions.map((question, place) => resultOf(question, found[place] ?? []));
  return { results, latency: latencyOf(times) };
}

/** What two runs of the same prompts in the same order say of a version, cut to what fits into an answer. */
export function findingsOf(before: readonly Result[], now: readonly Result[]) {
  const { better, worse } = flipsOf(before, now);
  return {
    worse: worse.slice(0, MAX_SHOWN),
    better: better.slice(0, MAX_SHOWN),
    confusions: {
      before: confusionsOf(before, MAX_CONFUSIONS),
      now: confusionsOf(now, MAX_CONFUSIONS),
    },
  };
}

function behind(): RuleBroken {
  const detail =
    'The search index has not caught up with the last changes, so an evaluation would be of another catalog. Try again in a moment.';
  return new RuleBroken('index_behind', detail);
}
