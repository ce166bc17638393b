import { useQuery } from '@tanstack/react-query';
import { api, base, given } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';

/** Where the service itself serves a gateway, for development; undefined where it does not, and until that is known. */
export function useOwnGateway(gatewayId: string): string | undefined {
  const hostId = useHost();
  const own = useQuery({
    queryKey: ['development gateway', hostId],
    staleTime: Infinity,
    retry: false,
    queryFn: () => given(api.GET('/v1/hosts/{hostId}/development-gateway', { params: { path: { hostId } } })),
  });
  const path = own.data?.path ?? undefined;
  return path === undefined ? undefined : base + path.replace('{gatewayId}', gatewayId);
}
