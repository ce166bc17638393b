import { Inject, Injectable } from '@nestjs/common';
import { NotFound } from '../../kernel/errors.js';
import { DATABASE, type Database } from '../../kernel/sql.js';
import type { Caller } from '../../platform/auth/caller.js';
import { visibilityOf } from '../../platform/auth/visibility.js';
import { readingForReads } from '../../registry/public.js';
import { toolsSeen } from '../tool/tool.lookup.js';
import { AskedDataSets } from './asked-data-sets.port.js';
import { replacedBy, todayBy, versionsOf } from '../tool/tool-versions.lookup.js';
import { differencesOf } from './version-diff.routes.js';
import { groundsOf, missingFor } from './version-grounds.planner.js';
import { VersionMoves } from './version-moves.lookup.js';

export type VersionDecision = Awaited<ReturnType<VersionDecisions['of']>>;

/** What a decision about a version rests on: of one that was decided, what it rested on then. */
@Injectable()
export class VersionDecisions {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly moves: VersionMoves,
    private readonly dataSets: AskedDataSets,
  ) {}

  /** Throws NotFound. */
  async of(caller: Caller, toolId: string, number: string) {
    const { hostId } = caller;
    const sql = this.database.of(hostId);
    const visibility = visibilityOf(caller);
    const [tool] = await toolsSeen(sql, visibility, { toolIds: [toolId] });
    if (tool === undefined) throw new NotFound('tool', toolId);
    const versions = await versionsOf(sql, hostId, [toolId]);
    const version = versions.find((known) => known.version === number);
    if (version === undefined) throw new NotFound(`version of tool ${toolId}`, number);
    const { seen, state, author, authors, digest, override, evaluation } = version;
    const today = await todayBy(sql);
    const reading = readingForReads(hostId);
    const isOpen = state === 'draft' || state === 'in_review';
    const present = async () => ({
      versions,
      today,
      dataSetsDigest: await this.dataSets.digest(sql, hostId),
    });
    const grounds = isOpen && (await groundsOf(version, await present(), reading));
    // What was decided is compared with what it was compared with then.
    const replaced =
      seen === null ? replacedBy(versions, number) : versions.find((known) => known.version === seen.against);
    return {
      ...{ toolId, name: tool.name, toolVersion: number, state, author, authors, digest, override },
      missing: grounds ? missingFor(caller, grounds) : (seen?.missing ?? []),
      lint: grounds ? grounds.lint : (seen?.lint ?? []),
      ...(await differencesOf(version, replaced, { today: seen?.on ?? today, reading })),
      evaluation,
      impact: isOpen
        ? await this.moves.byApproval(sql, visibility, version, versions)
        : { skills: [], agents: [], gateways: [] },
      reach: seen?.reach ?? null,
    };
  }
}
