import type { Command, Outcome, Reply, Write, WriteContext } from '../eventsourcing/command.js';
import type { Sql } from '../eventsourcing/sql.js';
import { receipt } from '../platform/http/replies.js';
import { planImport, type Import, type PlannedImport } from './import.planner.js';
import type { DescribedApiType } from '../formats/formats.js';
import type { Target } from './import-target.planner.js';

/** How an import answers with a receipt of the version. */
export interface VersionReceipt {
  readonly status: Reply['status'];
  readonly location: boolean;
}

/** A write that brings a document into an API version: long to plan, so it is planned before the host's lock. */
export class ImportWrite implements Write {
  readonly mode = 'optimistic';
  private planned: PlannedImport | undefined;

  constructor(
    readonly context: WriteContext,
    private readonly request: Import,
    /** Finds or makes the version; its commands go first. */
    private readonly target: (sql: Sql) => Promise<Target>,
    /** Answers with a receipt of the version, or else with the report alone. */
    private readonly versionReceipt?: VersionReceipt,
  ) {}

  get format(): DescribedApiType {
    return this.request.document.format;
  }

  async plan(sql: Sql): Promise<readonly Command[]> {
    this.planned = await planImport(sql, this.request, await this.target(sql));
    return this.planned.commands;
  }

  async stillHolds(sql: Sql): Promise<boolean> {
    return (await this.planned?.stillHolds(sql)) ?? false;
  }

  /** What it would report, were it carried out. */
  preview(position: number): Reply {
    return { status: 200, headers: {}, body: JSON.stringify(this.planned?.report(position, true) ?? {}) };
  }

  reply(outcomes: readonly Outcome[], position: number): Reply {
    const report = this.planned?.report(position) ?? {};
    if (this.versionReceipt === undefined) return { status: 200, headers: {}, body: JSON.stringify(report) };
    const { status, location } = this.versionReceipt;
    const path = location ? versionPath : undefined;
    return receipt(status, () => ({ import: report }), path)(outcomes, position);
  }
}

export function versionPath({ command, id }: Outcome): string {
  return `/v1/hosts/${command.hostId}/api-versions/${id}`;
}
