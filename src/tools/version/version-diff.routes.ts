import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { NotFound } from '../../kernel/errors.js';
import type { Sql } from '../../kernel/sql.js';
import type { Visibility } from '../../platform/auth/visibility.js';
import { readRoute } from '../../platform/records/routes.js';
import { compareVersions, counting, gradeOf, textChanges, versionFault } from '../../registry/shared.js';
import { readingForReads, type SpecReading } from '../../registry/public.js';
import { requireTool } from '../tool/tools.filter.js';
import { type KnownVersion, todayBy, versionsOf } from '../tool/tool-versions.lookup.js';
import { listedVersion, knownVersion } from './version-answers.schemas.js';
import { specOf } from './version-specs.lookup.js';
import { versionDiffAnswer, versionDiffExample } from './version-diff.schemas.js';

/**
 * What a version changes against another, for those who call it and in words.
 *
 * @param more with `today` like 2026-11-23
 */
export async function differencesOf(
  version: KnownVersion,
  against: KnownVersion | undefined,
  { today, reading }: { readonly today: string; readonly reading: SpecReading },
) {
  const before = against && (await specOf(against, reading));
  const after = await specOf(version, reading);
  const accepted = version.accepted.map((each) => ({ ...each, tool: version.name }));
  const findings = before === undefined ? [] : await reading.do('judge', before, after, accepted, today);
  return {
    against: against?.version ?? null,
    grade: gradeOf(findings),
    numberFault: (before && versionFault(before, after, counting(findings))?.detail) ?? null,
    findings,
    texts: textChanges(before, after),
    schemas: {
      input: { before: before?.inputSchema ?? null, after: after.inputSchema },
      output: { before: before?.outputSchema ?? null, after: after.outputSchema },
    },
  };
}

const isLive = ({ state }: KnownVersion): boolean => state === 'approved' || state === 'deprecated';

export interface Compared {
  readonly toolId: string;
  readonly version: string;
  /** Left out: the newest before it that agents are given. */
  readonly against?: string | undefined;
}

/** Throws NotFound for a tool or a version that is not there. */
export async function versionDiff(
  sql: Sql,
  visibility: Visibility,
  { toolId, version: number, against }: Compared,
): Promise<object> {
  await requireTool(sql, visibility, toolId);
  const versions = await versionsOf(sql, visibility.hostId, [toolId]);
  const known = (wanted: string): KnownVersion => {
    const found = versions.find(({ version }) => version === wanted);
    if (found === undefined) throw new NotFound(`version of tool ${toolId}`, wanted);
    return found;
  };
  const version = known(number);
  const other =
    against === undefined
      ? versions.find((each) => isLive(each) && compareVersions(each.version, number) < 0)
      : known(against);
  return {
    ...{ toolId, name: version.name, toolVersion: number },
    ...(await differencesOf(version, other, {
      today: await todayBy(sql),
      reading: readingForReads(visibility.hostId),
    })),
  };
}

const query = {
  type: 'object',
  additionalProperties: false,
  properties: {
    against: {
      ...knownVersion,
      description:
        'The version that it is compared with; left out, the newest before it that agents are given.',
    },
  },
} as const satisfies JSONSchema;

export const versionDiffRoute = readRoute<FromSchema<typeof query>>(
  'tools/:toolId/versions/:version/diff',
  {
    id: 'diffToolVersions',
    summary: 'Compare two versions of a tool',
    description:
      'What the version changes against another for those who call it, by the rules that a version number is held to, and every ' +
      'text that differs.',
    scope: 'catalog:read',
    confined: 'refused',
    params: { version: listedVersion.properties.version },
    query,
    answer: versionDiffAnswer,
    example: { query: { against: '1.0.0' }, answer: versionDiffExample },
  },
  (sql, { visibility, params: { toolId = '', version = '' }, query: { against } }) =>
    versionDiff(sql, visibility, { toolId, version, against }),
);
