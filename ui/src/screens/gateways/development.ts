import { useQuery } from '@tanstack/react-query';
import { api, base, given } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';

/** Where the service itself serves a gateway, for development: null where it does not, undefined until that is known. */
export function useOwnGateway(gatewayId: string): string | null | undefined {
  const hostId = useHost();
  const own = useQuery({
    queryKey: ['development gateway', hostId],
    staleTime: Infinity,
    retry: false,
    queryFn: () => given(api.GET('/v1/hosts/{hostId}/development-gateway', { params: { path: { hostId } } })),
  });
  if (own.isPending) return undefined;
  const path = own.data?.path ?? null;
  return path === null ? null : base + path.replace('{gatewayId}', gatewayId);
}

/** Whether the two lead to one gateway: by whatever name the service is called, its id stands in the path. */
export function isSameGateway(url: string, own: string | null): boolean {
  return own !== null && new URL(url).pathname === new URL(own).pathname;
}
