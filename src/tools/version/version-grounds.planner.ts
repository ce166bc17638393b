/** What an approval of a version rests on, and what it lacks. */
import { differences, type Fields, fieldsOf, isSuspicious } from '../../endpoints/shared.js';
import type { Caller } from '../../platform/auth/caller.js';
import { mayApprove, mayLoosen, namesSomebody } from '../../platform/auth/claims.js';
import { readingForReads, type SpecReading } from '../../registry/public.js';
import { compareVersions, counting, evalConfigDigest, versionFault } from '../../registry/shared.js';
import { type KnownVersion, replacedBy } from './tool-versions.lookup.js';
import { defaultMargin } from './version-answers.schemas.js';
import { lastWritten, specOf } from './version-specs.lookup.js';
import type { VersionEvaluation } from './version.events.js';

/** What an evaluation is held to beside its own version: what there is now. */
export interface Present {
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
export function isAuthor({ actor }: Caller, { authors }: KnownVersion): boolean {
  return authors.includes(actor.user);
}

export function namesOf({ authors }: KnownVersion): string {
  return authors.map((author) => (author === '' ? 'somebody whom no token named' : author)).join(' and ');
}

/** What a version shows, its guards aside: those belong to the tool. */
function seenIn(known: KnownVersion | undefined): Fields {
  if (known === undefined) return new Map();
  const { description, routing, inputSchema, outputSchema } = known.content;
  const shown = { description, routing, inputSchema, ...(outputSchema !== undefined && { outputSchema }) };
  return new Map([...fieldsOf(shown), ['name', known.name]]);
}

/**
 * Why the number of a version that somebody has written will not do by now: another may have been approved before it since, and
 * what was accepted of its changes may have run out. Its guards are the tool’s, whatever it says.
 *
 * @param versions of the tool, newest first
 */
export async function numberFaultOf(
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

/** @param versions of the tool, newest first */
export function bringsSuspicious(versions: readonly KnownVersion[], waiting: KnownVersion): boolean {
  const before = seenIn(replacedBy(versions, waiting.version));
  const after = seenIn(waiting);
  return differences(before, after).some((field) => isSuspicious(field, before.get(field), after.get(field)));
}

export function acceptedBy({ accepted }: KnownVersion): string {
  return accepted.map(({ rule, pointer, reason }) => `${rule} at ${pointer} (${reason})`).join(', ');
}

/** What its evaluation lacks for an approval. */
export function missingGrounds(
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
