import type { ChangeGrade } from '../endpoints/change-grade.js';

/** How much a change asks of whoever calls the tool, as far as its version tells. */
export const versionGrades = ['breaking', 'compatible', 'wording'] as const satisfies readonly ChangeGrade[];
export type VersionGrade = (typeof versionGrades)[number];

export const firstVersion = '1.0.0';

/**
 * The version after a change (docs/contract.md, section 5): a breaking schema change raises MAJOR, a compatible addition MINOR,
 * wording PATCH. Versions that other tools of the name hold are passed over.
 */
export function nextVersion(version: string, grade: VersionGrade, taken: readonly string[] = []): string {
  let next = raised(version, grade);
  while (taken.includes(next)) next = raised(next, 'wording');
  return next;
}

/** Every version that the tool can have after one more change, the present one included. */
export function reachableVersions(version: string, taken: readonly string[] = []): string[] {
  return [version, ...versionGrades.map((grade) => nextVersion(version, grade, taken))];
}

function raised(version: string, grade: VersionGrade): string {
  const [major = 1, minor = 0, patch = 0] = version.split('.').map(Number);
  const parts = {
    breaking: [major + 1, 0, 0],
    compatible: [major, minor + 1, 0],
    wording: [major, minor, patch + 1],
  }[grade];
  return parts.join('.');
}
