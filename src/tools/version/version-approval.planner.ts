/** Who may approve a version, and when. */
import { RuleBroken } from '../../kernel/errors.js';
import type { Caller } from '../../platform/auth/caller.js';
import { refuseLessGuarded, requireScope } from '../../platform/auth/claims.js';
import type { Sql } from '../../kernel/sql.js';
import { differences, type Fields, fieldsOf, isSuspicious } from '../../endpoints/shared.js';
import { type KnownVersion, versionsOf } from './tool-versions.lookup.js';
import type { Approval } from './version.commands.js';
import type { ApprovalBody } from './version-answers.schemas.js';

/** Refuses who is no administrator where the version brings what is suspicious (docs/contract.md, section 2). */
export async function refuseSuspicious(
  sql: Sql,
  caller: Caller,
  hostId: string,
  waiting: KnownVersion,
): Promise<void> {
  const live = await versionsOf(sql, hostId, [waiting.toolId], { states: ['approved', 'deprecated'] });
  const before = seenIn(live.find(({ isPresent }) => isPresent)?.content);
  const after = seenIn(waiting.content);
  refuseLessGuarded(
    caller,
    differences(before, after).some((field) => isSuspicious(field, before.get(field), after.get(field))),
  );
}

/** What a version shows, its guards aside: those belong to the tool. */
function seenIn(content: KnownVersion['content'] | undefined): Fields {
  if (content === undefined) return new Map();
  const { description, routing, inputSchema, outputSchema } = content;
  return fieldsOf({ description, routing, inputSchema, ...(outputSchema !== undefined && { outputSchema }) });
}

/** Grounds on which a version may be approved: throws where there are none. */
export function grounds(
  { version, name, author, digest, evaluation }: KnownVersion,
  caller: Caller,
  override: ApprovalBody['override'],
): Approval {
  requireScope(caller, 'catalog:approve');
  if (override !== undefined) return { digest, evaluation, override };
  if (caller.actor.user === author) {
    const detail = `${author} has written version ${version} of ${name}: somebody else approves it, or an override says why not.`;
    throw new RuleBroken('own_version', detail);
  }
  if (evaluation?.digest !== digest || !evaluation.passed) {
    const found =
      evaluation === null
        ? 'has not been evaluated'
        : evaluation.digest === digest
          ? 'has not passed its evaluation'
          : 'has changed since it was evaluated';
    const detail = `Version ${version} of ${name} ${found}. Evaluate it: POST …/versions/${version}/evaluate, or override with a reason.`;
    throw new RuleBroken('evaluation_needed', detail);
  }
  return { digest, evaluation, override: null };
}
