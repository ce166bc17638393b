/** How the versions of a folder follow each other. Pure. */
import type { FileFault } from '../specs/spec-file.js';
import {
  type AcceptedFinding,
  acceptancesOf,
  counting,
  type JudgedFinding,
  judgedFindings,
} from '../specs/accepted-findings.js';
import { specDigest, type ToolSpec } from '../specs/tool-spec.js';
import { partsOf } from '../specs/version-number.js';
import { gradeOf, type SpecGrade, versionFault } from '../specs/version-rules.js';
import { acceptedFile, type RegistryFolder, type SpecFile } from './registry-folder.js';

/** Two versions of a tool, the earlier one first, and what lies between them. */
export interface VersionPair {
  readonly tool: string;
  readonly from: string;
  readonly to: string;
  /** Of the later version. */
  readonly file: string;
  /** Whether no version lies between them. */
  readonly adjacent: boolean;
  /** Of what was not accepted. */
  readonly grade: SpecGrade;
  readonly input: SpecGrade;
  readonly output: SpecGrade;
  readonly findings: readonly JudgedFinding[];
}

export interface VersionReport {
  readonly pairs: readonly VersionPair[];
  readonly faults: readonly FileFault[];
  readonly warnings: readonly FileFault[];
}

/**
 * Grades each version against all earlier ones of its major, and the first of a major against the last before it.
 *
 * @param today like 2026-11-23: what was accepted until an earlier day counts again
 */
export function pairsOf(registry: RegistryFolder, today: string): VersionReport {
  const { specs, accepted } = registry;
  const pairs: VersionPair[] = [];
  const faults: FileFault[] = [];
  const used = new Set<AcceptedFinding>();
  for (const { before, after, adjacent } of byTool(specs).flatMap(compared)) {
    const findings = judgedFindings(before.spec, after.spec, accepted, today);
    for (const finding of findings)
      for (const taken of acceptancesOf(before.spec, after.spec, accepted, finding)) used.add(taken);
    pairs.push(pairOf(before, after, { findings, adjacent }));
    faults.push(...stepFaults(before.spec, after, findings));
  }
  return { pairs, faults, warnings: stale(registry, used, today) };
}

interface Compared {
  readonly before: SpecFile;
  readonly after: SpecFile;
  readonly adjacent: boolean;
}

/** The pairs of a tool’s versions that are compared; each version comes after those before it. */
function compared(versions: readonly SpecFile[]): readonly Compared[] {
  return versions.flatMap((after, place) => {
    const earlier = versions.slice(0, place);
    const last = earlier.at(-1);
    const sameMajor = earlier.filter(({ spec }) => majorOf(spec) === majorOf(after.spec));
    return (sameMajor.length > 0 || last === undefined ? sameMajor : [last]).map((before) => ({
      ...{ before, after, adjacent: before === last },
    }));
  });
}

/** What was changed or taken away of versions that are published: their files never change. */
export function changedSince(published: RegistryFolder, present: RegistryFolder): readonly FileFault[] {
  const now = new Map(present.specs.map((file) => [`${file.spec.name} ${file.spec.version}`, file]));
  return published.specs.flatMap(({ path, spec }): FileFault[] => {
    const { name, version } = spec;
    const kept = now.get(`${name} ${version}`);
    const place = { file: kept?.path ?? path, line: 1, pointer: '' };
    if (kept === undefined) {
      const detail = `${name} ${version} is published and missing here. Put its file back; a version is retired, not removed.`;
      return [{ ...place, rule: 'version.removed', detail }];
    }
    if (specDigest(kept.spec) === specDigest(spec)) return [];
    const detail = `${name} ${version} is published and says something else here. Put the text back, and make a new version of the change.`;
    return [{ ...place, rule: 'version.changed', detail }];
  });
}

const majorOf = ({ version }: ToolSpec): number => partsOf(version)[0];

function byTool(specs: readonly SpecFile[]): readonly (readonly SpecFile[])[] {
  const tools = new Map<string, SpecFile[]>();
  for (const file of specs) {
    const versions = tools.get(file.spec.name) ?? [];
    versions.push(file);
    tools.set(file.spec.name, versions);
  }
  return [...tools.values()];
}

function pairOf(
  { spec: before }: SpecFile,
  { path: file, spec: after }: SpecFile,
  { findings, adjacent }: Pick<VersionPair, 'findings' | 'adjacent'>,
): VersionPair {
  const counted = counting(findings);
  const side = (name: string): SpecGrade =>
    gradeOf(counted.filter(({ rule }) => rule.startsWith(`${name}.`)));
  return {
    ...{ tool: after.name, from: before.version, to: after.version, file, adjacent },
    ...{ grade: gradeOf(counted), input: side('input'), output: side('output'), findings },
  };
}

function stepFaults(
  before: ToolSpec,
  { path: file, spec: after, placeOf }: SpecFile,
  findings: VersionPair['findings'],
): readonly FileFault[] {
  const fault = versionFault(before, after, counting(findings));
  return fault === undefined
    ? []
    : [{ file, ...placeOf('/version'), rule: fault.rule, detail: fault.detail }];
}

/** Entries that hold no more, or never did. */
function stale(
  { accepted, acceptedPlaceOf }: RegistryFolder,
  used: ReadonlySet<AcceptedFinding>,
  today: string,
): readonly FileFault[] {
  return accepted.flatMap((each, place) => {
    const found = (rule: string, detail: string): FileFault[] => [
      { file: acceptedFile, ...acceptedPlaceOf(`/accepted/${String(place)}`), rule, detail },
    ];
    const what = `${each.rule} at ${each.pointer} of ${each.tool} ${each.version}`;
    if (!used.has(each))
      return found('accepted_unused', `Nothing is found that it is for: ${what}. Remove it.`);
    return each.expires < today
      ? found('accepted_expired', `${what} was accepted until ${each.expires}: this entry holds no more.`)
      : [];
  });
}
