/** Who may approve a version, and when. */
import { isDeepStrictEqual } from 'node:util';
import { type Fault, RuleBroken } from '../../kernel/errors.js';
import type { Caller } from '../../platform/auth/caller.js';
import {
  mayApprove,
  mayLoosen,
  namesSomebody,
  refuseLessGuarded,
  requireScope,
  requireSomebody,
} from '../../platform/auth/claims.js';
import type { Sql } from '../../kernel/sql.js';
import { differences, type Fields, fieldsOf, isSuspicious } from '../../endpoints/shared.js';
import {
  compareVersions,
  counting,
  evalConfigDigest,
  specFrom,
  stopsReview,
  type ToolSpec,
  versionFault,
} from '../../registry/shared.js';
import { readingForReads, readingForWrites, type SpecReading } from '../../registry/public.js';
import { NameClaims } from '../publication/tool-name.js';
import { nameClaimsOf } from '../tool/tool.lookup.js';
import { guardsOfCall } from '../review/called-guards.lookup.js';
import { type KnownVersion, replacedBy, todayBy, versionsOf } from './tool-versions.lookup.js';
import type { AskedDataSets } from './asked-data-sets.port.js';
import type { Approval } from './version.commands.js';
import type { VersionEvaluation } from './version.events.js';
import { type ApprovalBody, defaultMargin } from './version-answers.schemas.js';

/** What an approval is read from: the database under the host's lock, and the data sets that it has now. */
export interface ApprovalFacts {
  readonly sql: Sql;
  readonly dataSets: AskedDataSets;
}

/** Approval of the version, at whatever door it is asked for: throws where there are no grounds for it. */
export async function approvalOf(
  { sql, dataSets }: ApprovalFacts,
  caller: Caller,
  waiting: KnownVersion,
  { override, digest: seen, acceptsFindings = false }: ApprovalBody,
): Promise<Approval> {
  refuseMoved(waiting, seen);
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
    guards: await guardsOfCall(sql, caller.hostId, waiting.content.call),
    taken: claims.takenFrom({ toolId, name, envTag }),
  };
}

/**
 * Why the number of a version that somebody has written will not do by now: another may have been approved before it since, and
 * what was accepted of its changes may have run out. Its guards are the tool’s, whatever it says.
 *
 * @param versions of the tool, newest first
 */
