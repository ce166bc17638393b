/** One of the three numbers of a version: nine digits at most, as JSON, names of modules and file names carry it everywhere. */
export const versionPart = '(0|[1-9]\\d{0,8})';

/** A version number, at every door: MAJOR.MINOR.PATCH without prerelease or build (semver.org). */
export const versionPattern = `^${versionPart}\\.${versionPart}\\.${versionPart}$`;

const version = new RegExp(versionPattern);
const LAST = 999_999_999;

/** False also of a number that was stored before there was a last one. */
export function isVersionNumber(text: string): boolean {
  return version.test(text);
}

/** Which of the three numbers a change raises. */
export type VersionStep = 'MAJOR' | 'MINOR' | 'PATCH';

/**
 * The next number by the step: after the last PATCH comes the next MINOR, after the last MINOR the next MAJOR. Also of a number that was
 * stored before there was a last one.
 *
 * @returns undefined where none is left
 */
export function numberAfter(text: string, step: VersionStep): string | undefined {
  const [major, minor, patch] = partsOf(text);
  if (major > LAST) return undefined;
  if (step === 'PATCH' && minor <= LAST && patch < LAST)
    return `${String(major)}.${String(minor)}.${String(patch + 1)}`;
  if (step !== 'MAJOR' && minor < LAST) return `${String(major)}.${String(minor + 1)}.0`;
  return major < LAST ? `${String(major + 1)}.0.0` : undefined;
}

/** Negative where the first comes before the second; both are MAJOR.MINOR.PATCH. */
export function compareVersions(one: string, other: string): number {
  const [ones, others] = [partsOf(one), partsOf(other)];
  const index = ones.findIndex((part, at) => part !== others[at]);
  return index < 0 ? 0 : (ones[index] ?? 0) - (others[index] ?? 0);
}

export function partsOf(text: string): readonly [major: number, minor: number, patch: number] {
  const [major = 0, minor = 0, patch = 0] = text.split('.').map(Number);
  return [major, minor, patch];
}
