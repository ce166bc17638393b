import type { Caller } from '../../platform/auth/caller.js';
import { requireScope, requireSomebody } from '../../platform/auth/claims.js';
import { Invalid, RuleBroken } from '../../kernel/errors.js';
import type { AcceptanceBody, ApprovalBody } from './version-answers.schemas.js';
import type { KnownVersion } from './tool-versions.lookup.js';

/** Refuses to approve what nobody says they have read; who may not approve at all is told that. */
export function withDigest(
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

export function nothingWaits(): RuleBroken {
  const detail =
    'No version of the tool’s source waits any more: what had this digest is decided. Look at its versions again.';
  return new RuleBroken('version_changed', detail);
}
