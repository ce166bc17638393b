/** What an approval of a version rests on, and what it lacks. */
import { differences, type Fields, fieldsOf, isSuspicious } from '../../endpoints/shared.js';
import type { Fault } from '../../kernel/errors.js';
import type { Caller } from '../../platform/auth/caller.js';
import { mayApprove, mayLoosen, namesSomebody } from '../../platform/auth/claims.js';
import type { SpecReading } from '../../registry/public.js';
import { compareVersions, counting, stopsReview, versionFault } from '../../registry/shared.js';
import { type KnownVersion, lastWritten, replacedBy, specOf } from '../../tools/public.js';
import { shortOfGrounds } from '../evaluation/evaluation-grounds.js';
import type { needs } from './version-needs.js';

/** What a version is held to beside itself: what there is now. */
interface Present {
  /** Of the tool, newest first. */
  readonly versions: readonly KnownVersion[];
  /** Of all data sets of the host. */
  readonly dataSetsDigest: string;
  /** Like 2026-11-23. */
  readonly today: string;
}

/** What an approval of a version rests on: judged once, for what is shown of it and for what it refuses. */
export interface Grounds extends Present {
  readonly known: KnownVersion;
  /** Why its number will not do by now. */
  readonly numberFault: { readonly detail: string } | undefined;
  /** What of the lint stops a review. */
  readonly lint: readonly Fault[];
}

export async function groundsOf(
  known: KnownVersion,
  present: Present,
  reading: SpecReading,
): Promise<Grounds> {
  const numberFault = await numberFaultOf(known, present, reading);
  return { ...present, known, numberFault, lint: await stoppingFindings(known, reading) };
}

type Need = (typeof needs)[number];

/** What keeps the caller from approving the version without an override, but for the lint. */
export function lacksOf(
  caller: Caller,
  grounds: Grounds,
): readonly { readonly need: Need; readonly detail: string }[] {
  const { known, versions, numberFault } = grounds;
  const lacks: readonly (readonly [Need, boolean, string])[] = [
    ['approver', !mayApprove(caller), 'needs somebody with the scope catalog:approve'],
    ['name', !namesSomebody(caller), 'needs a token that names somebody: its claim sub is missing'],
    [
      'administrator',
      !mayLoosen(caller) && bringsSuspicious(versions, known),
      'brings what is suspicious, and needs somebody with the scope catalog:admin',
    ],
    ['somebody_else', isAuthor(caller, known), `was written by ${namesOf(known)}: somebody else approves it`],
    ...missingGrounds(grounds).map((detail) => ['evaluation', true, detail] as const),
    [
      'acceptance',
      known.accepted.length > 0,
      `has a number that was not raised for ${acceptedBy(known)}: who approves it accepts that`,
    ],
    [
      'other_number',
      numberFault !== undefined,
      `has a number that will not do: ${numberFault?.detail ?? ''}`,
    ],
  ];
  return lacks.filter(([, isSo]) => isSo).map(([need, , detail]) => ({ need, detail }));
}

/** As {@link lacksOf}, in words alone. */
export function missingFor(caller: Caller, grounds: Grounds): readonly string[] {
  return lacksOf(caller, grounds).map(({ detail }) => detail);
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
 */
async function numberFaultOf(
  known: KnownVersion,
  { versions, today }: Present,
  reading: SpecReading,
): Promise<Grounds['numberFault']> {
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
export function missingGrounds({ known, versions, dataSetsDigest }: Grounds): readonly string[] {
  const { version, evaluation, digest, evalConfig } = known;
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

/**
 * What the lint finds of a version that somebody has written, where it stops a review. What came with a document is its
 * author's to mend; and what it overlaps with, the evaluation finds.
 */
async function stoppingFindings(
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
