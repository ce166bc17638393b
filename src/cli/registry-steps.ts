/** Which command takes a version of a tool further. Pure. */
import { CliFault, exitCodes, program } from './output.js';

/** Characters of a digest that a command line names it by. */
const SHORT = 12;

export const shortDigest = (digest: string): string => digest.slice(0, SHORT);

/** What is there by now is not what was read. */
interface Moved {
  /** Like `Version 1.2.0 of read_file is something else by now`. */
  readonly said: string;
  /** The command that shows it. */
  readonly reading: string;
}

/** Throws CliFault where it is no beginning of a digest. */
export function refuseShort(begin: string): void {
  if (/^[0-9a-f]{8,64}$/.test(begin)) return;
  const detail = '--digest takes at least the first 8 characters of the digest (0-9, a-f).';
  throw new CliFault(exitCodes.usage, detail);
}

/** Throws CliFault where the digest does not begin as it was read. */
export function refuseMoved(digest: string, begin: string, { said, reading }: Moved): void {
  if (digest.startsWith(begin)) return;
  const detail = `${said} (digest ${shortDigest(digest)}). Read it: ${reading}.`;
  throw new CliFault(exitCodes.refused, detail);
}

/** A version as command lines name it: by the name of its tool, or by the id where several have the name. */
export interface NamedVersion {
  readonly tool: string;
  readonly version: string;
}

type Step = 'submit' | 'evaluate' | 'review' | 'approve' | 'retire';

export function stepOf(step: Step, { tool, version }: NamedVersion, more = ''): string {
  return `${program} registry ${step} ${tool} ${version}${more}`;
}

/** What comes next for a version that waits. */
export function stepFrom(state: string, named: NamedVersion): string {
  return stepOf(state === 'draft' ? 'submit' : 'review', named);
}

/** What the report of a version says of its approval. */
export interface Reported {
  readonly state: string;
  readonly digest: string;
  /** What keeps the caller from approving it. */
  readonly missing: readonly string[];
  /** What the lint finds, where it stops an approval. */
  readonly lint: readonly object[];
}

/** What comes next for who has read the report; undefined where nothing does. */
export function stepAfterReview(
  { state, digest, missing, lint }: Reported,
  named: NamedVersion,
): string | undefined {
  if (state === 'draft') return stepOf('submit', named);
  if (state !== 'in_review') return undefined;
  const approve = stepOf('approve', named, ` --digest ${shortDigest(digest)}`);
  if (missing.length === 0 && lint.length === 0) return approve;
  const isUnasked = missing.some((what) => what.includes('evaluated'));
  return isUnasked ? stepOf('evaluate', named) : `${approve} --override <reason>`;
}
