import { Controller, Get, Inject, Injectable, Param } from '@nestjs/common';
import { NotFound } from '../../kernel/errors.js';
import { DATABASE, type Database, type Sql } from '../../kernel/sql.js';
import type { Caller } from '../../platform/auth/caller.js';
import { type Visibility, visibilityOf } from '../../platform/auth/visibility.js';
import { visibleRows } from '../../platform/database/conditions.js';
import { Operation } from '../../platform/http/operation.js';
import { CallerOf } from '../../platform/http/parameters.js';
import { readingForReads } from '../../registry/public.js';
import { compareVersions } from '../../registry/shared.js';
import {
  AskedDataSets,
  differencesOf,
  type KnownVersion,
  missingFor,
  type Moves,
  replacedBy,
  stoppingFindings,
  todayBy,
  toolsSeen,
  VersionMoves,
  versionsOf,
} from '../../tools/public.js';
import { listedVersion } from '../../tools/shared.js';
import { evaluationOf } from './evaluations.queries.js';
import { findingsOf, type VersionFindings } from './version-evaluations.service.js';
import { versionReportAnswer, versionReportExample } from './version-report.schemas.js';

/** Puts together what a review of a version rests on. */
@Injectable()
export class VersionReports {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly moves: VersionMoves,
    private readonly dataSets: AskedDataSets,
  ) {}

  /** Throws NotFound. */
  async of(caller: Caller, toolId: string, number: string): Promise<object> {
    const { hostId } = caller;
    const sql = this.database.of(hostId);
    const visibility = visibilityOf(caller);
    const [tool] = await toolsSeen(sql, visibility, { toolIds: [toolId] });
    if (tool === undefined) throw new NotFound('tool', toolId);
    const versions = await versionsOf(sql, hostId, [toolId]);
    const version = versions.find((known) => known.version === number);
    if (version === undefined) throw new NotFound(`version of tool ${toolId}`, number);
    const isOpen = version.state === 'draft' || version.state === 'in_review';
    const replaced = replacedBy(versions, number);
    const today = await todayBy(sql);
    const dataSetsDigest = isOpen ? await this.dataSets.digest(sql, hostId) : '';
    const { override, evaluation } = version;
    return {
      ...{ toolId, name: tool.name, toolVersion: number },
      ...{ state: version.state, author: version.author, authors: version.authors, digest: version.digest },
      override,
      missing: isOpen ? await missingFor(caller, version, { versions, dataSetsDigest, today }) : [],
      lint: isOpen ? await stoppingFindings(version, readingForReads(hostId)) : [],
      ...(await differencesOf(sql, version, { against: replaced, reading: readingForReads(hostId) })),
      evaluation,
      prompts: evaluation && (await promptsOf(sql, caller, evaluation)),
      impact: isOpen
        ? await this.impact(sql, visibility, version, versions)
        : { skills: [], agents: [], gateways: [] },
    };
  }

  private async impact(
    sql: Sql,
    visibility: Visibility,
    { toolId, version, origin }: KnownVersion,
    versions: readonly KnownVersion[],
  ): Promise<Moves> {
    const before = versions
      .filter(({ state }) => state === 'approved' || state === 'deprecated')
      .map((live) => live.version);
    const isOnlyOne = origin === 'source' && (await isWithheld(sql, visibility, toolId));
    const after = isOnlyOne
      ? [version]
      : [...before, version].sort((one, other) => compareVersions(other, one));
    return this.moves.between(sql, visibility, toolId, { before, after });
  }
}

/** Whether the former version can't be called any more: approving the one that waits then ends the earlier ones. */
async function isWithheld(sql: Sql, visibility: Visibility, toolId: string): Promise<boolean> {
  const where = visibleRows(visibility).add('tool_id = ? AND quarantine', toolId);
  return (await sql.query(`SELECT FROM tool_read ${where.sql()}`, where.values)).length > 0;
}

/** Null where the run can't be shown to the caller: somebody with other rights has asked. */
async function promptsOf(
  sql: Sql,
  caller: Caller,
  { evaluationId, baselineId }: NonNullable<KnownVersion['evaluation']>,
): Promise<VersionFindings | null> {
  if (evaluationId === undefined || baselineId === undefined) return null;
  try {
    const [now, before] = [
      await evaluationOf(sql, caller, evaluationId),
      await evaluationOf(sql, caller, baselineId),
    ];
    return findingsOf(before.results, now.results);
  } catch (error) {
    if (error instanceof NotFound) return null;
    throw error;
  }
}

@Controller('v1/hosts/:hostId/tools/:toolId/versions/:version/report')
export class VersionReportController {
  constructor(private readonly reports: VersionReports) {}

  @Get()
  @Operation({
    id: 'getToolVersionReport',
    summary: 'Report on a version of a tool for its review',
    description:
      'What it changes for callers and in words, whether its number fits, what its last evaluation found before and now, whom an ' +
      'approval gives another version, and what is missing for one. An override stands out.',
    scope: 'catalog:read',
    confined: 'refused',
    params: { version: listedVersion.properties.version },
    answer: versionReportAnswer,
    example: { answer: versionReportExample },
  })
  report(
    @CallerOf() caller: Caller,
    @Param('toolId') toolId: string,
    @Param('version') version: string,
  ): Promise<object> {
    return this.reports.of(caller, toolId, version);
  }
}