async function numberFaultOf(
  known: KnownVersion,
  { versions, today }: { readonly versions: readonly KnownVersion[]; readonly today: string },
  reading: SpecReading,
): Promise<{ readonly detail: string } | undefined> {
  const live = versions.filter(
    ({ state, version }) =>
      (state === 'approved' || state === 'deprecated') && compareVersions(version, known.version) < 0,
  );
  const [base] = live;
  if (known.origin !== 'spec' || base === undefined) return undefined;
  const [before, after] = [await lastWritten(base, live, reading), await specOf(known, reading)];
  const accepted = known.accepted.map((each) => ({ ...each, tool: known.name }));
  const findings = counting(await reading.do('judge', before, after, accepted, today));
  return versionFault(
    before,
    after,
    findings.filter(({ rule }) => rule !== 'annotation.turned'),
  );
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

function acceptedBy({ accepted }: KnownVersion): string {
  return accepted.map(({ rule, pointer, reason }) => `${rule} at ${pointer} (${reason})`).join(', ');
}

/** @param versions of the tool, newest first */
function bringsSuspicious(versions: readonly KnownVersion[], waiting: KnownVersion): boolean {
  const before = seenIn(replacedBy(versions, waiting.version));
  const after = seenIn(waiting);
  return differences(before, after).some((field) => isSuspicious(field, before.get(field), after.get(field)));
}

/** What an evaluation is held to beside its own version: what there is now. */
interface Present {
  /** Of the tool, newest first. */
  readonly versions: readonly KnownVersion[];
  /** Of all data sets of the host. */
  readonly dataSetsDigest: string;
}

/**
 * What keeps the caller from approving the version without an override, but for the lint: {@link stoppingFindings}.
 *
 * @param present with `today` like 2026-11-23
 */
export async function missingFor(
  caller: Caller,
  known: KnownVersion,
  present: Present & { readonly today: string },
): Promise<readonly string[]> {
  const { versions } = present;
  const numberFault = await numberFaultOf(known, present, readingForReads(caller.hostId));
  return [
    ...(mayApprove(caller) ? [] : ['needs somebody with the scope catalog:approve']),
    ...(namesSomebody(caller) ? [] : ['needs a token that names somebody: its claim sub is missing']),
    ...(!mayLoosen(caller) && bringsSuspicious(versions, known)
      ? ['brings what is suspicious, and needs somebody with the scope catalog:admin']
      : []),
    ...(isAuthor(caller, known) ? [`was written by ${namesOf(known)}: somebody else approves it`] : []),
    ...missingGrounds(known, present),
    ...(known.accepted.length === 0
      ? []
      : [`has a number that was not raised for ${acceptedBy(known)}: who approves it accepts that`]),
    ...(numberFault === undefined ? [] : [`has a number that will not do: ${numberFault.detail}`]),
  ];
}

/** Whether the caller has written on the version, or on what it continues: two people can't write and approve by turns. */
function isAuthor({ actor }: Caller, { authors }: KnownVersion): boolean {
  return authors.includes(actor.user);
}

function namesOf({ authors }: KnownVersion): string {
  return authors.map((author) => (author === '' ? 'somebody whom no token named' : author)).join(' and ');
}

/** What a version shows, its guards aside: those belong to the tool. */
function seenIn(known: KnownVersion | undefined): Fields {
  if (known === undefined) return new Map();
  const { description, routing, inputSchema, outputSchema } = known.content;
  const shown = { description, routing, inputSchema, ...(outputSchema !== undefined && { outputSchema }) };
  return new Map([...fieldsOf(shown), ['name', known.name]]);
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

/**
 * What the lint finds of a version that somebody has written, where it stops a review. What came with a document is its
 * author's to mend; and what it overlaps with, the evaluation finds.
 */
export async function stoppingFindings(
  { origin, ...known }: KnownVersion,
  reading: SpecReading,
): Promise<readonly Fault[]> {
  if (origin !== 'spec') return [];
  const findings = await reading.do('lint', await specOf(known, reading));
  return findings.filter(stopsReview).map(({ rule, pointer, reason, example }) => ({
    pointer,
    detail: `${rule}: ${reason} Better: ${example}`,
  }));
}

/** The spec as it was pushed, or made of what the version is made of and of what was written before it. */
export async function specOf(
  { specText, writtenText, content, name, version }: Omit<KnownVersion, 'origin'>,
  reading: SpecReading,
  host: string | null = null,
): Promise<ToolSpec> {
  const read = async (text: string | null) =>
    text === null ? undefined : (await reading.do('spec', text)).value;
  return (await read(specText)) ?? specFrom({ ...content, name, version, host }, await read(writtenText));
}

/** What the version says; of one that only its guards raised, what its author wrote: those are no change of the author's. */
export async function lastWritten(
  base: KnownVersion,
  live: readonly KnownVersion[],
  reading: SpecReading,
): Promise<ToolSpec> {
  const { specText, content, version } = base;
  const written = live.find(
    (known) => known.specText !== null && isDeepStrictEqual(known.content.call, content.call),
  );
  return specText !== null || content.call === undefined || written === undefined
    ? specOf(base, reading)
    : { ...(await specOf(written, reading)), version };
}

/** What its evaluation lacks for an approval. */
function missingGrounds(
  { version, evaluation, digest, evalConfig }: KnownVersion,
  { versions, dataSetsDigest }: Present,
): readonly string[] {
  if (evaluation === null) return ['has not been evaluated'];
  if (evaluation.digest !== digest) return ['has changed since it was evaluated'];
  const against = evaluation.against ?? null;
  const replaced = replacedBy(versions, version)?.version ?? null;
  return [
    ...(evaluation.passed ? [] : ['has not passed its evaluation']),
    ...(against === replaced
      ? []
      : [
          `was evaluated against ${against ?? 'none'}, and would take the place of ${replaced ?? 'none'}: evaluate it anew`,
        ]),
    ...shortOfGrounds(evaluation, evalConfig),
    // Fewer prompts, or easier ones: whoever writes the version may write these too.
    ...(evaluation.asked?.allDataSets !== true || evaluation.asked.dataSetsDigest === dataSetsDigest
      ? []
      : ['was evaluated by other data sets than the host has now: evaluate it anew']),
  ];
}

/** What keeps an evaluation from being what an approval rests on, whatever it has found: such ones are for exploring. */
export function shortOfGrounds(
  { margin, asked }: Pick<VersionEvaluation, 'margin' | 'asked'>,
  kept: KnownVersion['evalConfig'],
): readonly string[] {
  return [
    ...(margin === undefined || margin > defaultMargin
      ? [`was evaluated with a wider margin than ${String(defaultMargin)}`]
      : []),
    ...(asked?.allDataSets === true ? [] : ['was not evaluated by all data sets of the host']),
    ...otherConfig(asked?.configDigest ?? null, kept),
  ];
}

/** One that came with the request says nothing: its author could ask what passes. */
function otherConfig(asked: string | null, kept: KnownVersion['evalConfig']): readonly string[] {
  if (asked === (kept && evalConfigDigest(kept))) return [];
  return [
    kept === null
      ? 'was evaluated by a config that is not kept with it'
      : 'was evaluated by another config than the one that is kept with it',
  ];
}
