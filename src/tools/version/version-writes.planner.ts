import { RuleBroken } from '../../kernel/errors.js';
import type { Outcome } from '../../kernel/command.js';
import type { Sql } from '../../kernel/sql.js';
import type { Caller } from '../../platform/auth/caller.js';
import { Problem } from '../../platform/http/problem.js';
import { refuseLessGuarded, requireSomebody } from '../../platform/auth/claims.js';
import type { Visibility } from '../../platform/auth/visibility.js';
import { handle, type Receipt, receiptWith, UseCase } from '../../platform/use-cases/use-case.js';
import { redacted, refuseSecretsIn } from '../../platform/validation/secrets-in-texts.js';
import { vettedCharacters } from '../../platform/validation/untrusted-text.js';
import { lateRefusal } from '../../registry/shared.js';
import type { KnownTool } from '../model/tool.state.js';
import { addressModel } from '../model/tool-facts.js';
import { requireTool } from '../tool/tools.filter.js';
import { type KnownVersion, versionOf } from '../tool/tool-versions.lookup.js';
import { planDraft } from './version-draft.planner.js';
import * as command from '../model/version.commands.js';
import {
  type DeprecationBody,
  type NewVersion,
  type RetirementBody,
  type WithdrawalBody,
} from './version-answers.schemas.js';
import { type Moves, VersionMoves } from './version-moves.lookup.js';

interface OneVersion {
  readonly toolId: string;
  readonly version: string;
}

/** What became of one version of a tool. */
export interface VersionReceipt extends Receipt {
  readonly toolVersion: string;
  readonly state: string;
}

interface MovingReceipt extends VersionReceipt {
  readonly moves: Moves;
}

export class DraftVersion extends UseCase<{ readonly toolId: string } & NewVersion, VersionReceipt> {}
export class SubmitVersion extends UseCase<OneVersion, VersionReceipt> {}
/** What one has written oneself, without `catalog:approve`. */
export class WithdrawVersion extends UseCase<OneVersion & WithdrawalBody, VersionReceipt> {}
export class DeprecateVersion extends UseCase<OneVersion & DeprecationBody, MovingReceipt> {}
export class RetireVersion extends UseCase<OneVersion & RetirementBody, MovingReceipt> {}

export function versionReceiptOf(version: string) {
  return receiptWith(({ after }: Outcome) => ({
    toolVersion: version,
    state: (after as KnownTool).versions[version]?.state ?? '',
  }));
}

export async function seenVersion(sql: Sql, visibility: Visibility, { toolId, version }: OneVersion) {
  await requireTool(sql, visibility, toolId);
  return versionOf(sql, visibility.hostId, toolId, version);
}

export const versionHandlers = [
  handle(DraftVersion, {
    async check({ evalConfigText }) {
      if (evalConfigText !== undefined) await refuseSecretsIn({ evalConfigText });
    },
    async prepare({ toolId: _id, ...sent }) {
      const late = lateRefusal(sent);
      return { ...(await redacted<NewVersion>(sent)), late };
    },
    loadsEarly: true,
    load: (sql, { toolId }, writer, { body, late }) => planDraft(sql, writer, toolId, { ...body, late }),
    decide: (draft) => [draft],
    result: (outcomes, position, draft) => versionReceiptOf(draft.payload.version)(outcomes, position),
  }),
  handle(SubmitVersion, {
    load(sql, input, { visibility, caller }) {
      requireSomebody(caller);
      return seenVersion(sql, visibility, input);
    },
    decide: (_known, { toolId, version }, { visibility }) => [
      new command.SubmitToolVersion(visibility.hostId, toolId, { version }),
    ],
    result: (outcomes, position, { version }) => versionReceiptOf(version)(outcomes, position),
  }),
  handle(WithdrawVersion, {
    check: ({ reason }) => refuseSecretsIn({ reason }),
    async load(sql, input, { visibility, caller }) {
      requireSomebody(caller);
      const known = await seenVersion(sql, visibility, input);
      requireOwn(caller, known);
      return known;
    },
    decide: (_known, { toolId, version, reason = 'Its author has withdrawn it.' }, { visibility }) => [
      new command.RejectToolVersion(visibility.hostId, toolId, { version, reason, withdrawn: true }),
    ],
    result: (outcomes, position, { version }) => versionReceiptOf(version)(outcomes, position),
  }),
  handle(
    DeprecateVersion,
    {
      check: ({ message }) => refuseSecretsIn({ message }),
      prepare: (_input, _writer, moves: VersionMoves) => Promise.resolve(moves),
      isDryRun: ({ dryRun }) => dryRun,
      async load(sql, input, { visibility, caller }, moves) {
        // Agents read it as it is, and nobody reviews it.
        refuseLessGuarded(caller, addressModel([input.message]));
        const { version } = await seenVersion(sql, visibility, input);
        return { version, moves: await moves.byRetirement(sql, visibility, input) };
      },
      decide: (_known, { toolId, version, on, message }, { visibility }) => [
        new command.DeprecateToolVersion(visibility.hostId, toolId, {
          ...{ version, on, message: vettedCharacters(message).text },
        }),
      ],
      result: movingReceipt,
    },
    VersionMoves,
  ),
  handle(
    RetireVersion,
    {
      check: ({ reason }) => refuseSecretsIn({ reason }),
      prepare: (_input, _writer, moves: VersionMoves) => Promise.resolve(moves),
      isDryRun: ({ dryRun }) => dryRun,
      async load(sql, input, { visibility }, moves) {
        const { version } = await seenVersion(sql, visibility, input);
        return { version, moves: await moves.byRetirement(sql, visibility, input) };
      },
      decide: ({ moves }, { toolId, version, reason = null, dryRun }, { visibility }) => [
        new command.RetireToolVersion(visibility.hostId, toolId, {
          ...{ version, reason },
          // A dry run shows them.
          keptBy: dryRun ? [] : moves.skills.map(movedIn),
        }),
      ],
      result: movingReceipt,
    },
    VersionMoves,
  ),
];

/**
 * Refuses to take back what somebody else wrote last: their work is for an approver to reject. So is what a document or a change of the
 * tool has made: it is offered once.
 */
function requireOwn({ actor }: Caller, { name, version, author, origin, state }: KnownVersion): void {
  if (origin === 'source' && state === 'in_review') {
    const detail = `Version ${version} of ${name} came with its source, and is not offered again: who may approve it rejects it.`;
    throw new RuleBroken('version_state', detail);
  }
  if (actor.user === author) return;
  const writer = author === '' ? 'somebody whom no token named' : author;
  const detail = `${writer} wrote version ${version} of ${name} last, and may withdraw it; others reject it, with catalog:approve.`;
  throw new Problem(403, 'not_own_version', detail);
}

function movingReceipt(
  outcomes: readonly Outcome[],
  position: number,
  { version, moves }: { readonly version: string; readonly moves: Moves },
): MovingReceipt {
  return { ...versionReceiptOf(version)(outcomes, position), moves };
}

function movedIn({ skillName, to }: Moves['skills'][number]): string {
  return `${skillName} (${to === null ? 'it would have none' : `it would go back to ${to}`})`;
}
