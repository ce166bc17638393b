import { compareVersions, partsOf, versionPart } from './version-number.js';

/**
 * Which versions of a tool a link takes: one (`1.2.0`), those of a minor (`~1.2`) or a major (`^1.2`) from there on, or
 * `approved`, the newest of the major that was the newest when it was linked.
 */
export interface VersionRange {
  /** As it was asked for. */
  readonly text: string;
  /** The first that is taken. */
  readonly from: string;
  /** The first that is not taken any more. */
  readonly before: string;
}

/** A whole version, or one after `~` or `^` that may leave out its last numbers. */
const patternOf = (part: string): string =>
  `^(approved|${part}\\.${part}\\.${part}|[~^]${part}(\\.${part}){0,2})$`;

/** A range, at every door. */
export const rangePattern = patternOf(versionPart);

/** Also one that was kept before numbers had nine digits at most. */
const keptRange = new RegExp(patternOf('(0|[1-9]\\d*)'));

/**
 * Reads a range. As everywhere, a caret keeps the first number that is not 0: `^0.2` takes no `0.3.0` (semver.org, 4).
 *
 * @param newest the newest approved version when the link is made, for `approved`; undefined where there is none
 * @returns undefined where the text is no range, or names a version without all its numbers
 */
export function rangeOf(text: string, newest?: string): VersionRange | undefined {
  if (text === 'approved') {
    const major = partsOf(newest ?? '1.0.0')[0];
    return { text, from: `${String(major)}.0.0`, before: `${String(major + 1)}.0.0` };
  }
  if (!keptRange.test(text)) return undefined;
  const sign = /^[~^]/.exec(text)?.[0] ?? '';
  const [major = 0, minor, patch] = text.slice(sign.length).split('.').map(Number);
  const from = `${String(major)}.${String(minor ?? 0)}.${String(patch ?? 0)}`;
  if (sign === '') return { text, from, before: after([major, minor ?? 0, patch ?? 0], 2) };
  if (sign === '~') return { text, from, before: after([major, minor ?? 0, 0], minor === undefined ? 0 : 1) };
  const kept = major > 0 || minor === undefined ? 0 : minor > 0 || patch === undefined ? 1 : 2;
  return { text, from, before: after([major, minor ?? 0, patch ?? 0], kept) };
}

/** The first version with another number at the place: 0 for MAJOR, 2 for PATCH. */
function after(parts: readonly number[], place: number): string {
  return parts.map((part, at) => (at < place ? part : at === place ? part + 1 : 0)).join('.');
}

export function includes({ from, before }: VersionRange, version: string): boolean {
  return compareVersions(version, from) >= 0 && compareVersions(version, before) < 0;
}

/** Whether the text is a range that takes the version. */
export function rangeTakes(text: string, version: string): boolean {
  const range = rangeOf(text);
  return range !== undefined && includes(range, version);
}
