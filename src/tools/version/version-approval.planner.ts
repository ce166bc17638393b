/** Who may approve a version, and when. */
import { type Fault, RuleBroken } from '../../kernel/errors.js';
import type { Caller } from '../../platform/auth/caller.js';
import { mayApprove, mayLoosen, refuseLessGuarded, requireScope } from '../../platform/auth/claims.js';
import type { Sql } from '../../kernel/sql.js';
import { differences, type Fields, fieldsOf, isSuspicious } from '../../endpoints/shared.js';
import {
  evalConfigDigest,
  lintTool,
  readToolSpec,
  specFrom,
  stopsReview,
  type ToolSpec,
} from '../../registry/shared.js';
import { type KnownVersion, replacedBy, versionsOf } from './tool-versions.lookup.js';
import type { Approval } from './version.commands.js';
import type { VersionEvaluation } from './version.events.js';
import { type ApprovalBody, defaultMargin } from './version-answers.schemas.js';

/** Approval of the version, at whatever door it is asked for: throws where there are no grounds for it. */
export async function approvalOf(
  sql: Sql,
  caller: Caller,
  waiting: KnownVersion,
  override: ApprovalBody['override'],
): Promise<Approval> {
  await refuseSuspicious(sql, caller, waiting);
  return grounds(waiting, caller, override);
}

/** Refuses who is no administrator where the version brings what is suspicious (docs/contract.md, section 2). */
async function refuseSuspicious(sql: Sql, caller: Caller, waiting: KnownVersion): Promise<void> {
  refuseLessGuarded(
    caller,
    bringsSuspicious(await versionsOf(sql, caller.hostId, [waiting.toolId]), waiting),
  );
}

/** @param versions of the tool, newest first */
function bringsSuspicious(versions: readonly KnownVersion[], waiting: KnownVersion): boolean {
  const before = seenIn(replacedBy(versions, waiting.version)?.content);
  const after = seenIn(waiting.content);
  return differences(before, after).some((field) => isSuspicious(field, before.get(field), after.get(field)));
}

/**
 * What keeps the caller from approving the version without an override, but for the lint: {@link stoppingFindings}.
 *
 * @param versions of the tool, newest first
 */
export function missingFor(
  caller: Caller,
  known: KnownVersion,
  versions: readonly KnownVersion[],
): readonly string[] {
  return [
    ...(mayApprove(caller) ? [] : ['needs somebody with the scope catalog:approve']),
    ...(!mayLoosen(caller) && bringsSuspicious(versions, known)
      ? ['brings what is suspicious, and needs somebody with the scope catalog:admin']
      : []),
    ...(caller.actor.user === known.author
      ? [`was written by ${known.author}: somebody else approves it`]
      : []),
    ...missingGrounds(known),
  ];
}

/** What a version shows, its guards aside: those belong to the tool. */
function seenIn(content: KnownVersion['content'] | undefined): Fields {
  if (content === undefined) return new Map();
  const { description, routing, inputSchema, outputSchema } = content;
  return fieldsOf({ description, routing, inputSchema, ...(outputSchema !== undefined && { outputSchema }) });
}

/** Grounds on which a version may be approved: throws where there are none. */
function grounds(known: KnownVersion, caller: Caller, override: ApprovalBody['override']): Approval {
  const { version, name, author, digest, evaluation, evalConfig } = known;
  requireScope(caller, 'catalog:approve');
  if (override !== undefined) return { digest, evaluation, override };
  if (caller.actor.user === author) {
    const detail = `${author} has written version ${version} of ${name}: somebody else approves it, or an override says why not.`;
    throw new RuleBroken('own_version', detail);
  }
  const missing = missingGrounds({ evaluation, digest, evalConfig });
  if (missing.length > 0) {
    const detail =
      `Version ${version} of ${name} ${missing.join(', and ')}. Evaluate it: POST …/versions/${version}/evaluate with an empty ` +
      'body, or override with a reason.';
    throw new RuleBroken('evaluation_needed', detail);
  }
  const findings = stoppingFindings(known);
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
export function stoppingFindings({ origin, ...known }: KnownVersion): readonly Fault[] {
  if (origin !== 'spec') return [];
  return lintTool(specOf(known))
    .filter(stopsReview)
    .map(({ rule, pointer, reason, example }) => ({
      pointer,
      detail: `${rule}: ${reason} Better: ${example}`,
    }));
}

/** The spec as it was pushed, or made of what the version is made of. */
export function specOf({ specText, content, name, version }: Omit<KnownVersion, 'origin'>): ToolSpec {
  const pushed = specText === null ? undefined : readToolSpec({ path: '', text: specText }).value;
  return pushed ?? specFrom({ ...content, name, version, host: null });
}

/** What its evaluation lacks for an approval. */
function missingGrounds({
  evaluation,
  digest,
  evalConfig,
}: Pick<KnownVersion, 'evaluation' | 'digest' | 'evalConfig'>): readonly string[] {
  if (evaluation === null) return ['has not been evaluated'];
  if (evaluation.digest !== digest) return ['has changed since it was evaluated'];
  return [
    ...(evaluation.passed ? [] : ['has not passed its evaluation']),
    ...shortOfGrounds(evaluation, evalConfig),
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
    ...(kept === null || asked?.configDigest === evalConfigDigest(kept)
      ? []
      : ['was evaluated by another config than the one that is kept with it']),
  ];
}
