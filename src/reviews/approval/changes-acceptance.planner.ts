/** Accepts what has changed of a tool, and approves with it what waits. */
import { knownEndpoints } from '../../endpoints/public.js';
import { AcceptEndpointChanges, awaitsAdministrator } from '../../endpoints/shared.js';
import { Invalid, RuleBroken } from '../../kernel/errors.js';
import type { Caller } from '../../platform/auth/caller.js';
import { refuseLessGuarded, requireScope, requireSomebody } from '../../platform/auth/claims.js';
import { handle, receiptWith, UseCase } from '../../platform/use-cases/use-case.js';
import { refuseSecretsIn } from '../../platform/validation/secrets-in-texts.js';
import {
  inReceipt,
  type KnownVersion,
  VersionMoves,
  waitingChanges,
  type WrittenToolReceipt,
} from '../../tools/public.js';
import { AcceptToolChanges } from '../../tools/shared.js';
import type { AcceptanceBody, ApprovalBody } from './approval.schemas.js';
import { approvalOf, withMoves } from './version-approval.planner.js';

/**
 * Accepts the changes of a tool and of its endpoint, which were shown together. A version that waits is approved with them,
 * on the same grounds as by itself.
 */
export class AcceptTool extends UseCase<{ readonly toolId: string } & AcceptanceBody, WrittenToolReceipt> {}

export const acceptanceHandler = handle(
  AcceptTool,
  {
    check: ({ override: given }) => refuseSecretsIn({ override: given }),
    prepare: withMoves,
    loadsEarly: true,
    async load(sql, { toolId, ...asked }, { caller, visibility }, moves) {
      const { endpointId, waiting, needsAdministrator } = await waitingChanges(sql, visibility, toolId);
      const ids = endpointId === null ? [] : [endpointId];
      const endpoints = [...(await knownEndpoints(sql, visibility.hostId, ids)).values()];
      refuseLessGuarded(caller, needsAdministrator || endpoints.some(awaitsAdministrator));
      if (waiting === undefined && asked.digest !== undefined) throw nothingWaits();
      const approval = waiting && {
        version: waiting.version,
        ...(await approvalOf(
          { sql, moves },
          { caller, visibility },
          waiting,
          withDigest(caller, waiting, asked),
        )),
      };
      return { endpointIds: ids, approval };
    },
    decide: ({ endpointIds, approval }, { toolId }, { context: { hostId } }) => [
      new AcceptToolChanges(hostId, toolId, approval === undefined ? {} : { approval }),
      ...endpointIds.map((endpointId) => new AcceptEndpointChanges(hostId, endpointId, {})),
    ],
    result: receiptWith(inReceipt),
  },
  VersionMoves,
);

/** Refuses to approve what nobody says they have read; who may not approve at all is told that. */
function withDigest(
  caller: Caller,
  { toolId, version, name }: KnownVersion,
  { digest, ...asked }: AcceptanceBody,
): ApprovalBody {
  if (digest !== undefined) return { digest, ...asked };
  requireScope(caller, 'catalog:approve');
  requireSomebody(caller);
  const detail =
    `Version ${version} of ${name} waits and is approved with it: name the digest that its report shows, ` +
    `GET …/tools/${toolId}/versions/${version}/report.`;
  throw new Invalid('invalid_body', detail, [{ pointer: '/digest', detail }]);
}

function nothingWaits(): RuleBroken {
  const detail =
    'No version of the tool’s source waits any more: what had this digest is decided. Look at its versions again.';
  return new RuleBroken('version_changed', detail);
}
