import { useQuery } from '@tanstack/react-query';
import { api, given, type Of } from '../../../api/client.ts';
import { useHost } from '../../../api/session.ts';

export type Report = Of<'VersionReport'>;

/** What a reviewer wants to know of a version. */
export function useReport(toolId: string, version: string) {
  const hostId = useHost();
  const params = { path: { hostId, toolId, version } };
  return useQuery({
    queryKey: ['report', hostId, toolId, version],
    queryFn: () => given(api.GET('/v1/hosts/{hostId}/tools/{toolId}/versions/{version}/report', { params })),
  });
}

/** The tool and its number; and the one before, if there is one. */
export function titleOf({
  name,
  against,
  toolVersion,
}: Pick<Report, 'name' | 'against' | 'toolVersion'>): string {
  return against === null ? `${name} ${toolVersion}` : `${name} ${against} → ${toolVersion}`;
}

/** The names that a place in a spec leads along: of arguments, or of members of the answer. */
export function namesIn(pointer: string): readonly string[] {
  const [, ...steps] = pointer.split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return steps.filter((_, at) => steps[at - 1] === 'properties');
}
