/** Who may approve a version, and when. */
import type { Sql } from '../../kernel/sql.js';
import { RuleBroken } from '../../kernel/errors.js';
import type { Caller } from '../../platform/auth/caller.js';
import { refuseLessGuarded, requireScope, requireSomebody } from '../../platform/auth/claims.js';
import type { Visibility } from '../../platform/auth/visibility.js';
import { readingForWrites } from '../../registry/public.js';
import { guardsOfCall } from '../review/called-guards.lookup.js';
import { NameClaims } from '../publication/tool-name.js';
import { nameClaimsOf } from '../tool/tool.lookup.js';
import { AskedDataSets } from './asked-data-sets.port.js';
import { type KnownVersion, replacedBy, todayBy, versionsOf } from './tool-versions.lookup.js';
import type { ApprovalBody } from './version-answers.schemas.js';
import {
  acceptedBy,
  bringsSuspicious,
  isAuthor,
  missingFor,
  missingGrounds,
  namesOf,
  numberFaultOf,
  type Present,
} from './version-grounds.planner.js';
import { VersionMoves } from './version-moves.lookup.js';
import { stoppingFindings } from './version-specs.lookup.js';
import type { Approval } from './version.commands.js';
import type { SeenByReviewer } from './version.events.js';

/** What a review is read from beside the database. */
export interface Reviewing {
  readonly dataSets: AskedDataSets;
  readonly moves: VersionMoves;
}

/** The providers of {@link Reviewing}, as handlers are given them. */
export const reviewers = [AskedDataSets, VersionMoves] as const;
export const reviewing = (
  _input: unknown,
  _writer: unknown,
  dataSets: AskedDataSets,
  moves: VersionMoves,
): Promise<Reviewing> => Promise.resolve({ dataSets, moves });

interface Facts extends Reviewing {
  readonly sql: Sql;
}

export interface Reviewer {
  readonly caller: Caller;
  readonly visibility: Visibility;
}

/** Approval of the version, at whatever door it is asked for: throws where there are no grounds for it. */
export async function approvalOf(
  facts: Facts,
  { caller, visibility }: Reviewer,
  waiting: KnownVersion,
  { override, digest: read, acceptsFindings = false }: ApprovalBody,
): Promise<Approval> {
  const { sql, dataSets } = facts;
  refuseMoved(waiting, read);
  const versions = await versionsOf(sql, caller.hostId, [waiting.toolId]);
  // Who is no administrator approves nothing that is suspicious (docs/contract.md, section 2).
  refuseLessGuarded(caller, bringsSuspicious(versions, waiting));
  const dataSetsDigest = await dataSets.digest(sql, caller.hostId);
  const approval = await grounds(caller, waiting, { versions, dataSetsDigest }, override);
  refuseUnaccepted(caller, waiting, acceptsFindings);
  const fault =
    override === undefined &&
    (await numberFaultOf(waiting, { versions, today: await todayBy(sql) }, readingForWrites(caller.hostId)));
  if (fault) {
    const detail = `${fault.detail} Reject it and take that number, or override with a reason.`;
    throw new RuleBroken('version_too_small', detail);
  }
  const { toolId, name, envTag } = waiting;
  const claims = new NameClaims(await nameClaimsOf(sql, caller.hostId, [name]));
  return {
    ...approval,
    seen: await seenBy(facts, { caller, visibility }, waiting),
    guards: await guardsOfCall(sql, caller.hostId, waiting.content.call),
    taken: claims.takenFrom({ toolId, name, envTag }),
  };
}

/** What the report of the version shows who decides about it now. */
export async function seenBy(
  { sql, dataSets, moves }: Facts,
  { caller, visibility }: Reviewer,
  known: KnownVersion,
): Promise<SeenByReviewer> {
  const versions = await versionsOf(sql, caller.hostId, [known.toolId]);
  const today = await todayBy(sql);
  const dataSetsDigest = await dataSets.digest(sql, caller.hostId);
  const { skills, agents, gateways } = await moves.byApproval(sql, visibility, known, versions);
  const missing = await missingFor(caller, known, { versions, dataSetsDigest, today });
  return {
    ...{ on: today, against: replacedBy(versions, known.version)?.version ?? null },
    ...{ missing: [...missing], lint: [...(await stoppingFindings(known, readingForWrites(caller.hostId)))] },
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

/** Grounds on which a version may be approved: throws where there are none. */
async function grounds(
  caller: Caller,
  known: KnownVersion,
  present: Present,
  override: ApprovalBody['override'],
): Promise<Omit<Approval, 'guards' | 'taken'>> {
  const { version, name, digest, evaluation } = known;
  requireScope(caller, 'catalog:approve');
  requireSomebody(caller);
  if (override !== undefined) return { digest, evaluation, override };
  if (isAuthor(caller, known)) {
    const detail = `${namesOf(known)} wrote version ${version} of ${name}: somebody else approves it, or an override says why not.`;
    throw new RuleBroken('own_version', detail);
  }
  const missing = missingGrounds(known, present);
  if (missing.length > 0) {
    const detail =
      `Version ${version} of ${name} ${missing.join(', and ')}. Evaluate it: POST …/versions/${version}/evaluate with an empty ` +
      'body, or override with a reason.';
    throw new RuleBroken('evaluation_needed', detail);
  }
  const findings = await stoppingFindings(known, readingForWrites(caller.hostId));
  if (findings.length > 0) {
    const detail = `The lint finds what models would get wrong in version ${version} of ${name}. Mend its spec, or override with a reason.`;
    throw new RuleBroken('lint_findings', detail, findings);
  }
  return { digest, evaluation, override: null };
}
