/** How much a change asks of whoever calls the tool. */
export const grades = ['breaking', 'compatible', 'wording'] as const;
export type Grade = (typeof grades)[number];

export const firstVersion = '1.0.0';

/**
 * The version after a change (contract 5): a breaking schema change raises MAJOR, a compatible addition MINOR,
 * wording PATCH. Versions that other tools of the name hold are passed over.
 */
export function nextVersion(version: string, grade: Grade, taken: readonly string[] = []): string {
  let next = raised(version, grade);
  while (taken.includes(next)) next = raised(next, 'wording');
  return next;
}

/** Every version that the tool can have after one more change, the present one included. */
export function reachableVersions(version: string, taken: readonly string[] = []): string[] {
  return [version, ...grades.map((grade) => nextVersion(version, grade, taken))];
}

function raised(version: string, grade: Grade): string {
  const [major = 1, minor = 0, patch = 0] = version.split('.').map(Number);
  const parts = {
    breaking: [major + 1, 0, 0],
    compatible: [major, minor + 1, 0],
    wording: [major, minor, patch + 1],
  }[grade];
  return parts.join('.');
}
