/** One of the three numbers of a version. */
export const versionPart = '(0|[1-8]\\d{0,8}|9\\d{0,7})';

/**
 * A version number as somebody may write it: MAJOR.MINOR.PATCH without prerelease or build (semver.org). Each is below 9·10⁸, so that it
 * is told apart everywhere (JSON, names of modules, the database’s order by nine digits), and a hundred million changes
 * can still raise it.
 */
export const versionPattern = `^${versionPart}\\.${versionPart}\\.${versionPart}$`;
