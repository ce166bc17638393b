import type { ToolSpec } from './tool-spec.js';
import { compareVersions } from './version-number.js';
import { compareSpecs, type SpecFinding } from './version-rules.js';

/** A finding that does not count for the number of a version. */
export interface AcceptedFinding {
  readonly tool: string;
  /** The later version, which makes the change. */
  readonly version: string;
  readonly rule: string;
  readonly pointer: string;
  readonly reason: string;
  readonly approver: string;
  /** Last day on which it holds, like 2027-03-31. */
  readonly expires: string;
}

/** As it is sent and kept with a version of the tool. */
export type AcceptedOfTool = Omit<AcceptedFinding, 'tool'>;

export type JudgedFinding = SpecFinding & { readonly accepted?: AcceptedFinding };

/**
 * What lies between two versions, with what was accepted of it.
 *
 * @param today like 2026-11-23: what was accepted until an earlier day counts again
 */
export function judgedFindings(
  before: ToolSpec,
  after: ToolSpec,
  accepted: readonly AcceptedFinding[],
  today: string,
): readonly JudgedFinding[] {
  return compareSpecs(before, after).map((finding) => {
    const taken = acceptancesOf(before, after, accepted, finding).find(({ expires }) => expires >= today);
    return taken === undefined ? finding : { ...finding, accepted: taken };
  });
}

/**
 * Those of a finding, whether or not they have run out. Each holds for all later versions too, as long as they are compared with one
 * from before the change.
 */
export function acceptancesOf(
  before: ToolSpec,
  after: ToolSpec,
  accepted: readonly AcceptedFinding[],
  { rule, pointer }: SpecFinding,
): readonly AcceptedFinding[] {
  return accepted.filter(
    (each) =>
      each.tool === after.name &&
      compareVersions(before.version, each.version) < 0 &&
      compareVersions(each.version, after.version) <= 0 &&
      each.rule === rule &&
      each.pointer === pointer,
  );
}

export function counting(findings: readonly JudgedFinding[]): readonly SpecFinding[] {
  return findings.filter(({ accepted }) => accepted === undefined);
}
