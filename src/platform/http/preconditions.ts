import { Invalid } from '../../eventsourcing/errors.js';
import { Problem } from './problem.js';

const entityTag = /^(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/;
const canonicalVersion = /^[1-9][0-9]{0,14}$/;

/**
 * The version that `If-Match` asks for (RFC 9110, 13.1.1): `"7"`, or `*` for any that exists. Throws Invalid where
 * it is no single entity tag, Problem 412 where it is one that no record of ours can have: weak, or no number.
 */
export function expectedVersion(ifMatch: string): number | 'any' {
  const tag = ifMatch.trim();
  if (tag === '*') return 'any';
  const [whole, weak, version = ''] = entityTag.exec(tag) ?? [];
  if (whole === undefined) {
    throw new Invalid(
      'invalid_if_match',
      'If-Match must be the ETag of the record, one, in quotes ("7"), or *.',
    );
  }
  if (weak !== undefined || !canonicalVersion.test(version)) {
    throw new Problem(
      412,
      'version_conflict',
      `No version of a record has the ETag ${tag}. Read the record again and decide anew.`,
    );
  }
  return Number(version);
}

function opaque(tag: string): string {
  return tag.replace(/^W\//, '');
}

/** Whether `If-None-Match` names this entity tag: then the answer is 304 (RFC 9110, 13.1.2; weak comparison). */
export function isNotModified(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag) return true;
  return ifNoneMatch.split(',').some((each) => {
    const tag = each.trim();
    return tag === '*' || opaque(tag) === opaque(etag);
  });
}
