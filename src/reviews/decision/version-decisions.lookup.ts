import { Inject, Injectable } from '@nestjs/common';
import { NotFound } from '../../kernel/errors.js';
import { DATABASE, type Database } from '../../kernel/sql.js';
import type { Caller } from '../../platform/auth/caller.js';
import { visibilityOf } from '../../platform/auth/visibility.js';
import { readingForReads } from '../../registry/public.js';
import {
  differencesOf,
  replacedBy,
  todayBy,
  toolsSeen,
  VersionMoves,
  versionsOf,
} from '../../tools/public.js';
import { digestOfDataSets } from '../evaluation/asked-data-sets.lookup.js';
import { groundsOf, lacksOf } from './version-grounds.planner.js';

export type VersionDecision = Awaited<ReturnType<VersionDecisions['of']>>;

interface HostNow {
  /** Like 2026-11-23. */
  readonly today: string;
  readonly dataSetsDigest: string;
}

/** What a decision about a version rests on: of one that was decided, what it rested on then. */
@Injectable()
export class VersionDecisions {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly moves: VersionMoves,
  ) {}

  /** Throws NotFound. */
  async of(caller: Caller, toolId: string, number: string) {
    return this.given(await this.hostNow(caller), caller, toolId, number);
  }

  /** As {@link of}, of many. */
  async ofEach(caller: Caller, versions: readonly { readonly toolId: string; readonly version: string }[]) {
    const now = await this.hostNow(caller);
    const decisions = [];
    for (const { toolId, version } of versions)
      decisions.push(await this.given(now, caller, toolId, version));
    return decisions;
  }

  /** What every version of a host is held to now. */
  private async hostNow({ hostId }: Caller): Promise<HostNow> {
    const sql = this.database.of(hostId);
    return { today: await todayBy(sql), dataSetsDigest: await digestOfDataSets(sql, hostId) };
  }

  private async given(now: HostNow, caller: Caller, toolId: string, number: string) {
    const { hostId } = caller;
    const sql = this.database.of(hostId);
    const visibility = visibilityOf(caller);
    const [tool] = await toolsSeen(sql, visibility, { toolIds: [toolId] });
    if (tool === undefined) throw new NotFound('tool', toolId);
    const versions = await versionsOf(sql, hostId, [toolId]);
    const version = versions.find((known) => known.version === number);
    if (version === undefined) throw new NotFound(`version of tool ${toolId}`, number);
    const { seen, state, author, authors, digest, override, evaluation } = version;
    const reading = readingForReads(hostId);
    const isOpen = state === 'draft' || state === 'in_review';
    const grounds = isOpen && (await groundsOf(version, { versions, ...now }, reading));
    const lacks = grounds ? lacksOf(caller, grounds) : undefined;
    // What was decided is compared with what it was compared with then.
    const replaced =
      seen === null ? replacedBy(versions, number) : versions.find((known) => known.version === seen.against);
    return {
      ...{ toolId, name: tool.name, toolVersion: number, state, author, authors, digest, override },
      missing: lacks?.map(({ detail }) => detail) ?? seen?.missing ?? [],
      needs: [...new Set(lacks?.map(({ need }) => need))],
      lint: grounds ? grounds.lint : (seen?.lint ?? []),
      ...(await differencesOf(version, replaced, { today: seen?.on ?? now.today, reading })),
      evaluation,
      impact: isOpen
        ? await this.moves.byApproval(sql, visibility, version, versions)
        : { skills: [], agents: [], gateways: [] },
      reach: seen?.reach ?? null,
    };
  }
}
