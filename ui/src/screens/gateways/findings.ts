import type { Of } from '../../api/client.ts';

export type Finding = Of<'GatewayDrift'>['items'][number];
export type Accepted = Of<'AcceptGatewayDriftRequest'>['findings'][number];

/** What can be taken over into the catalog; the rest is mended at its place. */
const accepts: Readonly<Record<Accepted['finding'], true>> = {
  missing_from_gateway: true,
  not_in_catalog: true,
  schema_changed: true,
  description_changed: true,
  annotations_changed: true,
  inactive_in_catalog: true,
};
export const isAcceptable = ({ finding }: Finding): boolean => finding in accepts;

/** What is different, and nobody has said that it may stay. */
export const isOpen = ({ finding, dismissed }: Finding): boolean =>
  finding !== 'in_sync' && dismissed === undefined;

/** A tool may have several findings. */
export const keyOf = ({
  toolName,
  finding,
  version = '',
}: Pick<Finding, 'toolName' | 'finding' | 'version'>): string => `${toolName} ${finding} ${version}`;

/** How a finding weighs, heaviest first; `mended` can only be mended elsewhere, of `dismissed` it was said why it may stay. */
const grades = ['breaking', 'suspicious', 'compatible', 'other', 'mended', 'dismissed'] as const;
export type Graded = (typeof grades)[number];

function gradeOf(found: Finding): Graded {
  if (found.dismissed !== undefined) return 'dismissed';
  if (!isAcceptable(found)) return 'mended';
  return grades.find((grade) => grade === found.grade) ?? 'other';
}

/** The findings by their grade, heaviest first. */
export function byGrade(found: readonly Finding[]): readonly (readonly [Graded, readonly Finding[]])[] {
  return grades.flatMap((grade) => {
    const own = found.filter((each) => gradeOf(each) === grade);
    return own.length === 0 ? [] : [[grade, own] as const];
  });
}
