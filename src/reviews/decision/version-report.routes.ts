import { Controller, Get, Inject, Injectable, Param } from '@nestjs/common';
import { NotFound } from '../../kernel/errors.js';
import { DATABASE, type Database, type Sql } from '../../kernel/sql.js';
import type { Caller } from '../../platform/auth/caller.js';
import { Operation } from '../../platform/http/operation.js';
import { CallerOf } from '../../platform/http/parameters.js';
import { evaluationOf } from '../../search/public.js';
import type { KnownVersion } from '../../tools/public.js';
import { listedVersion } from '../../tools/shared.js';
import { findingsOf, type VersionFindings } from '../evaluation/version-evaluations.service.js';
import { VersionDecisions } from './version-decisions.lookup.js';
import { versionReportAnswer, versionReportExample } from './version-report.schemas.js';

/** Puts together what a review of a version rests on. */
@Injectable()
export class VersionReports {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly decisions: VersionDecisions,
  ) {}

  /** Throws NotFound. */
  async of(caller: Caller, toolId: string, number: string): Promise<object> {
    const decision = await this.decisions.of(caller, toolId, number);
    const { evaluation } = decision;
    const sql = this.database.of(caller.hostId);
    return { ...decision, prompts: evaluation && (await promptsOf(sql, caller, evaluation)) };
  }
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
