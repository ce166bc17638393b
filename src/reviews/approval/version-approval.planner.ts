/** Who may approve a version, and when. */
import type { Sql } from '../../kernel/sql.js';
import { RuleBroken } from '../../kernel/errors.js';
import type { Caller } from '../../platform/auth/caller.js';
import { refuseLessGuarded, requireScope, requireSomebody } from '../../platform/auth/claims.js';
import type { Visibility } from '../../platform/auth/visibility.js';
import { readingForWrites } from '../../registry/public.js';
import {
  approvalFacts,
  type KnownVersion,
  replacedBy,
  todayBy,
  type VersionMoves,
  versionsOf,
} from '../../tools/public.js';
import type { Approval, SeenByReviewer } from '../../tools/shared.js';
import {
  acceptedBy,
  bringsSuspicious,
  type Grounds,
  groundsOf,
  isAuthor,
  missingFor,
  missingGrounds,
  namesOf,
} from '../decision/version-grounds.planner.js';
import { digestOfDataSets } from '../evaluation/asked-data-sets.lookup.js';
import type { ApprovalBody } from './approval.schemas.js';

/** Where a review is read from. */
interface Sources {
  readonly sql: Sql;
  readonly moves: VersionMoves;
}

/** Hands a handler what it reads from beside the database. */
export const withMoves = (_input: unknown, _writer: unknown, moves: VersionMoves): Promise<VersionMoves> =>
  Promise.resolve(moves);

export interface Reviewer {
  readonly caller: Caller;
  readonly visibility: Visibility;
}

/** Approval of the version, at whatever door it is asked for: throws where there are no grounds for it. */
export async function approvalOf(
  sources: Sources,
  reviewer: Reviewer,
  waiting: KnownVersion,
  { override, digest: read, acceptsFindings = false }: ApprovalBody,
): Promise<Approval> {
  const { caller } = reviewer;
  refuseMoved(waiting, read);
  requireScope(caller, 'catalog:approve');
  requireSomebody(caller);
  const grounds = await groundsNow(sources.sql, caller, waiting);
  // Who is no administrator approves nothing that is suspicious (docs/contract.md, section 2).
  refuseLessGuarded(caller, bringsSuspicious(grounds.versions, waiting));
  if (override === undefined) refuseWithout(grounds, caller);
  refuseUnaccepted(caller, waiting, acceptsFindings);
  if (override === undefined) refuseNumber(grounds);
  const { digest, evaluation } = waiting;
  return {
    ...{ digest, evaluation, override: override ?? null },
    seen: await seenIn(sources, reviewer, grounds),
    ...(await approvalFacts(sources.sql, caller.hostId, waiting)),
  };
}

async function groundsNow(sql: Sql, { hostId }: Caller, known: KnownVersion): Promise<Grounds> {
  const present = {
    versions: await versionsOf(sql, hostId, [known.toolId]),
    dataSetsDigest: await digestOfDataSets(sql, hostId),
    today: await todayBy(sql),
  };
  return groundsOf(known, present, readingForWrites(hostId));
}

/** What the report of the version shows who decides about it now. */
export async function seenBy(
  sources: Sources,
  reviewer: Reviewer,
  known: KnownVersion,
): Promise<SeenByReviewer> {
  return seenIn(sources, reviewer, await groundsNow(sources.sql, reviewer.caller, known));
}

async function seenIn(
  { sql, moves }: Sources,
  { caller, visibility }: Reviewer,
  grounds: Grounds,
): Promise<SeenByReviewer> {
  const { known, versions, today, lint } = grounds;
  const { skills, agents, gateways } = await moves.byApproval(sql, visibility, known, versions);
  return {
    ...{ on: today, against: replacedBy(versions, known.version)?.version ?? null },
    ...{ missing: [...missingFor(caller, grounds)], lint: [...lint] },
    reach: { skills: skills.length, agents: agents.length, gateways: gateways.length },
  };
}

/** Refuses an approval of something else than the caller has looked at. */
function refuseMoved({ version, name, digest }: KnownVersion, seen: string): void {
  if (seen === digest) return;
  const detail = `Version ${version} of ${name} is something else by now (digest ${digest}). Look at its report again.`;
  throw new RuleBroken('version_changed', detail);
}

/** Changes that links of the major do not expect are let in by a person who wrote none of them: an author names an approver, and is none. */
function refuseUnaccepted(caller: Caller, known: KnownVersion, acceptsFindings: boolean): void {
  if (known.accepted.length === 0) return;
  const { name, version } = known;
  if (isAuthor(caller, known)) {
    const detail = `${namesOf(known)} wrote version ${version} of ${name}, whose number was not raised for ${acceptedBy(known)}: somebody else accepts that.`;
    throw new RuleBroken('own_version', detail);
  }
  if (acceptsFindings) return;
  const detail = `The number of version ${version} of ${name} was not raised for ${acceptedBy(known)}. Say acceptsFindings where that is wanted, or reject it.`;
  throw new RuleBroken('findings_not_accepted', detail);
}

/** Refuses an approval that no override says the reason of. */
function refuseWithout(grounds: Grounds, caller: Caller): void {
  const { known, lint } = grounds;
  const { version, name } = known;
  if (isAuthor(caller, known)) {
    const detail = `${namesOf(known)} wrote version ${version} of ${name}: somebody else approves it, or an override says why not.`;
    throw new RuleBroken('own_version', detail);
  }
  const missing = missingGrounds(grounds);
  if (missing.length > 0) {
    const detail =
      `Version ${version} of ${name} ${missing.join(', and ')}. Evaluate it: POST …/versions/${version}/evaluate with an empty ` +
      'body, or override with a reason.';
    throw new RuleBroken('evaluation_needed', detail);
  }
  if (lint.length > 0) {
    const detail = `The lint finds what models would get wrong in version ${version} of ${name}. Mend its spec, or override with a reason.`;
    throw new RuleBroken('lint_findings', detail, lint);
  }
}

function refuseNumber({ numberFault }: Grounds): void {
  if (numberFault === undefined) return;
  const detail = `${numberFault.detail} Reject it and take that number, or override with a reason.`;
  throw new RuleBroken('version_too_small', detail);
}
