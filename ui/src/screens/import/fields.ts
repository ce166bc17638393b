import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, given, type Of } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { isApiId } from '../../parts/api-id.ts';
import type { Document } from './description.tsx';

/** Where a description goes. */
export interface Fields {
  readonly apiId: string;
  readonly apiName: string;
  readonly version: string;
  readonly serviceId: string;
  readonly envTag: string;
}

export type Version = Of<'ListedApiVersion'>;

/** What was typed; else what is known of the API of this name, then what the description and the session say. */
export function useFields(
  read: Of<'DocumentReading'> | undefined,
  document: Document | undefined,
  typed: Partial<Fields>,
) {
  const { sid, env, claims } = useSession();
  // A text that was typed has no name of its own.
  const fileName = document === undefined || document.isTyped ? '' : document.name;
  const suggested = [document?.apiId, idOf(read?.title ?? ''), idOf(fileName)];
  const apiId = typed.apiId ?? suggested.find(Boolean) ?? '';
  const { versions, areAll } = useVersions(apiId);
  const version = typed.version ?? read?.version ?? '';
  const last = versions.find(({ apiVersion }) => apiVersion === version) ?? versions[0];
  const isFree = claims.scope?.includes('catalog:all-services') === true;
  const fields: Fields = {
    ...{ apiId, version },
    apiName: typed.apiName ?? (last === undefined ? (read?.title ?? '') : ''),
    serviceId: typed.serviceId ?? last?.serviceId ?? sid ?? (isFree ? apiId : firstOf(claims.sid)),
    envTag: typed.envTag ?? last?.envTag ?? env ?? firstOf(claims.env),
  };
  return { fields, versions, areAll };
}

/** The versions of an API that is there already, those that changed last first; and whether there are no more of them. */
function useVersions(apiId: string): { readonly versions: readonly Version[]; readonly areAll: boolean } {
  const { host: hostId } = useSession();
  const { data } = useQuery({
    queryKey: ['versions of an API', hostId, apiId],
    queryFn: () =>
      given(
        api.GET('/v1/hosts/{hostId}/api-versions', {
          params: { path: { hostId }, query: { apiId, active: 'all', sort: '-updateTs', limit: 100 } },
        }),
      ),
    enabled: isApiId(apiId),
    placeholderData: keepPreviousData,
  });
  const { items = [], nextCursor } = data ?? {};
  const versions = isApiId(apiId) ? items.filter((version) => version.apiId === apiId) : [];
  return { versions, areAll: nextCursor === undefined };
}

function firstOf(claim: string | readonly string[] | undefined): string {
  return [claim].flat()[0] ?? '';
}

/** A short name from a title or a file: `Account service.openapi.yaml` is `account-service`. */
function idOf(text: string): string {
  const [stem = ''] = text.split('.');
  return stem
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 64);
}

/** From the last part of an address that says more than what the file is: `…/orders/openapi.json` is `orders`. */
export function idOfAddress(url: string): string {
  const { hostname, pathname } = new URL(url);
  const parts = [hostname, ...pathname.split('/')].map(idOf);
  return parts.findLast((part) => part !== '' && !/^(openapi|swagger|api|v\d+)$/.test(part)) ?? '';
}
