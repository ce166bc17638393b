import { isDeepStrictEqual } from 'node:util';
import { schemaFindings } from '../../../packages/schema-grade/schema-grade.js';
import { safetyOfHints } from '../../formats/shared.js';
import { callOf } from './spec-calls.js';
import type { ToolSpec } from './tool-spec.js';
import { compareVersions, numberAfter, type VersionStep } from './version-number.js';

/** How a change strikes those who call a tool, worst first; `none`: both say the same. */
export const specGrades = ['breaking', 'compatible', 'text', 'none'] as const;
export type SpecGrade = (typeof specGrades)[number];

/** What a version must at least raise for a change of this grade (semver.org). */
const leastStep = {
  breaking: 'MAJOR',
  compatible: 'MINOR',
  text: 'PATCH',
} as const satisfies Record<Exclude<SpecGrade, 'none'>, VersionStep>;

/** One difference of two versions. */
export interface SpecFinding {
  /** Stable: `input.required.narrower`, `annotation.turned`. */
  readonly rule: string;
  readonly grade: Exclude<SpecGrade, 'none'>;
  /** RFC 6901, in the spec. */
  readonly pointer: string;
  /** Undefined where it was or is absent. */
  readonly before: unknown;
  readonly after: unknown;
}

/** What the next version changes for agents, worst first. */
export function compareSpecs(before: ToolSpec, after: ToolSpec): readonly SpecFinding[] {
  const findings = [
    ...schemas(before, after, 'input'),
    ...schemas(before, after, 'output'),
    ...annotations(before, after),
    ...calls(before, after),
    ...texts(before, after),
  ];
  return findings.sort((one, other) => specGrades.indexOf(one.grade) - specGrades.indexOf(other.grade));
}

export function gradeOf(findings: readonly SpecFinding[]): SpecGrade {
  return specGrades.find((grade) => findings.some((finding) => finding.grade === grade)) ?? 'none';
}

function schemas(before: ToolSpec, after: ToolSpec, side: 'input' | 'output'): SpecFinding[] {
  const [old, now] = [before[`${side}Schema`], after[`${side}Schema`]];
  const findings = schemaFindings(old ?? undefined, now ?? undefined, side).map((finding) => ({
    ...finding,
    rule: `${side}.${finding.rule}`,
    pointer: `/${side}Schema${finding.pointer}`,
  }));
  if (findings.length > 0 || isDeepStrictEqual(old, now)) return findings;
  // What differs constrains nothing: descriptions, titles, defaults.
  const rule = `${side}.text`;
  return [
    { rule, grade: 'text', pointer: `/${side}Schema`, before: old ?? undefined, after: now ?? undefined },
  ];
}

/** The value of a hint that asks for less care. */
const harmless = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/** What the hints mean, those left out as well: read as everywhere. */
function hintsOf({ annotations: said }: ToolSpec): Record<keyof typeof harmless, boolean> {
  const { readOnly, destructive, idempotent } = safetyOfHints({ ...said });
  return {
    ...{ readOnlyHint: readOnly, destructiveHint: destructive, idempotentHint: idempotent },
    openWorldHint: said.openWorldHint ?? true,
  };
}

/** A tool that does another kind of thing than it said breaks those who let it run; one that turns harmless does not. */
function annotations(before: ToolSpec, after: ToolSpec): SpecFinding[] {
  const [meant, means] = [hintsOf(before), hintsOf(after)];
  return (Object.keys(harmless) as (keyof typeof harmless)[]).flatMap((hint) => {
    if (meant[hint] === means[hint]) return [];
    const grade = means[hint] === harmless[hint] ? 'compatible' : 'breaking';
    const [old, now] = [before.annotations[hint], after.annotations[hint]];
    return [{ rule: 'annotation.turned', grade, pointer: `/annotations/${hint}`, before: old, after: now }];
  });
}

/** Another kind of call, or another operation, does another kind of thing; the same one in another way answers what it promised. */
function calls(before: ToolSpec, after: ToolSpec): SpecFinding[] {
  const [old, now] = [callOf(before), callOf(after)];
  if (isDeepStrictEqual(old, now)) return [];
  const place = { pointer: `/${(now ?? old)?.member ?? ''}`, before: old?.value, after: now?.value };
  if (old?.kind !== now?.kind) return [{ rule: 'call.kind', grade: 'breaking', ...place }];
  const carriedOut = new Set(now?.operations);
  const isAnother = old?.operations.some((operation) => !carriedOut.has(operation)) === true;
  return [
    isAnother
      ? { rule: 'call.operation', grade: 'breaking', ...place }
      : { rule: 'call.changed', grade: 'compatible', ...place },
  ];
}

function texts(before: ToolSpec, after: ToolSpec): SpecFinding[] {
  const members = ['title', 'description', 'host', 'owner', 'examples'] as const;
  return members.flatMap((member) =>
    isDeepStrictEqual(before[member], after[member])
      ? []
      : [
          {
            rule: `${member}.changed`,
            grade: 'text',
            pointer: `/${member}`,
            before: before[member],
            after: after[member],
          },
        ],
  );
}

/** A version with less of a number than its change asks for. */
export interface TooSmall {
  /** `version.too_small`; `version.not_newer` where it does not come after the other. */
  readonly rule: 'version.too_small' | 'version.not_newer';
  readonly detail: string;
  /** What would do: the least version, where one is left. */
  readonly instead: string;
}

/** Why the number of the later version will not do; undefined where it will. */
export function versionFault(
  before: ToolSpec,
  after: ToolSpec,
  findings: readonly SpecFinding[],
): TooSmall | undefined {
  const grade = gradeOf(findings);
  const step = grade === 'none' ? 'PATCH' : leastStep[grade];
  const next = numberAfter(before.version, step);
  const instead =
    next === undefined
      ? `No number is left after ${before.version}: give the tool another name.`
      : `Take ${next} or higher.`;
  if (compareVersions(after.version, before.version) <= 0) {
    const detail = `${after.version} does not come after ${before.version}. ${instead}`;
    return { rule: 'version.not_newer', detail, instead };
  }
  if (grade === 'none' || (next !== undefined && compareVersions(after.version, next) >= 0)) return undefined;
  const worst = findings
    .filter((finding) => finding.grade === grade)
    .map(({ rule, pointer }) => `${rule} at ${pointer}`);
  const named =
    worst.slice(0, 3).join(', ') + (worst.length > 3 ? ` and ${String(worst.length - 3)} more` : '');
  const detail = `From ${before.version} to ${after.version} is too small a step: ${named} asks for ${step}. ${instead}`;
  return { rule: 'version.too_small', detail, instead };
}
